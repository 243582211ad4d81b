import { timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '#platform/crypto/key-ring';
import { lookupHashes } from '#platform/crypto/key-ring';
import type { Audience } from '../../contract/elicitation.ts';
import type { ElicitationId, ServerId, ToolCallId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { tokensIn } from '#platform/text/visible-text';
import type { ServerCaller } from '#people/directory/contract/user';
import type { OpenCall } from '../../store/reader/reader.ts';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { OpenRequest } from '#policies/deciding/verbs/open';
import { wholeServer } from '#people/directory/verbs/scope';
import { cancelElicitation } from '../../../state/verbs/end/cancel-elicitation.ts';
import { openQuestion } from '../question/sealed-question.ts';
import { markCaller } from '../view/mark-caller.ts';
import { currentElicitation } from '../../../state/verbs/change/change.ts';
import { settleStale, settleUnclaimed } from '../../../claims/verbs/end/end-call.ts';
import { isStale } from '../../../claims/verbs/claim/find-call.ts';

/** How a call is found again: by its keyed hash, never by its name. */
export interface CallName {
  server: ServerId;
  step: string;
  parts: string[];
  keyHash: Buffer;
  request: string;
  requestHash: Buffer;
  /** The same question with another outside address; null if it has none. */
  atAddress: ((url: string) => string) | null;
  /** As it was before the tool's title and description were part of it, with both. */
  undescribed: { content: string; title: string | undefined; description: string | undefined };
  /** The caller's name for it; without a name it is found by its content. */
  hasName: boolean;
  /** Everything that people see and policies judge. */
  equalParts: string[];
  /** What an opening with this idempotency key becomes, under the active key of the ring first; none without one. */
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

/** What this very opening became, or joined within the last day, whatever has become of its call; null if nothing. */
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

/** The same name with another question is an error. */
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
