import { retryOnConflict } from '#platform/nodes/verbs/retry';
import { inTurn } from '#platform/crypto/in-turns';
import { lookupHashes, provingKids, principalHashes, lookupHash, type KeyRing } from '#platform/crypto/key-ring';
import type { ServerCaller, KeyScope } from '#people/directory/contract/user';
import type { ToolCallId } from '#platform/model/id';
import { identityKey } from '#platform/model/identity';
import { invalidInput, Problem } from '#platform/model/problem';
import { rowOf, type ElicitationRow, type NewElicitation } from '../../state/store/row.ts';
import type { Opening } from '../store/opening.ts';
import { bindToken, readBinding, assertSameQuestion, type Binding } from '../../pages/verbs/callback.ts';
import { cancelElicitation } from '../../state/verbs/end.ts';
import { viewElicitation, viewWithInquiry } from './view.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { coversTool, wholeServer, isForeign } from '#people/directory/verbs/scope';
import { firstPageCode, renewedPageCode } from '../../pages/verbs/proof.ts';
import {
  joinCall,
  joinEqual,
  joinRepeated,
  leftBehind,
  rememberJoining,
  type CallName,
  type IsLeftBehind,
  type JoinedCall,
  deadlineOf,
  prepareOpening,
  type OpeningIds,
} from './prepare.ts';
import { judgeRequest, type JudgedRequest, type Judgement, assertTermsMet } from '#policies/deciding/verbs/judge';
import type { OpenRequest } from '#policies/deciding/verbs/open';
import { currentServer } from '#access/keys/verbs/keys';
import { findGrant, type GrantUse } from '../../grants/verbs.ts';
import type { RulesSnapshot } from '#policies/deciding/verbs/rules';
import { assertNotStopped } from '../../stops/verbs.ts';
import { releaseToolCall } from '../../claims/verbs/end.ts';
import { ownServer } from '#platform/model/names';
import { canonicalJson } from '#platform/crypto/digest';
import { idFrom, randomSecret } from '#platform/crypto/random';
import { runDigest, openQuestion } from './question.ts';
import { isCallbackToken } from '#access/tokens/rules';
import { provenSteps } from '#connect/outcomes/verbs/proven';
import { withIssuer } from '#connect/auto/verbs/issuer';
import { assertUse } from '#connect/connections/verbs/tokens';
import { callbackFaults } from '#platform/text/visible-text';
import { readable } from '../../state/verbs/change.ts';
import type { OpenedElicitation } from '../contract/open.ts';

/**
 * Asks a question, or joins the equal one that this call asked before or, without a call's name, an equal one that
 * waits for approvers. A late copy of an opening with an idempotency key gets the same request, though its call has
 * ended. A policy may decide it at once. If equal requests race, one opens the question and the others
 * join. Problems: `idempotency-mismatch` if a different question has the same name and step, `already-closed` if the
 * call it belongs to has ended, `unsatisfiable` if no one could complete what the policies require, `forbidden` if the
 * key is for other tools.
 */
export async function openElicitation(
  engine: Engine,
  server: ServerCaller,
  opening: OpenRequest,
): Promise<OpenedElicitation> {
  if (!coversTool(server, opening.tool.name))
    throw new Problem('forbidden', { refusal: { code: 'other-tools', values: { tool: opening.tool.name } } });
  refuseCallbackToken(engine.ring, opening);
  const expects = opening.expects && (await withIssuer(engine, server.name, opening.expects));
  if (expects) assertUse(engine, server.name, expects, opening.requester);
  const request = { ...opening, ...(expects && { expects }) };
  const first = await openAsHeld(engine, server, request);
  if (first) return first;
  // A request that lost a race, or was judged by outdated rules, is planned again.
  return retryOnConflict(async () => {
    const snapshot = await engine.rules.snapshot();
    const caller = await currentServer(engine, server); // after the epochs, so that a change between them is noticed
    return act(engine, caller, request, await planOpening(engine, caller, request, snapshot, true));
  });
}

/**
 * Opens a new question, judged by what this node has cached: the statement that stores it checks that nothing has changed.
 * Null if the request is to be joined or refused, or anything has changed: a fresh look decides that.
 */
async function openAsHeld(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
): Promise<OpenedElicitation | null> {
  const snapshot = await engine.rules.latest();
  if (server.proof && server.proof.users !== snapshot.epoch.users) return null;
  const plan = await planOpening(engine, server, request, snapshot, false).catch(nullIfRefused);
  return plan && !plan.joined && !plan.refusal ? act(engine, server, request, plan) : null;
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Problem && error.code !== 'database-unavailable') return null;
  throw error;
}

