import { inTurn } from '#platform/crypto/in-turns';
import { lookupHashes } from '#platform/crypto/key-ring';
import { provingKids } from '#platform/crypto/key-ring';
import type { ServerCaller } from '#people/directory/contract/user';
import type { ToolCallId } from '#platform/model/id';
import { identityKey } from '#platform/model/identity';
import { invalidInput, Problem } from '#platform/model/problem';
import { rowOf, type ElicitationRow } from '../../../state/store/row/row.ts';
import type { Opening } from '../../store/opening/opening-statement.ts';
import { bindToken, readBinding, assertSameQuestion, type Binding } from '../../../pages/verbs/callback/bind-token.ts';
import { cancelElicitation } from '../../../state/verbs/end/cancel-elicitation.ts';
import { viewElicitation, viewWithInquiry, type ElicitationView } from '../view/elicitation-view.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { coversTool, wholeServer } from '#people/directory/verbs/scope';
import { firstPageCode, renewedPageCode } from '../../../pages/verbs/proof/page-code.ts';
import {
  joinCall,
  joinEqual,
  joinRepeated,
  leftBehind,
  rememberJoining,
  type CallName,
  type IsLeftBehind,
  type JoinedCall,
} from '../prepare/join-call.ts';
import { judgeRequest, type JudgedRequest } from '#policies/deciding/verbs/judge';
import type { Judgement } from '#policies/deciding/verbs/judge';
import { nameCall } from './name-call.ts';
import type { OpenRequest } from '#policies/deciding/verbs/open';
import { deadlineOf, prepareOpening } from '../prepare/prepare-opening.ts';
import { assertNoFlood } from './assert-no-flood.ts';
import { assertTermsMet } from '#policies/deciding/verbs/judge';
import { currentServer } from '#access/keys/verbs/keys';
import { findGrant, type GrantUse } from '../../../grants/verbs/use-grant.ts';
import type { RulesSnapshot } from '#policies/deciding/verbs/rules';
import { assertNotStopped } from '../../../stops/verbs/assert-not-stopped.ts';
import { refuseCallbackToken } from './refuse-callback-token.ts';
import { supersedeOlder } from './supersede.ts';
import { releaseToolCall } from '../../../claims/verbs/end/end-call.ts';

/**
 * Asks a question, or joins the equal one that this call asked before or, without a call's name, an equal one that
 * waits for approvers. A late copy of an opening with an idempotency key gets the same request, though its call has
 * ended. A policy may decide it at once. If equal requests race, one opens the question and the others
 * join. Problems: `idempotency-mismatch` if a different question has the same name and step, `already-closed` if the
 * call it belongs to has ended, `unsatisfiable` if no one could complete what the policies require, `forbidden` if the
 * key is for other tools.
 */
export async function openElicitation(engine: Engine, server: ServerCaller, request: OpenRequest): Promise<OpenedView> {
  if (!coversTool(server, request.tool.name))
    throw new Problem('forbidden', { refusal: { code: 'other-tools', values: { tool: request.tool.name } } });
  refuseCallbackToken(engine.ring, request);
  const first = await openAsHeld(engine, server, request);
  if (first) return first;
  for (let lost = 0; lost < maxTries; lost += 1) {
    const snapshot = await engine.rules.snapshot();
    const caller = await currentServer(engine, server); // after the epochs, so that a change between them is noticed
    const plan = await planOpening(engine, caller, request, snapshot, true);
    const view = await act(engine, caller, request, plan);
    if (view) return view;
  }
  throw new Problem('write-conflict');
}

/** A request that lost a race, or was judged by outdated rules, is planned again, at most this many times. */
const maxTries = 20;

/**
 * Opens a new question, judged by what this node has cached: the statement that stores it checks that nothing has changed.
 * Null if the request is to be joined or refused, or anything has changed: a fresh look decides that.
 */
async function openAsHeld(engine: Engine, server: ServerCaller, request: OpenRequest): Promise<OpenedView | null> {
  const snapshot = await engine.rules.latest();
  if (server.proof && server.proof.users !== snapshot.epoch.users) return null;
  const plan = await planOpening(engine, server, request, snapshot, false).catch(nullIfRefused);
  return plan && !plan.joined && !plan.refusal ? act(engine, server, request, plan) : null;
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Problem && error.code !== 'database-unavailable') return null;
  throw error;
}

/** What to do with a request now: join, refuse, grant or ask. */
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
  const isFoundByInsert = name.hasName && !isNameUnsure && !isContinued && refusal === null;
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
): Promise<OpenedView | null> {
  assertSameQuestion(binding, joined?.row?.id);
  assertSameCall(request, joined?.call);
  await assertNotRun(engine, server, request, joined?.call ?? null);
  const { attempt, step } = request;
  if (joined && attempt) await releaseToolCall(engine, server, joined.call, { attempt, step });
  if (joined?.row && !isRepeated) await rememberJoining(engine, name, joined.row.id);
  if (joined?.row) await takeName(engine, server, request, joined.call);
  if (joined?.row) return join(engine, joined.row, { binding, isElsewhere: joined.isElsewhere === true });
  if (refusal) throw refusal; // only now: a repeated request joins even if it would be refused today
  const parts = { ...judged, name, grant, call: joined?.call ?? null };
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

/** `code` only if the requester is sent to a page that asks for it. */
type OpenedView = ElicitationView & { joined: boolean; isElsewhere?: boolean; code?: string };

async function join(
  engine: Engine,
  row: ElicitationRow,
  { binding, isElsewhere }: { binding: Binding | null; isElsewhere: boolean },
): Promise<OpenedView> {
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
): Promise<OpenedView> {
  if (binding) await bindToken(engine, binding, elicitation).catch((error) => withdraw(engine, elicitation, error));
  const replaces = elicitation.audience === 'requester' && request.url === undefined;
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
