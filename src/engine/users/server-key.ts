import { auditEntry } from '../../audit/entry.ts';
import { assertMay } from '../assert-may.ts';
import { newApiKey, readApiKey } from '../../crypto/api-key.ts';
import { equalBytes } from '../../crypto/compare.ts';
import { newId } from '../../crypto/random.ts';
import { everyTool, type Alone, type ServerCaller, type User } from '../../model/user.ts';
import { may } from '../../model/permission.ts';
import { isReservedName, namePattern, nameRule, toolPattern, toolRule } from '../../model/names.ts';
import { Problem, type FieldError } from '../../model/problem.ts';
import type { KeyInUse, StoredKey } from '../../store/users/servers.ts';
import { actorOf, guardPower, issuerOf, type Administrator, type DirectoryEngine } from './change-directory.ts';
import type { Engine } from '../engine.ts';
import { pageOf, type ListRequest } from '../list-page.ts';

type KeyReader = Pick<Engine, 'servers' | 'now'>;
type KeyEngine = KeyReader & DirectoryEngine;

const reserved = 'Choose another name: this one is Assentry’s own.';
const within = 'Choose a time that is still to come, within ten years.';

/** Milliseconds. */
const longestKey = 10 * 365 * 86_400_000;

/** Milliseconds between two records of a key's use. */
const touchAfter = 60_000;

/** Until when and for which tools a key is good. */
interface KeyLimits {
  /** Null: it does not expire. */
  expiresAt: number | null;
  /** Patterns; a pattern `*` is every tool. */
  tools: readonly string[];
}

/** What is absent sets no limit. */
export type KeyTerms = { [Limit in keyof KeyLimits]?: KeyLimits[Limit] | undefined };

/** A key that was made and opens nothing yet. */
export interface NewServerKey extends KeyLimits {
  server: string;
  kid: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
}

/** A new key for the MCP server of this name. It is to be shown once; only its hash is stored. */
export function newServerKey(
  server: string,
  { expiresAt = null, tools = everyTool }: KeyTerms = {},
): { key: string; record: NewServerKey } {
  const { key, kid, hash } = newApiKey();
  return { key, record: { server, kid, hash: hash.toString('hex'), expiresAt, tools } };
}

/** Makes a new key valid for its server, which is created if there is none. */
export async function addServerKey(
  engine: KeyEngine,
  by: Administrator,
  key: NewServerKey,
): Promise<{ alone: Alone | null }> {
  const { server, kid, hash, expiresAt, tools } = key;
  const now = engine.now();
  const errors = faultsOf(key, now);
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
  const { also, alone } = guardPower(engine, by, 'change-keys');
  const event = { type: 'key.created', server, kid, expiresAt, tools } as const;
  const entry = auditEntry(newId('entry'), now, actorOf(by), event);
  const record = { kid, hash: Buffer.from(hash, 'hex'), makerId: issuerOf(by), expiresAt, tools };
  await engine.servers.addKey({ id: newId('server'), name: server }, record, entry, also);
  return { alone: alone() };
}

const faultsOf = ({ server, expiresAt, tools }: NewServerKey, now: number): FieldError[] => [
  ...(namePattern.test(server) ? [] : [{ path: ['server'], message: nameRule }]),
  ...(isReservedName(server) ? [{ path: ['server'], message: reserved }] : []),
  ...(expiresAt === null || isSoonEnough(expiresAt, now) ? [] : [{ path: ['expiresAt'], message: within }]),
  ...(tools.length > 0 && tools.every((tool) => toolPattern.test(tool))
    ? []
    : [{ path: ['tools'], message: toolRule }]),
];

const isSoonEnough = (at: number, now: number): boolean => now < at && at <= now + longestKey;

/** The same in the operator’s terminal, which shows the key. */
export async function createServerKey(
  engine: KeyEngine,
  server: string,
  terms?: KeyTerms,
): Promise<{ kid: string; key: string }> {
  const { key, record: stored } = newServerKey(server, terms);
  await addServerKey(engine, 'operator', stored);
  return { kid: stored.kid, key };
}

