import { requestsWords } from '#locales/requests';
import { requestsDecideWords } from '#locales/requests-decide';
import { requestsStepsWords } from '#locales/requests-steps';
import type { z } from 'zod';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { ToolAnnotations } from '#requests/asking/contract/open';
import { language } from '../../../language/language.ts';
import type { GrantTerms } from '../grant-terms.ts';
import type { Left } from './later-words.ts';
import type { SaidSignal } from './spoken.ts';

type Progress = NonNullable<ElicitationDetail['progress']>;

const shown = requestsWords[language];
const deciding = requestsDecideWords[language];

/** Words of a request's page: its content. */
export const { changed, explanation, look, others, policy, url, what, who, why, withoutContent, words } = shown;

export const path = {
  ...shown.path,
  orEnds: (endings: string[]): string => shown.path.orEnds(endings.map((ending) => ending.toLowerCase())),
  waitingFor: (names: string[], more: number): string =>
    shown.path.waitingFor(more > 0 ? [...names, shown.path.moreNames(more)] : names),
};

export const result = {
  ...shown.result,
  counted: ({ need, have, stage, stages }: Progress): string => shown.result.counted(need - have, stage >= stages),
};

export function nameHints(annotations: z.infer<typeof ToolAnnotations>): string {
  const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
  return hints
    .flatMap((hint) => (annotations[hint] === undefined ? [] : shown.nameHints[hint](annotations[hint])))
    .join(' · ');
}

export const { field } = deciding;

export const card = { ...deciding.card, verbs: (verbs: string[]): string => deciding.card.verbs(verbs.join(', ')) };

export const signals = {
  ...deciding.signals,
  say: (signal: SaidSignal): string => {
    const { say } = deciding.signals;
    if (signal.kind === 'new') return say.new(signal.what);
    if (signal.kind === 'amount') return say.amount(signal.times, signal.usual);
    if (signal.kind === 'burst') return say.burst(signal.isMore, signal.calls);
    return signal.kind === 'hour' ? say.hour(signal.time) : say[signal.kind];
  },
  explain: (signal: SaidSignal): string => {
    const { explain } = deciding.signals;
    if (signal.kind === 'new') return explain.new(signal.label, signal.value, signal.of);
    if (signal.kind === 'amount') return explain.amount(signal.label, signal.of, signal.usual);
    if (signal.kind === 'hour' || signal.kind === 'unchecked') return explain[signal.kind](signal.of);
    return explain[signal.kind];
  },
};

export const decide = {
  ...deciding.decide,
  left: (left: Left): string => {
    const sentences = deciding.decide.left;
    if (left.kind === 'typed') return sentences.typed(left.text);
    if (left.kind === 'answers') return sentences[left.isMissing ? 'missing' : 'faulty'](left.count, left.first);
    return sentences[left.kind];
  },
  approves: (progress: Progress | null, allowFor: number | null): string => {
    const { completes, counts, runs } = deciding.decide.approves;
    const missing = progress === null ? 0 : progress.need - progress.have - 1;
    if (progress !== null && missing > 0) return counts(progress.have + 1, progress.need, missing);
    return progress === null || progress.stage >= progress.stages ? runs(allowFor) : completes;
  },
};

/** Words of a request's page: all other steps. */
export const { breakGlass, comparison, discussion, editing, lookBack, more, reasons, revisions, revoking } =
  requestsStepsWords[language];

const { bounds, ...ofAllowing } = requestsStepsWords[language].allowing;

export const allowing = {
  ...ofAllowing,
  bounds: ({ same, uses, budget, ceiling }: GrantTerms): string => {
    const parts = [
      bounds.same(same),
      ...(uses === null ? [] : [bounds.uses(uses)]),
      ...(budget === null ? [] : [bounds.budget(budget.argument, budget.total)]),
      bounds.ceiling(ceiling),
    ];
    return bounds.whole(parts.join(', '));
  },
};