/** The course of a request: join, refuse, grant or ask. */
interface Plan {
  judged: JudgedRequest;
  name: CallName;
  binding: Binding | null;
  grant: GrantUse | null;
  joined: JoinedCall | null;
  /** Is it joined because the same opening came before? */
  isRepeated: boolean;
  refusal: Problem | null;
}

async function planOpening(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  snapshot: RulesSnapshot,
  isAgain: boolean,
): Promise<Plan> {
  const judged = await judgeRequest(engine, server, request, snapshot);
  const binding = await readBinding(engine, server.id, request, judged.judgement.verdict.audience);
  const name = nameCall(engine, server, request);
  const grant = await findGrant(engine, server, request, judged);
  const refusal = await findRefusal(engine, server, request, judged, grant === null);
  // Under one key the insert itself finds the earlier call; after a rotation its name may be hashed under an older one.
  const isNameUnsure = isAgain || provingKids(engine.ring).length > 1;
  const repeated = isNameUnsure ? await joinRepeated(engine, name) : null;
  const isContinued = Boolean(binding?.boundTo) || request.toolCall !== undefined;
  const isFoundByInsert =
    name.hasName && !isNameUnsure && !isContinued && refusal === null && request.after === undefined;
  const isLeftBehind = leftBehind(engine, server, request, judged.judgement.verdict.audience);
  const joined = isFoundByInsert
    ? null
    : (repeated ?? (await findJoined(engine, name, judged.judgement, { isGranted: grant !== null, isLeftBehind })));
  return { judged, name, binding, grant, joined, isRepeated: repeated !== null, refusal };
}

/** Carries a plan out; null if another request was first, or the rules have changed. */
async function act(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  { judged, name, binding, grant, joined, isRepeated, refusal }: Plan,
): Promise<OpenedElicitation | null> {
  assertSameQuestion(binding, joined?.row?.id);
  assertSameCall(request, joined?.call);
  await assertNotRun(engine, server, request, joined?.call ?? null);
  const { attempt, step } = request;
  if (joined && attempt) await releaseToolCall(engine, server, joined.call, { attempt, step });
  if (joined?.row && !isRepeated) await rememberJoining(engine, name, joined.row.id);
  if (joined?.row) await takeName(engine, server, request, joined.call);
  if (joined?.row) return join(engine, joined.row, { binding, isElsewhere: joined.isElsewhere === true });
  if (refusal) throw refusal; // only now: a repeated request joins even if it would be refused today
  const call = joined?.call ?? null;
  const proven = request.after ? await provenSteps(engine, request.after, call) : [];
  const parts = { ...judged, name, grant, call, proven };
  const opening = await inTurn(() => prepareOpening(engine, server, request, parts));
  return (await engine.transactor.open(opening)) ? finish(engine, server, request, opening, binding) : null;
}

/** Without a name, only a request that would wait for approvers joins one that does. */
function findJoined(
  engine: Engine,
  name: CallName,
  { verdict: { outcome, audience } }: Judgement,
  { isGranted, isLeftBehind }: { isGranted: boolean; isLeftBehind: IsLeftBehind },
): Promise<JoinedCall | null> {
  const waits = outcome === 'require' && audience === 'approvers' && !isGranted;
  return waits && !name.hasName ? joinEqual(engine, name) : joinCall(engine, name, isLeftBehind);
}