/** A page of keys: of all servers for those who may change them, else of those that the reader owns; `isFull` says which. */
export async function listKeys({ servers, directory }: KeyEngine, reader: User, request: ListRequest) {
  const isFull = may(reader.role, 'change-keys');
  const [stored, record] = await Promise.all([servers.keys(), directory.read()]);
  const own = new Set(record.servers.filter(({ ownerId }) => ownerId === reader.id).map(({ id }) => id));
  const keys = isFull ? stored : stored.filter(({ server }) => own.has(server.id));
  const { items, next } = pageOf(keys, request, {
    key: ({ server, createdAt, kid }) => `${server.name}\0${String(createdAt).padStart(16, '0')}${kid}`,
    texts: ({ server, kid, tools }) => [server.name, kid, ...tools],
  });
  return { keys: items, next, isFull };
}

/**
 * Revokes a key on every node at once; its requests stay. Revoking it again changes nothing. Problem `forbidden` for anyone
 * but those who may change keys and the owner of its server.
 */
export async function revokeKey(
  { servers, directory, now }: KeyReader & Pick<Engine, 'directory'>,
  by: Administrator,
  kid: string,
): Promise<StoredKey> {
  const [keys, record] = await Promise.all([servers.keys(), directory.read()]);
  const key = keys.find((key) => key.kid === kid);
  const ownerId = record.servers.find(({ id }) => id === key?.server.id)?.ownerId ?? null;
  if (ownerId === null || ownerId !== issuerOf(by)) assertMay(by, 'change-keys');
  if (!key) throw new Problem('not-found', { detail: 'Give the id of an existing key.' });
  const at = now();
  const event = { type: 'key.revoked', server: key.server.name, kid } as const;
  await servers.revokeKey(kid, at, auditEntry(newId('entry'), at, actorOf(by), event));
  return { ...key, revokedAt: key.revokedAt ?? at };
}

/** The server this key belongs to, or null; a key that has expired, or whose maker is disabled, belongs to none. */
export async function findServer({ servers, now }: KeyReader, key: string): Promise<ServerCaller | null> {
  const read = readApiKey(key);
  const caller = read && (await servers.byKey(read.kid));
  const at = now();
  if (!caller || !isGood(caller, read.hash, at)) return null;
  if (isTouchDue(caller, at)) await servers.touchKey(read.kid, at);
  return caller.server;
}

/** The same from memory, without a statement, for a verb whose own statement checks the proof; null if it has to be read. */
export function keptServer({ servers, now }: KeyReader, key: string): ServerCaller | null {
  const read = readApiKey(key);
  const caller = read && servers.keptKey(read.kid);
  const at = now();
  return caller && isGood(caller, read.hash, at) && !isTouchDue(caller, at) ? caller.server : null;
}

/** The caller as of now, read again by its key; problem `unauthenticated` if that is no longer good. */
export async function currentServer({ servers, now }: KeyReader, caller: ServerCaller): Promise<ServerCaller> {
  if (!caller.proof) return caller;
  const key = await servers.byKey(caller.proof.kid);
  if (!key || isExpired(key, now())) throw new Problem('unauthenticated');
  return key.server;
}

/** Is the key as good as when it was read, by epochs that came with something that committed later? */
export const isStillGood = (
  { now }: Pick<KeyReader, 'now'>,
  { proof }: ServerCaller,
  { keys, users }: { keys?: bigint; users?: bigint },
): boolean => proof !== undefined && proof.keys === keys && proof.users === users && !isExpired(proof, now());

const isGood = (key: KeyInUse, hash: Uint8Array, at: number): boolean =>
  equalBytes(key.hash, hash) && !isExpired(key, at);

const isTouchDue = ({ lastUsedAt }: Pick<StoredKey, 'lastUsedAt'>, at: number): boolean =>
  lastUsedAt === null || lastUsedAt + touchAfter <= at;

/** For the log: the id of a refused key, if Assentry has issued it. */
export async function nameRefusedKey({ servers }: KeyReader, key: string): Promise<string[]> {
  const kid = readApiKey(key)?.kid;
  return kid !== undefined && (await servers.hasKey(kid)) ? [kid] : [];
}

const isExpired = ({ expiresAt }: Pick<StoredKey, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;
