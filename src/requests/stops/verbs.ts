import { auditEntry } from '#audit/entries/rules/entry';
import { assertMayIn, assertMay, assertMayOfOwn, maySeeOwned } from '#people/directory/verbs/may';
import { newId } from '#platform/crypto/random';
import type { StopId, ElicitationId, ServerId, UserId } from '#platform/model/id';
import type { Alone, User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { StopRecord } from './store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { timeAfter } from '#platform/nodes/verbs/lists';
import {
  actorOf,
  guardPower,
  issuerOf,
  type Administrator,
  type DirectoryEngine,
  type Scope,
  serverNamed,
} from '#people/directory/verbs/directory';
import { sha256Hex } from '#platform/crypto/digest';
import { ownServer } from '#platform/model/names';
import type { ChangingEngine } from '../state/verbs/change.ts';
import { endStopped } from '../state/verbs/end.ts';
import { isInScope } from './contract/stop.ts';
import type { MakeStop, Stop } from './contract/stops.ts';

/**
 * Lifts a stop. Someone else than the one who made the stop does it: problem `forbidden` for them, `not-now` if it is
 * already lifted. The operator's terminal counts as one person.
 */
export async function liftStop(
  engine: Pick<Engine, 'stops'> & DirectoryEngine,
  by: Administrator,
  id: StopId,
): Promise<Stop & { alone: Alone | null }> {
  const user = issuerOf(by);
  const { stop, scope } = await findLiftable(engine, by, id);
  if (stop.stoppedBy === user) throw new Problem('forbidden', { refusal: { code: 'lift-by-other' } });
  if (stop.liftedAt !== null) throw alreadyLifted();
  const { also, alone } = guardPower(engine, by, scope);
  const at = timeAfter(engine, stop.at);
  const entry = auditEntry(newId('entry'), at, actorOf(by), { type: 'stop.lifted', stop: id });
  if (!(await engine.stops.lift(stop, user, entry, also))) throw alreadyLifted();
  return { ...(await showStop(engine, id)), alone: alone() };
}

/** The stop, and what it takes to lift it; of a server of another space no more is said than of an absent one. */
export async function findLiftable(
  { stops, directory }: Pick<Engine, 'stops' | 'directory'>,
  by: Administrator,
  id: StopId,
): Promise<{ stop: StopRecord; scope: Scope }> {
  const [stop, record] = await Promise.all([stops.find(id), directory.read()]);
  const scope: Scope = {
    permission: 'stop-calls',
    space: ({ servers }) => servers.find((server) => server.id === stop?.serverId)?.spaceId,
  };
  assertMayIn(record, by, scope.permission, scope.space(record));
  if (!stop) throw new Problem('not-found');
  return { stop, scope };
}

const alreadyLifted = (): Problem => new Problem('not-now', { refusal: { code: 'already-lifted' } });

export type StopEngine = ChangingEngine & Pick<Engine, 'stops' | 'directory'>;

/** Requests that are ended together. */
const batchSize = 50;

/**
 * The kill switch. When it resolves, no node opens or claims anything in its scope, and open requests have ended; a run
 * that was claimed before continues. Problem `forbidden` for anyone but those who may stop
 * calls, everywhere or in the server's space, and its owner.
 */
export async function stopCalls(
  engine: StopEngine,
  by: Administrator,
  { server, tool, reason }: MakeStop,
): Promise<Stop & { ended: number }> {
  const serverId = server === undefined ? null : await findServer(engine, by, server);
  if (serverId === null) assertMay(by, 'stop-calls');
  const scope = { serverId, tool: tool ?? null };
  const id = newId('stop');
  const at = engine.now();
  const reasonDigest = sha256Hex(reason);
  const event = { type: 'stop.made', stop: id, server: serverId, tool: scope.tool, said: reasonDigest } as const;
  const stoppedBy = issuerOf(by);
  const stop = { id, ...scope, reason, stoppedBy, at };
  const open = await engine.stops.make(stop, auditEntry(newId('entry'), at, actorOf(by), event));
  return { ...(await showStop(engine, id)), ended: await endAll(engine, open) };
}

async function findServer({ directory }: StopEngine, by: Administrator, name: string): Promise<ServerId> {
  const record = await directory.read();
  const servers = record.servers.filter(({ id }) => id !== ownServer.id);
  assertMayOfOwn(
    record,
    by,
    'stop-calls',
    servers.find((server) => server.name === name),
  );
  return serverNamed(servers, name);
}

/** A request that cannot be ended now becomes due, and is ended as soon as possible. */
async function endAll(engine: StopEngine, ids: ElicitationId[]): Promise<number> {
  let ended = 0;
  for (let from = 0; from < ids.length; from += batchSize) {
    const rows = await Promise.allSettled(ids.slice(from, from + batchSize).map((id) => endStopped(engine, id)));
    ended += rows.filter((row) => row.status === 'fulfilled' && row.value.status === 'cancelled').length;
  }
  return ended;
}

/** Throws problem `stopped` if a stop covers this tool of this server; callers get the administrator's reason. */
export function assertNotStopped(stops: readonly StopRecord[], call: { serverId: ServerId; tool: string }): void {
  const stop = stops.find((stop) => isInScope(stop, call));
  if (stop)
    throw new Problem('stopped', { detail: `Wait until an administrator lifts the stop. Its reason: ${stop.reason}` });
}

type Reading = Pick<Engine, 'stops'>;

const shownStops = 200;

/** All stops, those in force first; for a person, without those of servers that they do not see. */
export async function listStops(
  { stops, directory }: Reading & Pick<Engine, 'directory'>,
  reader: User | 'operator',
): Promise<Stop[]> {
  const [all, record] = await Promise.all([stops.list(shownStops), directory.read()]);
  const isSeen = ({ serverId }: StopRecord): boolean => {
    const server = record.servers.find(({ id }) => id === serverId);
    return reader === 'operator' || !server || maySeeOwned(record, reader, server);
  };
  return all.filter(isSeen).map(toShownStop);
}

async function showStop({ stops }: Reading, id: StopId): Promise<Stop> {
  const stop = await stops.find(id);
  if (!stop) throw new Problem('not-found');
  return toShownStop(stop);
}

/** A person of null is the operator. */
const toShownStop = (stop: StopRecord) => ({
  id: stop.id,
  server: stop.serverName,
  tool: stop.tool,
  reason: stop.reason,
  by: named(stop.stoppedBy, stop.stoppedByName),
  at: stop.at,
  lifted: stop.liftedAt === null ? null : { by: named(stop.liftedBy, stop.liftedByName), at: stop.liftedAt },
});

const named = (id: UserId | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });
