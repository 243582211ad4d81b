import { inboxTogetherWords } from '#locales/inbox-together';
import { language } from '../../../language/language.ts';

/** Words of deciding several requests together. */
const words = inboxTogetherWords[language];

export const together = {
  ...words.together,
  done: (done: number, total: number): string =>
    done === total ? words.together.doneAll(total) : words.together.done(done, total),
};

export const declineAll = {
  ...words.declineAll,
  matching: (filters: string[]): string => words.declineAll.matching(filters.join(' · ')),
};

export type { CallSignal as RowSignal } from '#requests/inbox/contract/signal';
