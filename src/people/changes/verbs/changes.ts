import type { ElicitationId, UserId } from '#platform/model/id';
import { ownServer } from '#platform/model/names';
import type { User } from '../../directory/contract/user.ts';
import { openElicitation } from '#requests/asking/verbs/ask';
import type { Engine } from '#platform/nodes/verbs/engine';
import { wholeServer } from '../../directory/verbs/scope.ts';
import { addBuiltInServer, needsSecond, type TokenCaller } from '../../directory/verbs/directory.ts';
import {
  formatUser,
  changeKinds,
  type ChangeName,
  type Done,
  type ChangeInput,
  type ChangeKind,
  isChangeName,
} from './kinds.ts';
import { Problem, type ProblemCode } from '#platform/model/problem';
import type { RefusalCode } from '#requests/inbox/contract/refusal';
import { inSequence } from '#platform/database/database';
import type { ElicitationRow } from '#requests/state/store/row';
import type { NextCall } from '#requests/claims/store';
import { claimToolCall, findCall, isStale, moveCall, movingCall, type FoundCall } from '#requests/claims/verbs/claim';
import { runDigest, runOf, openQuestion, ownerOf } from '#requests/asking/verbs/question';
import { castVote, type Vote } from '#requests/voting/verbs';
import { readEntry } from '#audit/entries/rules/entry';
import { may } from '../../directory/contract/permission.ts';
import { currentElicitation } from '#requests/state/verbs/change';

/** A change that was made, or the request that waits for a second administrator. */
export type Change<D> = { done: D; waits: null } | { done: null; waits: ElicitationId };

/**
 * Makes a change of who may decide if one administrator is enough for it. If not, asks a second one, and makes at once
 * what only takes power away, unless that is too much for one.
 */
export async function requestChange<N extends ChangeName>(
  engine: Engine,
  by: User | TokenCaller,
  name: N,
  change: ChangeInput<N>,
): Promise<Change<Done<N>>> {
  const kind = changeKinds[name] as unknown as ChangeKind<ChangeInput<N>, Done<N>>;
  try {
    return { done: await kind.act(engine, by, change), waits: null };
  } catch (error) {
    if (!needsSecond(error)) throw error;
  }
  const { taking, giving } = kind.split(await engine.directory.read(), change);
  const isTaken = taking !== null && (await isMade(() => kind.act(engine, by, taking)));
  const left = taking === null || isTaken ? giving : change;
  return { done: null, waits: await ask(engine, by, name, kind.describe(await engine.directory.read(), left)) };
}

/** False if it takes so much that a second administrator must accept that as well. */
async function isMade(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (needsSecond(error)) return false;
    throw error;
  }
}

/** A repeated request joins the one that waits. */
async function ask(
  engine: Engine,
  by: User | TokenCaller,
  name: ChangeName,
  { title, message, facts }: ReturnType<ChangeKind<never, unknown>['describe']>,
): Promise<ElicitationId> {
  const person = by.kind === 'token' ? by.maker : by;
  await addBuiltInServer(engine, person, ownServer);
  // The person who issued their credential could be the requester.
  const server = {
    kind: 'server',
    ...wholeServer(ownServer.id),
    ...ownServer,
    maker: person.credentialIssuer ?? person.id,
  } as const;
  const { id } = await openElicitation(engine, server, {
    tool: { name, title, annotations: { destructiveHint: true } },
    arguments: facts as Record<string, unknown>,
    message: by.kind === 'token' ? `${message}\n\nA program asks for it with the ${formatToken(by)}.` : message,
    mode: 'form',
    audience: 'approvers',
    requester: {
      issuer: ownServer.name,
      subject: person.email,
      verified: true,
      verifiedBy: ownServer.name,
      ...(by.kind === 'token' && { client: { name: `token ${by.name} (${by.id})` } }),
    },
    session: sessionOf(by),
    step: '0',
  });
  return id;
}

const formatToken = ({ id, name, maker }: TokenCaller): string =>
  `token ${name} (${id}), which ${formatUser(maker)} made`;

/** Every node applies under the same name, so that another one continues when one dies. */
const attempt = ownServer.name;

/** Counts a vote. If it completes the agreement on a change of power, the change is made now, or by the next look. */
export async function voteAndApply(engine: Engine, user: User, id: ElicitationId, vote: Vote): Promise<ElicitationRow> {
  const row = await castVote(engine, user, id, vote);
  if (row.serverId === ownServer.id && row.status === 'accepted') await applyChange(engine, row).catch(() => {});
  return row;
}

