import { assertMayIn } from '#policies/deciding/verbs/rules/assert-may';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import type { Administrator } from '#people/directory/verbs/directory/change-directory';
import { findRotatable, keysOf, newServerKey, type NewServerKey } from './server-key.ts';

/** Milliseconds for which both keys work, unless someone chooses otherwise. */
const defaultOverlapMs = 24 * 3_600_000;

/** A key to follow this one: of the same server, with the same limits, valid for as long as the old one was at first. */
export async function prepareRotation(
  engine: Pick<Engine, 'servers' | 'directory' | 'now'>,
  by: Administrator,
  kid: string,
  overlapMs: number = defaultOverlapMs,
): Promise<{ key: string; record: NewServerKey }> {
  const [keys, directory] = await Promise.all([engine.servers.keys(), engine.directory.read()]);
  const name = keys.find((key) => key.kid === kid)?.server.name;
  assertMayIn(directory, by, 'change-keys', name === undefined ? null : keysOf(name).space(directory));
  const { server, createdAt, expiresAt, tools, networks } = await findRotatable(engine, kid);
  const term = expiresAt === null ? null : expiresAt - createdAt;
  const terms = { expiresAt: term === null ? null : engine.now() + term, tools, networks };
  return newServerKey(server.name, terms, { kid, overlapMs });
}
