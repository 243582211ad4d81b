import type { Stage } from '#requests/voting/contract/quorum/stage';
import { decide } from '../../rules/decide/decide.ts';
import type { Directory } from '../../../document/rules/directory/directory.ts';
import type { Facts } from '../../../document/rules/document/facts.ts';
import type { PolicyBook } from '../../rules/book.ts';
import { resolveStages } from '../../rules/stages/resolve-stages.ts';
import type { Shortage } from '../../rules/shortage/shortage.ts';
import type { Verdict } from '../../../document/rules/verdict/verdict.ts';
import { factsOf, type AskedQuestion, type FactsContext } from '#requests/state/verbs/change/facts';
import type { Rules } from '../rules/rules.ts';

/** The policies' verdict on a question, with the current people. */
export interface Judgement {
  verdict: Verdict;
  /** In order; empty if no one or only the requester is asked. */
  stages: Stage[];
  /** Why the stages could never be completed; null if they can. */
  shortage: Shortage | null;
}

/** Decides with these rules; used for every question, whether asked now, watched in shadow mode or simulated. */
export function judgeQuestion(
  context: FactsContext,
  book: PolicyBook,
  directory: Rules['directory'],
  question: AskedQuestion,
  now: number,
): Judgement {
  return judgeFacts(book, directory, factsOf(question, directory, context, now));
}

function judgeFacts(book: PolicyBook, directory: Directory, facts: Facts): Judgement {
  const verdict = decide(book, facts);
  if (verdict.outcome !== 'require' || verdict.stages.length === 0) return { verdict, stages: [], shortage: null };
  const resolution = resolveStages(verdict.stages, directory, facts);
  return { verdict, stages: resolution.stages, shortage: resolution.ok ? null : resolution };
}

/** In one word. */
export const outcomeOf = ({ verdict, shortage }: Judgement) =>
  shortage === null ? outcomeOfVerdict(verdict) : ('unsatisfiable' as const);

/** In one word, as if there were enough people. */
export const outcomeOfVerdict = ({ outcome, audience }: Pick<Verdict, 'outcome' | 'audience'>) =>
  outcome === 'require' && audience === 'requester' ? ('requester' as const) : outcome;

/** In one line, to be compared: who would have been asked, in which stages. */
export function formatOutcome(judgement: Judgement): string {
  const names = judgement.stages.map(({ name }) => name);
  const outcome = outcomeOf(judgement);
  return names.length > 0 && outcome === 'require' ? `require: ${names.join(', then ')}` : outcome;
}
