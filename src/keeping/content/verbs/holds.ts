import type { Actor } from '#audit/entries/rules/entry';
import type { HoldId, UserId, ElicitationId, ServerId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { Act, HoldRecord } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { principalHashes } from '#platform/crypto/key-ring';
import { equalBytes } from '#platform/crypto/random';
import { readable } from '#requests/state/verbs/change';
import { openQuestion } from '#requests/asking/verbs/question';
import type { Hold } from '../contract.ts';

type Reading = Pick<Engine, 'holds' | 'users' | 'directory'>;
type Names = ReadonlyMap<string, string>;

/** Every legal hold, those in force first. */
export async function listHolds(engine: Reading): Promise<Hold[]> {
  const holds = await engine.holds.list();
  const acts = holds.flatMap(({ placed, released }) => [placed, released].flatMap((act) => act ?? []));
  const names = await engine.users.names(acts.flatMap(({ actor }) => deciders(actor)));
  const { servers } = await engine.directory.read();
  const namesById = new Map([...names, ...servers.map(({ id, name }) => [id, name] as const)]);
  const shown = holds.map((hold) => toShownHold(hold, namesById));
  return [...shown.filter(({ released }) => !released), ...shown.filter(({ released }) => released)];
}

/** One hold; problem `not-found` if there is none. */
export async function showHold(engine: Reading, id: HoldId): Promise<Hold> {
  const hold = (await listHolds(engine)).find((shown) => shown.id === id);
  if (!hold) throw new Problem('not-found');
  return hold;
}

/** Deciders of an entry, the one who asked first. None if it was the operator. */
export const deciders = (actor: Actor): UserId[] =>
  actor.kind === 'user' ? [actor.id, ...(actor.agreed?.with ?? [])] : [];

const toShownHold = ({ id, scope, request, server, reason, placed, released }: HoldRecord, names: Names): Hold => ({
  id,
  scope,
  request: request ?? null,
  server: server ? (names.get(server) ?? null) : null,
  reason,
  placed: placed && toShownAct(placed, names),
  released: released && toShownAct(released, names),
});

const toShownAct = ({ actor, at }: Act, names: Names) => ({
  at,
  by: deciders(actor).map((id) => names.get(id) ?? ''),
});

type HoldReading = Pick<Engine, 'reader' | 'ring'>;
/** Matches a request, or a passed call, which no hold on a request covers. */
type IsMatch = (content: { id: string; serverId: ServerId; requesterHash: Uint8Array | null }) => boolean;

/** Does any of these holds keep this content? A hold whose requester cannot be read keeps everything. */
export async function keptByHolds(engine: HoldReading, inForce: HoldRecord[]): Promise<IsMatch> {
  const keeps = await Promise.all(inForce.map((hold) => keptBy(engine, hold)));
  return (content) => keeps.some((keep) => keep(content));
}

async function keptBy(engine: HoldReading, { scope, request, server }: HoldRecord): Promise<IsMatch> {
  if (scope === 'request') return ({ id }) => id === request;
  if (scope === 'server') return ({ serverId }) => serverId === server;
  const hashes = scope === 'requester' && request ? await requesterHashes(engine, request) : null;
  if (!hashes) return () => true;
  return ({ serverId, requesterHash: own }) =>
    own !== null && hashes(serverId).some((hash) => equalBytes(hash, Buffer.from(own)));
}

/** Hashes of this request's requester at a server; null if the request cannot be read. */
export async function requesterHashes(
  { reader, ring }: HoldReading,
  id: ElicitationId,
): Promise<((server: ServerId) => Buffer[]) | null> {
  const row = await reader.elicitation(id);
  const requester = row && readable(() => openQuestion(ring, row))?.requester;
  if (!requester) return null;
  return (server) => principalHashes(ring, server, requester);
}
