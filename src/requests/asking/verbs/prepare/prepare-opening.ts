import { actorOfServer } from '#people/directory/verbs/scope';
import { auditEntry, type AuditEntry } from '#audit/entries/rules/entry';
import { requestProgress } from '#audit/entries/rules/events';
import { canonicalJson } from '#platform/crypto/digest';
import { lookupHash, principalHash } from '#platform/crypto/key-ring';
import { newOneTimeCode } from '#platform/crypto/random';
import { newId, randomSecret } from '#platform/crypto/random';
import type { ElicitationInput } from '../../../machine/rules/machine/context.ts';
import { begin, conclude } from '../../../machine/rules/step/step.ts';
import { defaultApproverTtl, defaultRequesterTtl } from '../../contract/elicitation.ts';
import { keyOrdersOf } from '../../../facts/contract/facts/key-orders.ts';
import type { ToolCallId, UserId } from '#platform/model/id';
import { nameInPin } from '#policies/contract/policy';
import type { Presence } from '#people/directory/contract/presence';
import type { ServerCaller } from '#people/directory/contract/user';
import { remindersBetween } from '#policies/deciding/rules/decide';
import { alsoBy, type Verdict } from '#policies/document/rules/verdict';
import type { Opening } from '../../store/opening/opening-statement.ts';
import type { CheckedQuestion } from '#policies/deciding/verbs/open';
import type { Engine } from '#platform/nodes/verbs/engine';
import { defaultAnswer } from '../../../state/verbs/change/facts.ts';
import type { CallName, OpeningIds } from './join-call.ts';
import { isSampled } from './sample.ts';
import type { Judgement } from '#policies/deciding/verbs/judge';
import { isLoopback } from '#platform/model/names';
import type { JudgedRequest } from '#policies/deciding/verbs/judge';
import type { OpenRequest } from '#policies/deciding/verbs/open';
import { digestOfQuestion } from '../question/question-digest.ts';
import type { GrantUse } from '../../../grants/verbs/use-grant.ts';
import { sealDecision, sealQuestion, sealVerdict, type Decision, type Question } from '../question/sealed-question.ts';

interface Preparation extends JudgedRequest {
  /** What answers it instead of a person. */
  grant: GrantUse | null;
  name: CallName;
  call: ToolCallId | null;
}

/** The rows a new question becomes: bound by its digest, sealed, in its first state, with its audit entries. */
export function prepareOpening(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  preparation: Preparation,
): Opening {
  const { checked, judgement, name, now, shadows, grant, requesters, snapshot } = preparation;
  const { verdict } = judgement;
  const { id, call } = idsOf(name);
  const toolCallId = preparation.call ?? call;
  const isForRequester = verdict.audience === 'requester';
  const code = isForRequester && isLoopback(engine.publicUrl()) ? newOneTimeCode() : null;
  const state = isForRequester && takesState(request, checked.url) ? randomSecret() : undefined;
  const question = questionOf(request, checked, { code, state }, server.maker);
  const { audience, policy, risk } = verdict;
  const terms = { id, serverId: server.id, tool: request.tool.name, mode: request.mode, audience, policy, revision: 1 };
  const digest = digestOfQuestion(terms, question);
  const born = birthOf(request, judgement, checked, now, grant);
  const sealed = { id, ...sealQuestion(engine.ring, id, ownerOf(server, request), question) };
  const isClosed = born.status !== 'open';
  const isDrawn = isSampled(engine.ring, { id, digest }, grant ? null : verdict.sample);
  const isFirst = preparation.call === null && audience === 'approvers' && !isClosed;
  const elicitation: Opening['elicitation'] = {
    toolCallId,
    step: request.step,
    serverId: server.id,
    tool: request.tool.name,
    audience,
    mode: request.mode,
    risk,
    status: born.status,
    cause: null,
    caller: 'waiting',
    revision: 1,
    version: 0,
    state: born.state,
    openedAt: now,
    deadlineAt: born.state.context.deadlineAt,
    closedAt: isClosed ? now : null,
    requestHash: name.requestHash,
    requesterHash: principalHash(engine.ring, server.id, request.requester),
    digest,
    policy,
    equalHash: isFirst ? lookupHash(engine.ring, 'idempotency', ...name.equalParts) : null,
    wish: isFirst && !name.hasName ? '' : toolCallId,
    sessionHash: request.session ? lookupHash(engine.ring, 'session', server.id, request.session) : null,
    ...sealed,
    explanation: sealVerdict(engine.ring, sealed, verdict),
    traceparent: request.traceparent ?? null,
    alsoBy: alsoBy(verdict).map(nameInPin),
    answer: born.decision && sealDecision(engine.ring, sealed, born.decision),
  };
  return {
    call: preparation.call ? null : { id: toolCallId, keyHash: name.keyHash },
    elicitation,
    entry: openedEntry(server, elicitation, requesters, {
      client: request.requester.client?.name,
      presence: verdict.presence.needed,
      others: alsoBy(verdict),
    }),
    decided: isClosed ? decisionEntry(server, elicitation, grant, isDrawn) : null,
    isSampled: isDrawn,
    grant,
    isTold: !isClosed && verdict.chat !== null,
    shadows,
    epoch: { ...snapshot.epoch, ...(server.proof && { keys: server.proof.keys }) },
  };
}

