import { inTurn } from '#platform/crypto/in-turns';
import type { UserId } from '#platform/model/id';
import type { ServerCaller } from '#people/directory/contract/user';
import type { ShadowRecord } from '#requests/asking/store/opening/opening-statement';
import { checkFacts, checkQuestion, type CheckedQuestion } from '../open/check-question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { AskedQuestion } from '#requests/state/verbs/change/facts';
import { usersKnownAs } from '#requests/asking/verbs/requester/requesters';
import { judgeQuestion, formatOutcome, type Judgement } from './judge-question.ts';
import type { OpenRequest } from '../open/open-request.ts';
import type { RulesSnapshot, Rules } from '../rules/rules.ts';

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
  // Which addresses are allowed depends on who answers; the rules for forms do not.
  const form = request.mode === 'form' ? checkQuestion(request, 'approvers') : null;
  const question = askedBy(server, request, form);
  const judgement = judgeQuestion(engine, rules.book, rules.directory, question, now);
  const checked = form ?? checkQuestion(request, judgement.verdict.audience);
  const requesters = [...usersKnownAs(rules.directory, request.requester)] as UserId[];
  return { judgement, checked, shadows: watch(engine, rules, question, judgement, now), now, requesters, snapshot };
}

const askedBy = (server: ServerCaller, request: OpenRequest, form: CheckedQuestion | null): AskedQuestion => ({
  server: server.name,
  tool: request.tool.name,
  definition: request.tool.schemaDigest,
  arguments: request.arguments,
  annotations: request.tool.annotations ?? {},
  mode: request.mode,
  audience: request.audience ?? null,
  reason: request.reason ?? null,
  requester: request.requester,
  schema: form?.schema ?? null,
  notBefore: request.notBefore ?? null,
  keyMaker: server.maker,
  unaccepted: request.tool.unaccepted,
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
