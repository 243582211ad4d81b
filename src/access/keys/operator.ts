import type { Engine } from '#platform/nodes/verbs/engine';
import {
  changeKeyNetworks,
  networksOf,
  prepareRotation,
  addServerKey,
  createServerKey,
  findKey,
  revokeKey,
  type KeyTerms,
} from './verbs/keys.ts';

/** The operator's commands for the keys of MCP servers. */
export const createKeysOperator = (engine: Pick<Engine, 'servers' | 'directory' | 'now' | 'environment'>) => ({
  /** A new key for the MCP server of this name: shown once, stored nowhere. Without terms it has no limits. */
  createServerKey: async (name: string, terms?: KeyTerms) => (await createServerKey(engine, name, terms)).key,
  /** Every key that ever existed, without its secret. */
  listKeys: () => engine.servers.keys(),
  /** A new key with the limits of this one, which ends at `endsAt`; by default in 24 hours. */
  async rotateKey(kid: string, overlapMs?: number) {
    const { key, record } = await prepareRotation(engine, 'operator', kid, overlapMs);
    const { endsAt } = await addServerKey(engine, 'operator', record);
    return { server: record.server, kid: record.kid, key, endsAt: endsAt as number }; // it follows another
  },
  /** Lets a key work from these networks alone; none: from anywhere. */
  async changeKey(kid: string, networks: readonly string[]) {
    await changeKeyNetworks(engine, 'operator', await networksOf(engine, 'operator', kid, networks));
    return findKey(engine, kid);
  },
  /** Revokes a key at once and permanently; its requests stay. */
  revokeKey: (kid: string) => revokeKey(engine, 'operator', kid),
});
