import { actorOfServer, wholeServer } from '#people/directory/verbs/scope';
import { auditEntry, type AuditEntry } from '#audit/entries/rules/entry';
import { requestProgress } from '#audit/entries/rules/events';
import { canonicalJson } from '#platform/crypto/digest';
import { lookupHash, principalHash, type KeyRing, lookupHashes } from '#platform/crypto/key-ring';
import { newOneTimeCode, newId, randomSecret } from '#platform/crypto/random';
import type { ElicitationInput } from '../../machine/rules/machine.ts';
import { begin, conclude } from '../../machine/rules/step.ts';
import { defaultApproverTtl, defaultRequesterTtl, type Audience } from '../contract/elicitation.ts';
import { keyOrdersOf } from '../../facts/contract/orders.ts';
import type { ToolCallId, UserId, ElicitationId, ServerId } from '#platform/model/id';
import { nameInPin } from '#policies/contract/policy';
import type { Presence } from '#people/directory/contract/presence';
import type { ServerCaller } from '#people/directory/contract/user';
import { remindersBetween } from '#policies/deciding/rules/decide';
import { alsoBy, type Verdict } from '#policies/document/rules/verdict';
import type { Opening } from '../store/opening.ts';
import type { CheckedQuestion, OpenRequest } from '#policies/deciding/verbs/open';
import type { Engine } from '#platform/nodes/verbs/engine';
import { defaultAnswer, currentElicitation } from '../../state/verbs/change.ts';
import type { Judgement, JudgedRequest } from '#policies/deciding/verbs/judge';
import { isLoopback } from '#platform/model/names';
import { settlesWithinOf } from '#connect/outcomes/rules';
import type { ProvenStep } from '../../facts/contract/proven.ts';
import {
  digestOfQuestion,
  sealDecision,
  sealQuestion,
  sealVerdict,
  type Decision,
  type Question,
  openQuestion,
} from './question.ts';
import type { GrantUse } from '../../grants/verbs.ts';
import { timingSafeEqual } from 'node:crypto';
import { Problem } from '#platform/model/problem';
import { tokensIn } from '#platform/text/visible-text';
import type { OpenCall } from '../store/reader.ts';
import type { ElicitationRow } from '../../state/store/row.ts';
import { cancelElicitation } from '../../state/verbs/end.ts';
import { markCaller } from './view.ts';
import { settleStale, settleUnclaimed } from '../../claims/verbs/end.ts';
import { isStale } from '../../claims/verbs/claim.ts';

interface Preparation extends JudgedRequest {
  /** The standing approval that answers it instead of a person. */
  grant: GrantUse | null;
  name: CallName;
  call: ToolCallId | null;
  /** What providers have confirmed in the earlier steps that it names. */
  proven: ProvenStep[];
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
  const { proven } = preparation;
  const question = questionOf(request, checked, { code, state, proven }, server.maker);
  const { audience, policy, risk } = verdict;
  const terms = { id, serverId: server.id, tool: request.tool.name, mode: request.mode, audience, policy, revision: 1 };
  const digest = digestOfQuestion(terms, question);
  const settlesWithin = settlesWithinOf(engine, server.name, request.expects);
  const born = birthOf(request, judgement, checked, now, { grant, settlesWithin });
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
      after: proven.map(({ elicitation }) => elicitation),
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

interface OpenedFacts {
  client: string | undefined;
  presence: Presence;
  others: string[];
  after: ElicitationId[];
}

function openedEntry(
  server: ServerCaller,
  row: Opened,
  requesters: UserId[],
  { client, presence, others, after }: OpenedFacts,
): AuditEntry {
  const { toolCallId: toolCall, risk, deadlineAt, openedAt } = row;
  const opened = {
    risk,
    deadlineAt,
    requesters,
    ...(client !== undefined && { client }),
    ...(presence !== 'none' && { presence }),
    ...(others.length > 0 && { alsoBy: others }),
    ...(after.length > 0 && { after }),
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
  { grant, settlesWithin }: { grant: GrantUse | null; settlesWithin: number | null },
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
    ...(settlesWithin !== null && { settlesWithin }),
  };
  if (outcome === 'require' && !grant) return { ...begin(input), decision: null };
  if (outcome === 'deny') return { ...conclude(input, 'declined'), decision: { comment: verdict.reason } };
  const content = defaultAnswer({ mode, schema }) ?? {};
  return { ...conclude(input, 'accepted'), decision: { content, comment: null } };
}

const questionOf = (
  { tool, ...request }: OpenRequest,
  { schema, url }: CheckedQuestion,
  { code, state, proven = [] }: Pick<Question, 'code' | 'state' | 'proven'>,
  keyMaker: ServerCaller['maker'],
): Question => ({
  message: request.message,
  schema,
  url,
  ...(request.expects && { expects: request.expects }),
  ...(proven.length > 0 && { proven }),
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
    ...(tool.fits && { fits: true }),
    isDescribedInRun: true,
  },
  nonce: randomSecret(),
  code,
});

