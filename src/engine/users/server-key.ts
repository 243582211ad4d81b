import { auditEntry } from '../../audit/entry.ts';
import { newApiKey, readApiKey } from '../../crypto/api-key.ts';
import { equalBytes } from '../../crypto/compare.ts';
import { newId } from '../../crypto/random.ts';
import type { Alone, ServerCaller } from '../../model/user.ts';
import { namePattern, nameRule, isReservedName } from '../../model/names.ts';
import { Problem } from '../../model/problem.ts';
import type { StoredKey } from '../../store/users/servers.ts';
import {
  actorOf,
  guardPower,
  issuerOf,
  refuseOthers,
  type Administrator,
  type DirectoryEngine,
} from './change-directory.ts';
import type { Engine } from '../engine.ts';

type KeyReader = Pick<Engine, 'servers' | 'now'>;
type KeyEngine = KeyReader & DirectoryEngine;

const reserved = 'Choose another name: this one is Assentry’s own.';

/** Milliseconds between two records of a key's use. */
const touchAfter = 60_000;

/** A key that was made and opens nothing yet. */
export interface NewServerKey {
  server: string;
  kid: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
}

/** A new key for the MCP server of this name. It is to be shown once; only its hash is stored. */
export function newServerKey(server: string): { key: string; record: NewServerKey } {
  const { key, kid, hash } = newApiKey();
  return { key, record: { server, kid, hash: hash.toString('hex') } };
}

/** Makes a new key valid for its server, which is created if there is none. */
export async function addServerKey(
  engine: KeyEngine,
  by: Administrator,
  { server, kid, hash }: NewServerKey,
): Promise<{ alone: Alone | null }> {
  if (!namePattern.test(server))
    throw new Problem('INVALID_INPUT', { errors: [{ path: ['server'], message: nameRule }] });
  if (isReservedName(server)) throw new Problem('INVALID_INPUT', { errors: [{ path: ['server'], message: reserved }] });
  const { also, alone } = guardPower(engine, by);
  const entry = auditEntry(newId('entry'), engine.now(), actorOf(by), { type: 'key.created', server, kid });
  const key = { kid, hash: Buffer.from(hash, 'hex'), makerId: issuerOf(by) };
  await engine.servers.addKey({ id: newId('server'), name: server }, key, entry, also);
  return { alone: alone() };
}

/** The same in the operator’s terminal, which shows the key. */
export async function createServerKey(engine: KeyEngine, server: string): Promise<{ kid: string; key: string }> {
  const { key, record: stored } = newServerKey(server);
  await addServerKey(engine, 'operator', stored);
  return { kid: stored.kid, key };
}

/** Revokes a key on every node at once; its requests stay. Revoking it again changes nothing. */
export async function revokeKey({ servers, now }: KeyReader, by: Administrator, kid: string): Promise<StoredKey> {
  refuseOthers(by);
  const key = (await servers.keys()).find((key) => key.kid === kid);
  if (!key) throw new Problem('not-found', { detail: 'Give the id of an existing key.' });
  const at = now();
  const event = { type: 'key.revoked', server: key.server.name, kid } as const;
  await servers.revokeKey(kid, at, auditEntry(newId('entry'), at, actorOf(by), event));
  return { ...key, revokedAt: key.revokedAt ?? at };
}

/** The server this key belongs to, or null. */
export async function findServer({ servers, now }: KeyReader, key: string): Promise<ServerCaller | null> {
  const read = readApiKey(key);
  const caller = read && (await servers.byKey(read.kid));
  if (!caller || !equalBytes(caller.hash, read.hash)) return null;
  const at = now();
  if (caller.lastUsedAt === null || caller.lastUsedAt + touchAfter <= at) await servers.touchKey(read.kid, at);
  return caller.server;
}

/** For the log: the id of a refused key, if Assentry has issued it. */
export async function nameRefusedKey({ servers }: KeyReader, key: string): Promise<string[]> {
  const kid = readApiKey(key)?.kid;
  return kid !== undefined && (await servers.hasKey(kid)) ? [kid] : [];
}
