import { inboxWords } from '#locales/inbox';
import { language } from '../../../language/language.ts';
import type { RowSignal } from './together-words.ts';

/** Words of the inbox. */
export const { emptyStates, splitView } = inboxWords[language];

const { signal: signals, ...rest } = inboxWords[language].words;

export const words = {
  ...rest,
  votedBy: (names: string[]): string => rest.votedBy(names.join(', ')),
  signal: (signal: RowSignal): string => {
    if (signal.kind === 'new') return signals.new(signal.what);
    if (signal.kind === 'amount') return signals.amount(signal.times);
    return signals[signal.kind];
  },
};
