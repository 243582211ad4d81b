import { auditEntry } from '#audit/entries/rules/entry/entry';
import { newId } from '#platform/crypto/random/random';
import { networkRule } from '#platform/model/names';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import type { Alone } from '#people/directory/contract/user';
import type { StoredKey } from '../../store/servers.ts';
import { assertMayIn } from '#policies/deciding/verbs/rules/assert-may';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { commonNetworks, isNetwork, isWider } from '#platform/nodes/verbs/networks';
import {
  actorOf,
  guardPower,
  type Administrator,
  type DirectoryEngine,
} from '#people/directory/verbs/directory/change-directory';
import { findKey, keysOf, maxNetworks } from './server-key.ts';

export interface KeyNetworks {
  kid: string;
  server: string;
  /** The networks that it works from as this was asked for; none: from anywhere. */
  from: readonly string[];
  to: readonly string[];
}

/** What it is to let a key work from these networks alone; problem `not-found` for an absent key, `not-now` for a revoked one. */
export async function networksOf(
  engine: Pick<Engine, 'servers' | 'directory'>,
  by: Administrator,
  kid: string,
  to: readonly string[],
): Promise<KeyNetworks> {
  const [keys, directory] = await Promise.all([engine.servers.keys(), engine.directory.read()]);
  const name = keys.find((key) => key.kid === kid)?.server.name;
  assertMayIn(directory, by, 'change-keys', name === undefined ? null : keysOf(name).space(directory));
  const { server, networks, revokedAt }: StoredKey = await findKey(engine, kid);
  if (revokedAt !== null) throw new Problem('not-now', { refusal: { code: 'key-revoked' } });
  return { kid, server: server.name, from: networks, to: [...new Set(to)] };
}

/**
 * Changes where an existing key works, at every node at once; equal networks are not logged. What lets it work from more places
 * needs a second administrator. Problem `not-now` if its networks are no longer those that this was asked for.
 */
export async function changeKeyNetworks(
  engine: DirectoryEngine & Pick<Engine, 'servers'>,
  by: Administrator,
  { kid, server, from, to }: KeyNetworks,
): Promise<{ alone: Alone | null }> {
  if (to.length > maxNetworks || !to.every(isNetwork)) throw invalidInput(['networks'], networkRule);
  const { also, alone } = guardPower(engine, by, keysOf(server), { gives: isWider(from, to) });
  const at = engine.now();
  const event = { type: 'key.changed', server, kid, before: from, networks: to } as const;
  await engine.servers.setNetworks({ kid, from, to }, auditEntry(newId('entry'), at, actorOf(by), event), also);
  return { alone: alone() };
}

/** The part of it that only takes places away; null if that would be none or all of it. */
export function narrowing({ from, to, ...key }: KeyNetworks): KeyNetworks | null {
  const common = commonNetworks(from, to);
  return common.length === 0 || common.join() === from.join() ? null : { ...key, from, to: common };
}