/** With an idempotency key they follow from it, so that no repetition of the opening is stored again. */
const idsOf = ({ openings: [ids] }: CallName): OpeningIds =>
  ids ?? { id: newId('elicitation'), call: newId('toolCall') };

const ownerOf = (server: ServerCaller, { session, requester }: OpenRequest) => ({
  server: server.id,
  session: session ?? requester.subject,
});

type Opened = Opening['elicitation'];

function openedEntry(
  server: ServerCaller,
  row: Opened,
  requesters: UserId[],
  { client, presence, others }: { client: string | undefined; presence: Presence; others: string[] },
): AuditEntry {
  const { toolCallId: toolCall, risk, deadlineAt, openedAt } = row;
  const opened = {
    risk,
    deadlineAt,
    requesters,
    ...(client !== undefined && { client }),
    ...(presence !== 'none' && { presence }),
    ...(others.length > 0 && { alsoBy: others }),
  };
  const fields = { ...fieldsOf(server, row, openedAt), from: null, to: 'open' } as const;
  const event = { type: 'elicitation.opened', toolCall, ...opened, ...fields } as const;
  return auditEntry(newId('entry'), openedAt, actorOfServer(server), event);
}

/** The actor is the policy, never a person. */
function decisionEntry(server: ServerCaller, row: Opened, grant: GrantUse | null, isDrawn: boolean): AuditEntry {
  const at = row.openedAt + 1;
  const action = row.status === 'accepted' ? 'accept' : 'decline';
  const fields = { ...fieldsOf(server, row, at), from: 'open', to: row.status } as const;
  const actor = { kind: 'policy', policy: row.policy, ...(grant && { grant: grant.row.id }) } as const;
  return auditEntry(newId('entry'), at, actor, {
    type: 'elicitation.decided',
    action,
    ...(isDrawn && { isSampled: true as const }),
    ...fields,
  });
}

const fieldsOf = ({ name: serverName }: ServerCaller, row: Opened, at: number) => ({
  ...requestProgress({ ...row, serverName }, at),
  elicitation: row.id,
  digest: row.digest,
  revision: row.revision,
});

/** Milliseconds: the policy's time, or the caller's if it is shorter or the policy sets none. */
function timeToLive({ audience, deadline }: Verdict, ttl: number | undefined): number {
  const defaultTtl = audience === 'approvers' ? defaultApproverTtl : defaultRequesterTtl;
  return Math.min(ttl ?? deadline ?? defaultTtl, deadline ?? Number.POSITIVE_INFINITY);
}

/** When it ends unless it is decided. */
export const deadlineOf = (verdict: Verdict, { ttl }: OpenRequest, now: number): number =>
  now + timeToLive(verdict, ttl);

/** Its first state: open, or decided by its policy, with the answer. */
function birthOf(
  request: OpenRequest,
  { verdict, stages }: Judgement,
  { schema }: CheckedQuestion,
  now: number,
  grant: GrantUse | null,
): Pick<ReturnType<typeof begin>, 'state' | 'status'> & { decision: Decision | null } {
  const { mode, notBefore = null } = request;
  const { audience, outcome, onTimeout } = verdict;
  const deadlineAt = deadlineOf(verdict, request, now);
  const reminders = remindersBetween(now, deadlineAt, verdict);
  const input: ElicitationInput = {
    audience,
    mode,
    stages,
    openedAt: now,
    deadlineAt,
    onTimeout,
    notBefore,
    undo: verdict.undo,
    reminders,
    ...(grant && { grant: grant.row.id }),
  };
  if (outcome === 'require' && !grant) return { ...begin(input), decision: null };
  if (outcome === 'deny') return { ...conclude(input, 'declined'), decision: { comment: verdict.reason } };
  const content = defaultAnswer({ mode, schema }) ?? {};
  return { ...conclude(input, 'accepted'), decision: { content, comment: null } };
}

const questionOf = (
  { tool, ...request }: OpenRequest,
  { schema, url }: CheckedQuestion,
  { code, state }: Pick<Question, 'code' | 'state'>,
  keyMaker: ServerCaller['maker'],
): Question => ({
  message: request.message,
  schema,
  url,
  ...(request.completedBy && { completedBy: request.completedBy }),
  ...(state !== undefined && { state }),
  facts: request.facts ?? [],
  reason: request.reason ?? null,
  audience: request.audience ?? null,
  requester: request.requester,
  ...(keyMaker && { keyMaker }),
  takesEdits: request.takesEdits ?? false,
  arguments: canonicalJson(request.arguments),
  keyOrdersJson: JSON.stringify(keyOrdersOf(request.arguments)),
  tool: {
    title: tool.title ?? null,
    description: tool.description ?? null,
    annotations: tool.annotations ?? null,
    schemaDigest: tool.schemaDigest ?? null,
    ...(tool.reaches !== undefined && { reaches: tool.reaches }),
    ...(tool.unaccepted && { unaccepted: true }),
    isDescribedInRun: true,
  },
  nonce: randomSecret(),
  code,
});

/** A `state` of the tool's author stays the only one. */
const takesState = ({ state }: OpenRequest, url: string | null): boolean =>
  url !== null && state !== false && !new URL(url).searchParams.has('state');