/** Makes the changes that were accepted and not yet made. One that cannot be read keeps no other from being made. */
export async function applyAccepted(engine: Engine): Promise<void> {
  const failures: unknown[] = [];
  for (const id of await engine.reader.acceptedUnused(ownServer.id)) {
    await applyById(engine, id).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function applyById(engine: Engine, id: ElicitationId): Promise<void> {
  const row = await engine.reader.elicitation(id);
  if (row) await applyChange(engine, row);
}

/**
 * Makes an accepted change at most once: in one commit with the end of its claim, if people and policies would still
 * accept it and everything is as the request says. Otherwise its entry says why it was not made.
 */
async function applyChange(engine: Engine, row: ElicitationRow): Promise<void> {
  const invocation = await claim(engine, row);
  if (!invocation) return;
  try {
    if (!isChangeName(row.tool)) throw new Problem('not-found');
    await changeKinds[row.tool].apply(engine, await agreementOn(engine, row, invocation), factsIn(engine, row));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await end(engine, invocation, error.refusal?.code ?? 'change-outdated');
  }
}

/** Null if it was applied, lapsed or revoked meanwhile. */
async function claim(engine: Engine, row: ElicitationRow): Promise<FoundCall | null> {
  const run = runDigest(runOf(row.tool, openQuestion(engine.ring, row)));
  try {
    await claimToolCall(engine, wholeServer(ownServer.id), row.toolCallId, { attempt, run });
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const invocation = await findCall(engine, wholeServer(ownServer.id), row.toolCallId);
  if (invocation.call.state === 'open' && isStale(invocation.rows, engine.now()))
    await end(engine, invocation, 'change-too-late');
  // Another node that has made it meanwhile has settled the call.
  return invocation.call.state === 'claimed' ? invocation : null;
}

const used: Omit<NextCall, 'claimedAt'> = { state: 'settled', attempt, result: null };

async function agreementOn(engine: Engine, row: ElicitationRow, invocation: FoundCall) {
  const token = await tokenOfSession(engine, ownerOf(engine.ring, row).session);
  const move = movingCall(
    engine,
    invocation,
    { ...used, claimedAt: invocation.call.claimedAt },
    { type: 'call.applied', attempt },
  );
  const also = inSequence(token ? engine.adminTokens.unrevoked(token.id) : undefined, move);
  return {
    kind: 'agreement' as const,
    id: token?.makerId ?? (ownerOf(engine.ring, row).session as UserId),
    ...(token && { token }),
    with: row.state.context.votes.filter(({ action }) => action === 'accept').map(({ by }) => by as UserId),
    request: row.id,
    also,
  };
}

/** Canonical JSON: the bytes that people read. */
const factsIn = ({ ring }: Engine, row: ElicitationRow): object =>
  JSON.parse(openQuestion(ring, row).arguments) as object;

/** Not made, and never will be. The node that was quicker has said how it ended. */
async function end(engine: Engine, invocation: FoundCall, refused: RefusalCode): Promise<void> {
  const next = { ...used, claimedAt: invocation.call.claimedAt };
  await moveCall(engine, invocation, () => next, { type: 'call.applied', attempt, refused });
}

/** Everything else is a fault: the next look tries again. */
const isRefusal = (error: unknown): error is Problem => error instanceof Problem && !faults.includes(error.code);

const faults: readonly ProblemCode[] = [
  'database-unavailable',
  'internal',
  'policy-unreadable',
  'sealed-unreadable',
  'shutting-down',
  'unproven',
  'write-conflict',
];

interface ChangeProgress {
  state: 'waiting' | 'accepted' | 'made' | 'refused' | 'not-made';
  /** Why it was not made. */
  because: RefusalCode | null;
}

/** State of a change; problem `not-found` for anyone but who asked for it, and administrators. */
export async function showChange(engine: Engine, by: User | TokenCaller, id: ElicitationId): Promise<ChangeProgress> {
  const stored = await engine.reader.elicitation(id);
  if (stored?.serverId !== ownServer.id) throw new Problem('not-found');
  const isAdministrator = by.kind === 'user' && may(by, 'change-directory');
  if (!isAdministrator && ownerOf(engine.ring, stored).session !== sessionOf(by)) throw new Problem('not-found');
  const { status } = await currentElicitation(engine, id);
  if (status === 'open') return { state: 'waiting', because: null };
  if (status !== 'accepted') return { state: 'refused', because: null };
  const events = (await engine.reader.history(id)).map(readEntry);
  const applied = events.flatMap((event) => (event.type === 'call.applied' ? [event] : [])).at(-1);
  if (!applied) return { state: 'accepted', because: null };
  return { state: applied.refused ? 'not-made' : 'made', because: applied.refused ?? null };
}

const prefix = 'admin-token ';

/** Name of the person or program who asked for a change: a person's id, or the id of a program's token. */
export const sessionOf = ({ kind, id }: User | TokenCaller): string => (kind === 'token' ? `${prefix}${id}` : id);

/** The token with which a program asked; null if a person did. Problem `forbidden` if it was revoked since. */
async function tokenOfSession(
  { adminTokens }: Pick<Engine, 'adminTokens'>,
  session: string,
): Promise<{ id: string; name: string; makerId: UserId } | null> {
  if (!session.startsWith(prefix)) return null;
  const token = await adminTokens.byKid(session.slice(prefix.length));
  if (!token) throw new Problem('forbidden', { refusal: { code: 'change-outdated' } });
  return { id: token.kid, name: token.name, makerId: token.makerId };
}
