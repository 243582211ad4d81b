import type { Stage } from '#requests/voting/contract/stages';
import { decide } from '../rules/decide.ts';
import type { Directory } from '../../document/rules/directory.ts';
import type { Facts } from '../../document/rules/document.ts';
import type { PolicyBook } from '../rules/book.ts';
import { resolveStages } from '../rules/stages.ts';
import type { Shortage } from '../rules/shortage.ts';
import { type Verdict, builtInPolicy } from '../../document/rules/verdict.ts';
import { factsOf, judgedAct, type AskedQuestion, type FactsContext } from '#requests/state/verbs/change';
import type { Rules, RulesSnapshot } from './rules.ts';
import { inTurn } from '#platform/crypto/in-turns';
import type { UserId } from '#platform/model/id';
import type { ServerCaller } from '#people/directory/contract/user';
import type { ShadowRecord } from '#requests/asking/store/opening';
import { checkFacts, checkQuestion, type CheckedQuestion, type OpenRequest } from './open.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { usersKnownAs } from '#requests/asking/verbs/requester';
import { Problem, type FieldError } from '#platform/model/problem';
import { faultOfJustification } from '../../document/rules/stages.ts';

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

export interface JudgedRequest {
  judgement: Judgement;
  checked: CheckedQuestion;
  shadows: ShadowRecord[];
  now: number;
  /** The people who are or may be the requester. */
  requesters: UserId[];
  /** The rules it was judged by. */
  snapshot: RulesSnapshot;
}

/** The verdict of the policies of this moment, and of those in shadow mode; INVALID_INPUT if the request is malformed. */
export async function judgeRequest(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  snapshot: RulesSnapshot,
): Promise<JudgedRequest> {
  const rules = await snapshot.rules();
  return inTurn(() => judgeBy(engine, rules, server, request, snapshot));
}

function judgeBy(
  engine: Engine,
  rules: Rules,
  server: ServerCaller,
  request: OpenRequest,
  snapshot: RulesSnapshot,
): JudgedRequest {
  const now = engine.now();
  checkFacts(request.arguments, request.facts);
  // The allowed addresses depend on who answers; the rules for forms do not.
  const form = request.mode === 'form' ? checkQuestion(request, 'approvers') : null;
  const question = askedBy(server, request, form);
  const judgement = judgeQuestion(engine, rules.book, rules.directory, question, now);
  const { audience, outcome } = judgement.verdict;
  const checked = form ?? checkQuestion(request, request.expects && outcome === 'deny' ? 'requester' : audience);
  const requesters = [...usersKnownAs(rules.directory, request.requester)] as UserId[];
  return { judgement, checked, shadows: watch(engine, rules, question, judgement, now), now, requesters, snapshot };
}

const askedBy = (server: ServerCaller, request: OpenRequest, form: CheckedQuestion | null): AskedQuestion => ({
  server: server.name,
  ...judgedAct(request.expects, {
    tool: request.tool.name,
    definition: request.tool.schemaDigest,
    arguments: request.arguments,
    annotations: request.tool.annotations ?? {},
    audience: request.audience ?? null,
  }),
  mode: request.mode,
  reason: request.reason ?? null,
  requester: request.requester,
  schema: form?.schema ?? null,
  notBefore: request.notBefore ?? null,
  keyMaker: server.maker,
  unaccepted: request.tool.unaccepted,
  reaches: request.tool.reaches,
  fits: request.tool.fits,
});

/** A version in shadow mode records what it would have decided, without effect. */
const watch = (
  engine: Engine,
  { shadows, directory }: Rules,
  question: AskedQuestion,
  live: Judgement,
  now: number,
): ShadowRecord[] =>
  shadows.map(({ policy, book }) => {
    const shadow = judgeQuestion(engine, book, directory, question, now);
    return { policy, live: formatOutcome(live), shadow: formatOutcome(shadow) };
  });

/** The parts of a request that a policy's terms cover. */
interface Asked {
  reason?: string | null | undefined;
  notBefore?: number | null | undefined;
}

/**
 * Refuses a request that the policy would never accept: a missing reason, a start it does not permit, or no one to ask.
 */
export function assertTermsMet({ verdict, shortage }: Judgement, request: Asked, deadlineAt: number): void {
  const fault = termsFault(verdict, request, deadlineAt);
  if (fault) throw new Problem('INVALID_INPUT', { errors: [fault] });
  // Without any policy, an approver can still be added in time.
  if (shortage !== null && verdict.outcome === 'require' && verdict.policy !== builtInPolicy)
    throw new Problem('unsatisfiable', { detail: shortage.outline });
}

/** The part of the request that does not meet the terms of its policy, and why; null if all do. */
export function termsFault(verdict: Verdict, { reason, notBefore }: Asked, deadlineAt: number): FieldError | null {
  const { outcome, justification } = verdict;
  if (outcome === 'deny') return null;
  const unexplained = outcome === 'require' ? faultOfJustification(justification.requester, reason ?? null) : null;
  if (unexplained !== null) return { path: ['reason'], message: unexplained };
  const message = typeof notBefore === 'number' ? refuseStart(verdict, notBefore, deadlineAt) : null;
  return message === null ? null : { path: ['notBefore'], message };
}

function refuseStart({ outcome, notBefore, policy }: Verdict, startAt: number, deadlineAt: number): string | null {
  // Without approval, nothing would delay the call until its start.
  if (outcome === 'allow') return `Ask when it is time: ${policy} allows this at once.`;
  if (!notBefore && policy !== builtInPolicy) return `Leave the start out: ${policy} does not permit one.`;
  return startAt >= deadlineAt ? 'Choose a time before the deadline.' : null;
}
