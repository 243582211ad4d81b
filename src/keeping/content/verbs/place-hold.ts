import { requesterHashes, showHold } from './holds.ts';
import { auditEntry, type HoldPlaced } from '#audit/entries/rules/entry';
import type { HoldId, ServerId } from '#platform/model/id';
import { Problem, invalidInput } from '#platform/model/problem';
import type { Alone } from '#people/directory/contract/user';
import { sha256Hex } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import { actorOf, guardPower, type Administrator, serverNamed } from '#people/directory/verbs/directory';
import type { KeepingEngine } from './erase.ts';
import type { Hold } from '../contract.ts';

/** To hold everything of a requester, name any request of theirs that can still be read. */
export type HoldRequest = Pick<Hold, 'scope' | 'request' | 'server' | 'reason'>;

/**
 * Places a legal hold: nothing in its scope is erased from then on, by people or by retention, until two people release it. Has
 * the problems of `guardPower`.
 */
export async function placeHold(
  engine: KeepingEngine,
  by: Administrator,
  request: HoldRequest,
): Promise<Hold & { alone: Alone | null }> {
  const { also, alone } = guardPower(engine, by, 'hold-content');
  const id = newId('hold');
  const { reason } = request;
  const reasonDigest = sha256Hex(reason);
  const event = { type: 'hold.placed', hold: id, said: reasonDigest, ...(await scopeOf(engine, request)) } as const;
  await engine.holds.place({ id, reason }, auditEntry(newId('entry'), engine.now(), actorOf(by), event), also);
  return { ...(await showHold(engine, id)), alone: alone() };
}

/** Ends a hold. Problem `not-now` if it was released before, and the problems of `guardPower`. */
export async function releaseHold(
  engine: KeepingEngine,
  by: Administrator,
  id: HoldId,
): Promise<Hold & { alone: Alone | null }> {
  const { also, alone } = guardPower(engine, by, 'hold-content');
  await showHold(engine, id);
  const entry = auditEntry(newId('entry'), engine.now(), actorOf(by), { type: 'hold.released', hold: id });
  if (!(await engine.holds.release(id, entry, also))) throw alreadyReleased();
  return { ...(await showHold(engine, id)), alone: alone() };
}

const alreadyReleased = (): Problem => new Problem('not-now', { refusal: { code: 'hold-released' } });

type Scope = Pick<HoldPlaced, 'scope' | 'request' | 'server'>;

async function scopeOf(engine: KeepingEngine, { scope, request, server }: HoldRequest): Promise<Scope> {
  if (scope === 'everything') return { scope };
  if (scope === 'server') return { scope, server: await findServer(engine, server) };
  if (request === null) throw invalidInput(['request'], 'Name the request.');
  if (!(await engine.reader.elicitation(request))) throw new Problem('not-found');
  if (scope === 'requester' && !(await requesterHashes(engine, request)))
    throw invalidInput(['request'], 'Name a request that can still be read: this one does not tell who asked it.');
  return { scope, request };
}

async function findServer({ directory }: KeepingEngine, name: string | null): Promise<ServerId> {
  if (name === null) throw invalidInput(['server'], 'Name the server.');
  const { servers } = await directory.read();
  return serverNamed(servers, name);
}
