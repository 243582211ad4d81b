import type { Actor } from '#audit/entries/rules/entry';
import type { HoldId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { Act, HoldRecord } from '../../store/stored-hold.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

type Reading = Pick<Engine, 'holds' | 'users' | 'directory'>;
type Names = ReadonlyMap<string, string>;

export type ShownHold = ReturnType<typeof toShownHold>;

/** Every legal hold, those in force first. */
export async function listHolds(engine: Reading): Promise<ShownHold[]> {
  const holds = await engine.holds.list();
  const acts = holds.flatMap(({ placed, released }) => [placed, released].flatMap((act) => act ?? []));
  const names = await engine.users.names(acts.flatMap(({ actor }) => deciders(actor)));
  const { servers } = await engine.directory.read();
  const namesById = new Map([...names, ...servers.map(({ id, name }) => [id, name] as const)]);
  const shown = holds.map((hold) => toShownHold(hold, namesById));
  return [...shown.filter(({ released }) => !released), ...shown.filter(({ released }) => released)];
}

/** One of them; problem `not-found` for any other. */
export async function showHold(engine: Reading, id: HoldId): Promise<ShownHold> {
  const hold = (await listHolds(engine)).find((shown) => shown.id === id);
  if (!hold) throw new Problem('not-found');
  return hold;
}

/** The people who decided what an entry says: the one who asked for it first. None if it was the operator. */
export const deciders = (actor: Actor): UserId[] =>
  actor.kind === 'user' ? [actor.id, ...(actor.agreed?.with ?? [])] : [];

const toShownHold = ({ id, scope, request, server, reason, placed, released }: HoldRecord, names: Names) => ({
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