async function findRefusal(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  { judgement, now, snapshot }: JudgedRequest,
  /** Whether the request has to wait for a person. */
  waits: boolean,
): Promise<Problem | null> {
  try {
    assertNotStopped(await snapshot.stops(), { serverId: server.id, tool: request.tool.name });
    assertTermsMet(judgement, request, deadlineOf(judgement.verdict, request, now));
    if (waits) await assertNoFlood(engine, server, request, judgement);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** A call that runs once is found by its name after it is settled, too. */
async function assertNotRun(engine: Engine, server: ServerCaller, request: OpenRequest, joined: ToolCallId | null) {
  const name = onceName(engine, server, request);
  if (name && (await engine.onceCalls.hasRun(name, joined))) throw alreadyRan();
}

/** False if another call of this name ran meanwhile. */
async function takeName(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  call: ToolCallId,
): Promise<boolean> {
  const name = onceName(engine, server, request);
  return name === null || engine.onceCalls.take(name, call);
}

const alreadyRan = (): Problem => new Problem('already-executed', { detail: ranOnce });

const ranOnce = 'Use another name for another execution: the call of this name has run, and it runs once.';

function onceName({ ring }: Engine, { id: serverId }: ServerCaller, { once, call, requester }: OpenRequest) {
  if (once !== true) return null;
  if (call === undefined) throw invalidInput(['once'], 'Name the call that runs once, as `call`.');
  return { serverId, keyHashes: lookupHashes(ring, 'idempotency', 'once', serverId, identityKey(requester), call) };
}

/** A caller that continues a call never begins another one, however late it comes. */
function assertSameCall({ toolCall }: OpenRequest, joined: string | undefined): void {
  if (toolCall !== undefined && toolCall !== joined) throw new Problem('already-closed');
}

async function join(
  engine: Engine,
  row: ElicitationRow,
  { binding, isElsewhere }: { binding: Binding | null; isElsewhere: boolean },
): Promise<OpenedElicitation> {
  if (binding) await bindToken(engine, binding, row);
  const code = hasPage(row) ? await renewedPageCode(engine, row) : {};
  const view = { ...(await viewWithInquiry(engine, row)), ...code, joined: true };
  return isElsewhere ? { ...view, isElsewhere } : view;
}

const hasPage = ({ mode, status, audience }: ElicitationRow): boolean =>
  mode === 'url' && status === 'open' && audience === 'requester';

async function finish(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  { elicitation }: Opening,
  binding: Binding | null,
): Promise<OpenedElicitation> {
  if (binding) await bindToken(engine, binding, elicitation).catch((error) => withdraw(engine, elicitation, error));
  const isInside = request.url === undefined && request.expects === undefined;
  const replaces = elicitation.audience === 'requester' && isInside;
  if (!(await takeName(engine, server, request, elicitation.toolCallId)))
    await withdraw(engine, elicitation, alreadyRan());
  const rule = request.supersede ?? (replaces ? 'session' : 'none');
  const superseded = await supersedeOlder(engine, elicitation, rule, request.session, server);
  const row = superseded ?? rowOf(elicitation, server.name);
  return { ...viewElicitation(engine, row), ...(hasPage(row) && firstPageCode(engine, row)), joined: false };
}

/** The token was taken by a question asked at the same moment, so this question is closed again. */
async function withdraw(engine: Engine, { id, serverId }: Opening['elicitation'], error: unknown): Promise<never> {
  await cancelElicitation(engine, wholeServer(serverId), id, 'superseded');
  throw error;
}

/** Seconds after which a retry may succeed. */
const retryAfter = 30;

/**
 * Refuses requests that would flood people, with problem `rate-limited`. Counts are kept for a second, so requests at
 * the same moment, or at other nodes, may pass a limit together.
 */
async function assertNoFlood(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  { verdict, stages }: Judgement,
): Promise<void> {
  // No flood of other requests may keep administrators from their own.
  if (verdict.outcome !== 'require' || server.id === ownServer.id) return;
  const { perServer, perRequester } = engine.limits;
  const requester = principalHashes(engine.ring, server.id, request.requester);
  const [ofServer, ofRequester] = await Promise.all([
    engine.load.ofServer(server.id, perServer),
    engine.load.ofRequester(requester[0] ?? Buffer.alloc(0), perRequester),
  ]);
  if (ofServer >= perServer) throw tooMany(`${perServer} requests of this server are open.`);
  if (ofRequester >= perRequester) throw tooMany(`${perRequester} requests of this requester are open.`);
  const [first] = stages;
  if (first) await assertNotOverloaded(engine, first);
}

const tooMany = (what: string): Problem =>
  new Problem('rate-limited', { detail: `Wait until some requests are decided: ${what}`, retryAfter });

async function assertNotOverloaded({ load, limits }: Engine, { groups }: Judgement['stages'][number]): Promise<void> {
  for (const { approvers } of groups) {
    if (approvers === 'anyone' || !(await load.areFull(approvers, limits.perApprover))) continue;
    throw tooMany(`each person who may decide has ${limits.perApprover} open requests.`);
  }
}

/** The keyed hashes by which this call is found again; they tell a reader of the database nothing. */
export function nameCall({ ring }: Engine, server: ServerCaller, request: OpenRequest): CallName {
  const parts = [server.id, identityKey(request.requester), request.call ?? randomSecret()];
  const content = whatIsAsked(request);
  const { title, description } = request.tool;
  return {
    server: server.id,
    step: request.step,
    parts,
    request: content,
    undescribed: { title, description, content: whatIsAsked(withoutDescription(request)) },
    atAddress: request.url === undefined ? null : (url) => whatIsAsked({ ...request, url, elicitationId: undefined }),
    keyHash: lookupHash(ring, 'idempotency', ...parts),
    requestHash: lookupHash(ring, 'idempotency', content),
    hasName: request.call !== undefined,
    openings: openingIds(ring, server, request),
    equalParts: ['equal', server.id, content, whatIsJudged(request)],
  };
}

/** An idempotency key counts per server, requester, call and step. */
function openingIds(ring: KeyRing, server: ServerCaller, request: OpenRequest): OpeningIds[] {
  const { idempotencyKey, requester, call, step } = request;
  if (idempotencyKey === undefined) return [];
  const parts = ['opening', server.id, identityKey(requester), call ?? '', step, idempotencyKey];
  return lookupHashes(ring, 'idempotency', ...parts).map((hash) => ({
    id: idFrom('elicitation', hash.subarray(0, 16)),
    call: idFrom('toolCall', hash.subarray(16)),
  }));
}

const withoutDescription = ({
  tool: { title: _title, description: _description, ...tool },
  ...request
}: OpenRequest) => ({
  ...request,
  tool,
});

/** A retry must repeat this to be the same question: the run and the message. The model's reason may change. */
function whatIsAsked({ tool, requester, message, mode, schema, url, elicitationId, ...request }: OpenRequest): string {
  const { name, title, description, reaches, schemaDigest = null, annotations = null } = tool;
  const run = runDigest({
    tool: name,
    title,
    description,
    reaches,
    schemaDigest,
    annotations,
    arguments: request.arguments,
    requester,
  });
  // A retry brings a token of its own, also within its address.
  const address = elicitationId === undefined ? url : url?.replaceAll(elicitationId, '{token}');
  const { completedBy = null, state, expects, after } = request;
  const more = { ...(state === false && { state }), ...(expects && { expects }), ...(after && { after }) };
  return canonicalJson({ run, message, mode, schema: schema ?? null, url: address ?? null, completedBy, ...more });
}

/**
 * Other parts that people see and policies judge: the tool's title, who verified the requester, the key facts, the
 * audience, the start, and whether edits are accepted.
 */
function whatIsJudged({ tool, requester, facts, audience, notBefore, takesEdits = false }: OpenRequest): string {
  const { title, description } = tool;
  const { verifiedBy } = requester;
  const judged = { title, description, verifiedBy, facts, audience, notBefore, takesEdits };
  return canonicalJson(JSON.parse(JSON.stringify(judged)));
}

/**
 * INVALID_INPUT, at its place, if what the author gives people to read holds a callback token in any spelling: anyone
 * who reads one can report that they have paid.
 */
function refuseCallbackToken(ring: KeyRing, request: OpenRequest): void {
  const { url, message, schema, facts, reason } = request;
  const errors = callbackFaults({ url, message, schema, facts, reason }, (token) => isCallbackToken(ring, token));
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}

/**
 * One pending question to a person at a time: the newest stays, the others resolve as cancelled. The next question of a
 * session does not end one with an outside address: its person may be paying there.
 * Each opening looks after its own commit, so the last of several racing openings sees all. A key
 * replaces only what it opens. Returns the state of the opened question if a newer one replaced it, otherwise null.
 */
async function supersedeOlder(
  engine: Engine,
  opened: NewElicitation,
  rule: 'session' | 'call' | 'none',
  session: string | undefined,
  scope: KeyScope,
): Promise<ElicitationRow | null> {
  const rows = await pendingUnder(engine, opened, rule, session);
  const pending = rows.filter((row) => row.status === 'open' && !isForeign(row, scope));
  const newest = pending.reduce<Asked>((first, other) => (isOlder(first, other) ? other : first), opened);
  for (const { id } of pending.filter((row) => row.id !== newest.id)) {
    await cancelElicitation(engine, scope, id, 'superseded').catch(ignoreClosed);
  }
  return newest.id === opened.id ? null : engine.reader.elicitation(opened.id);
}

async function pendingUnder(
  { reader, ring }: Engine,
  { serverId, toolCallId }: NewElicitation,
  rule: 'session' | 'call' | 'none',
  session: string | undefined,
): Promise<ElicitationRow[]> {
  if (rule === 'call') return reader.callElicitations(toolCallId);
  if (rule === 'none' || session === undefined) return [];
  const rows = await reader.openInSession(serverId, lookupHashes(ring, 'session', serverId, session));
  return rows.filter((row) => !readable(() => leadsOut(ring, row)));
}

function leadsOut(ring: KeyRing, row: ElicitationRow): boolean {
  if (row.mode !== 'url' || row.audience !== 'requester') return false;
  const { url, expects } = openQuestion(ring, row);
  return url !== null || expects !== undefined;
}

type Asked = Pick<ElicitationRow, 'id' | 'openedAt'>;

const isOlder = (first: Asked, other: Asked): boolean =>
  first.openedAt < other.openedAt || (first.openedAt === other.openedAt && first.id < other.id);

/** It was answered in between, and that answer is kept. */
function ignoreClosed(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'already-closed')) throw error;
}
