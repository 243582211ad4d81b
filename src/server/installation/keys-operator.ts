import type { Engine } from '../engine/engine.ts';
import { changeKeyNetworks, networksOf } from '../engine/users/key-networks.ts';
import { prepareRotation } from '../engine/users/rotate-key.ts';
import { addServerKey, createServerKey, findKey, revokeKey, type KeyTerms } from '../engine/users/server-key.ts';
import type { StoredKey } from '../store/users/servers.ts';

/** The operator's commands for the keys of MCP servers. */
export interface KeysOperator {
  /** A new key for the MCP server of this name: shown once, stored nowhere. Without terms it has no limits. */
  createServerKey(name: string, terms?: KeyTerms): Promise<string>;
  /** Every key that ever existed, without its secret. */
  listKeys(): Promise<StoredKey[]>;
  /** A new key with the limits of this one, which ends at `endsAt`; by default in 24 hours. */
  rotateKey(kid: string, overlapMs?: number): Promise<{ server: string; kid: string; key: string; endsAt: number }>;
  /** Lets a key work from these networks alone; none: from anywhere. */
  changeKey(kid: string, networks: readonly string[]): Promise<StoredKey>;
  /** Revokes a key at once and permanently; its requests stay. */
  revokeKey(kid: string): Promise<StoredKey>;
}

export const createKeysOperator = (
  engine: Pick<Engine, 'servers' | 'directory' | 'now' | 'environment'>,
): KeysOperator => ({
  createServerKey: async (name, terms) => (await createServerKey(engine, name, terms)).key,
  listKeys: () => engine.servers.keys(),
  async rotateKey(kid, overlapMs) {
    const { key, record } = await prepareRotation(engine, 'operator', kid, overlapMs);
    const { endsAt } = await addServerKey(engine, 'operator', record);
    return { server: record.server, kid: record.kid, key, endsAt: endsAt as number }; // it follows another
  },
  async changeKey(kid, networks) {
    await changeKeyNetworks(engine, 'operator', await networksOf(engine, 'operator', kid, networks));
    return findKey(engine, kid);
  },
  revokeKey: (kid) => revokeKey(engine, 'operator', kid),
});