/** A `state` of the tool's author stays the only one. */
const takesState = ({ state }: OpenRequest, url: string | null): boolean =>
  url !== null && state !== false && !new URL(url).searchParams.has('state');

/** The draw is a number of six bytes. */
const draws = 2 ** 48;

/**
 * Is this request one of those that a person looks at later? The same request always gives the same answer, and no one
 * without the installation's secret can know it beforehand: the id, which Assentry gives, makes each request a new draw.
 */
export function isSampled(
  ring: KeyRing,
  { id, digest }: { id: string; digest: string },
  percent: number | null,
): boolean {
  if (percent === null) return false;
  return lookupHash(ring, 'sample', id, digest).readUIntBE(0, 6) < (draws * percent) / 100;
}

/** Keyed hashes by which a call is found again, never its name. */
export interface CallName {
  server: ServerId;
  step: string;
  parts: string[];
  keyHash: Buffer;
  request: string;
  requestHash: Buffer;
  /** Content of the question at another outside address; null if it has none. */
  atAddress: ((url: string) => string) | null;
  /** As it was before the tool's title and description were part of it, with both. */
  undescribed: { content: string; title: string | undefined; description: string | undefined };
  /** The caller's name for it; without a name it is found by its content. */
  hasName: boolean;
  /** All parts that people see and policies judge. */
  equalParts: string[];
  /** Ids of an opening with this idempotency key, under the active key of the ring first; none without a key. */
  openings: OpeningIds[];
}

/** The ids of a request that is opened, and of its call if it makes one. */
export interface OpeningIds {
  id: ElicitationId;
  call: ToolCallId;
}

export interface JoinedCall {
  call: ToolCallId;
  /** Its question at this step, if it was asked. */
  row: ElicitationRow | null;
  /** The question was asked with another outside address, and that one stays. */
  isElsewhere?: boolean;
}

/** The call of this name that is not settled; null if there is none, or what it asked is left behind. */
export async function joinCall(engine: Engine, name: CallName, isLeftBehind: IsLeftBehind): Promise<JoinedCall | null> {
  const call = await engine.reader.callByName(name.server, lookupHashes(engine.ring, 'idempotency', ...name.parts));
  if (!call) return null;
  if (isStale(call.elicitations, engine.now())) {
    await settleStale(engine, call);
    return null;
  }
  const row = call.elicitations.find(({ step }) => step === name.step);
  if (!row) return { call: call.id, row: null };
  const isElsewhere = isAtOtherAddress(engine, row, name);
  if (!isElsewhere) assertSameQuestion(engine, row, name);
  if (isLeftBehind(row) && (await leaveBehind(engine, call))) return null;
  return { call: call.id, row: await comeBack(engine, row), isElsewhere };
}

/** The call that this very opening became, or joined within the last day, in any state; null if there is none. */
export async function joinRepeated(engine: Engine, name: CallName): Promise<JoinedCall | null> {
  for (const { id } of name.openings) {
    const row = await engine.reader.elicitation((await engine.tokens.joinedBy(id)) ?? id);
    if (row?.serverId !== name.server) continue;
    assertSameQuestion(engine, row, name);
    return { call: row.toolCallId, row: await comeBack(engine, row) };
  }
  return null;
}

