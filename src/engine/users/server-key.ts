import { auditEntry } from '../../audit/entry.ts';
import { newApiKey, readApiKey } from '../../crypto/api-key.ts';
import { equalBytes } from '../../crypto/compare.ts';
import { newId } from '../../crypto/random.ts';
import type { ServerCaller } from '../../model/user.ts';
import { namePattern, nameRule, isReservedName } from '../../model/names.ts';
import { Problem } from '../../model/problem.ts';
import type { StoredKey } from '../../store/users/servers.ts';
import { actorOf, issuerOf, refuseOthers, type Administrator } from './change-directory.ts';
import type { Engine } from '../engine.ts';

type KeyEngine = Pick<Engine, 'servers' | 'now'>;

const reserved = 'Choose another name: this one is Assentry’s own.';

/** Milliseconds between two records of a key's use. */
const touchAfter = 60_000;

/**
 * A new key for the MCP server of this name, which is created if there is none. Shown once; only its hash is stored.
 */
export async function createServerKey(
  { servers, now }: KeyEngine,
  name: string,
  by: Administrator = 'operator',
): Promise<{ kid: string; key: string }> {
  refuseOthers(by);
  if (!namePattern.test(name))
    throw new Problem('INVALID_INPUT', { errors: [{ path: ['server'], message: nameRule }] });
  if (isReservedName(name)) throw new Problem('INVALID_INPUT', { errors: [{ path: ['server'], message: reserved }] });
  const { key, kid, hash } = newApiKey();
  const entry = auditEntry(newId('entry'), now(), actorOf(by), { type: 'key.created', server: name, kid });
  await servers.addKey({ id: newId('server'), name }, { kid, hash, makerId: issuerOf(by) }, entry);
  return { kid, key };
}

/** Revokes a key on every node at once; its requests stay. Revoking it again changes nothing. */
export async function revokeKey({ servers, now }: KeyEngine, by: Administrator, kid: string): Promise<StoredKey> {
  refuseOthers(by);
  const found = (await servers.keys()).find((one) => one.kid === kid);
  if (!found) throw new Problem('not-found', { detail: 'Give the id of an existing key.' });
  const at = now();
  const event = { type: 'key.revoked', server: found.server.name, kid } as const;
  await servers.revokeKey(kid, at, auditEntry(newId('entry'), at, actorOf(by), event));
  return { ...found, revokedAt: found.revokedAt ?? at };
}

/** The server this key belongs to, or null. */
export async function findServer({ servers, now }: KeyEngine, key: string): Promise<ServerCaller | null> {
  const read = readApiKey(key);
  const found = read && (await servers.byKey(read.kid));
  if (!found || !equalBytes(found.hash, read.hash)) return null;
  const at = now();
  if (found.lastUsedAt === null || found.lastUsedAt + touchAfter <= at) await servers.touchKey(read.kid, at);
  return found.server;
}

/** The id of a key that was shown and opens nothing, if it is or was one of ours: for the log. */
export async function nameRefusedKey({ servers }: KeyEngine, key: string): Promise<string[]> {
  const kid = readApiKey(key)?.kid;
  return kid !== undefined && (await servers.hasKey(kid)) ? [kid] : [];
}