/** Lets a late copy of an opening that joined find what it joined. */
export async function rememberJoining(engine: Engine, { openings, server }: CallName, joined: ElicitationId) {
  const [own] = openings;
  if (own && own.id !== joined)
    await engine.tokens.addJoining({ opening: own.id, joined, serverId: server, expiresAt: engine.now() + day });
}

/** Milliseconds for which a copy of an opening may be on its way. */
const day = 86_400_000;

/** The oldest call whose first question asks approvers the same for the same requester and is still open. */
export async function joinEqual(engine: Engine, name: CallName): Promise<JoinedCall | null> {
  const equalRow = await engine.reader.openEqual(lookupHashes(engine.ring, 'idempotency', ...name.equalParts));
  const row = equalRow && (await currentElicitation(engine, equalRow.id)); // it may be overdue and not yet expired
  return row?.status === 'open' ? { call: row.toolCallId, row: await comeBack(engine, row) } : null;
}

/**
 * Did this call ask its requester the same before, but for the outside address? A handler that runs again may have made
 * a new checkout session: the person has the first address, and its answer is the call's. Approvers approve an address.
 */
function isAtOtherAddress({ ring }: Engine, row: ElicitationRow, { request, atAddress }: CallName): boolean {
  if (row.audience !== 'requester' || row.mode !== 'url' || !row.dataKey || atAddress === null) return false;
  if (isOf(ring, row, request)) return false;
  const { url } = openQuestion(ring, row);
  if (url === null) return false;
  // The token of the first run stands in its address under the name that stands for all.
  const addresses = [url, ...tokensIn(url).map((token) => url.replaceAll(token, '{token}'))];
  return addresses.some((address) => isOf(ring, row, atAddress(address)));
}

/** Is this the content of the stored request? */
const isOf = (ring: KeyRing, { requestHash }: ElicitationRow, content: string): boolean =>
  lookupHashes(ring, 'idempotency', content).some((hash) => timingSafeEqual(hash, requestHash));

/** Refuses another question under the same name. */
function assertSameQuestion({ ring }: Engine, row: ElicitationRow, { request, undescribed }: CallName): void {
  if (isOf(ring, row, request)) return;
  const { content, title = null, description = null } = undescribed;
  const tool = isOf(ring, row, content) && openQuestion(ring, row).tool;
  const isOlder = tool && !tool.isDescribedInRun;
  if (!isOlder || tool.title !== title || tool.description !== description) throw new Problem('idempotency-mismatch');
}

const comeBack = async (engine: Engine, row: ElicitationRow): Promise<ElicitationRow> =>
  row.status === 'open' && row.caller === 'gone'
    ? markCaller(engine, wholeServer(row.serverId), row.id, 'waiting')
    : row;

/** Is this question, which the same call asked before, no answer to the request of now? */
export type IsLeftBehind = (row: ElicitationRow) => boolean;

/**
 * A request for approvers that a policy left to the requester has two limits that one for approvers has not: policies
 * that ask approvers by now get them, and a yes from one session runs nothing in another.
 */
export const leftBehind =
  ({ ring }: Engine, server: ServerCaller, request: OpenRequest, today: Audience): IsLeftBehind =>
  ({ audience, status, sessionHash }) => {
    if (request.audience !== 'approvers' || audience !== 'requester') return false;
    if (today === 'approvers') return true;
    const hashes = request.session ? lookupHashes(ring, 'session', server.id, request.session) : [];
    return status !== 'open' && !hashes.some((hash) => sessionHash && hash.equals(sessionHash));
  };

/** Ends the call, so that the request of now begins another; false if it runs already. */
async function leaveBehind(engine: Engine, call: OpenCall): Promise<boolean> {
  for (const { id, serverId, status } of call.elicitations)
    if (status === 'open') await cancelElicitation(engine, wholeServer(serverId), id, 'superseded');
  return settleUnclaimed(engine, call);
}
