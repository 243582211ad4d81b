import { auditEntry, type AuditEvent } from '#audit/entries/rules/entry';
import { newId, equalBytes } from '#platform/crypto/random';
import { networkRule, isReservedName, namePattern, nameRule, toolPattern, toolRule } from '#platform/model/names';
import { invalidInput, Problem, type FieldError } from '#platform/model/problem';
import { type Alone, everyTool, type ServerCaller, type User } from '#people/directory/contract/user';
import type { KeyInUse } from '../store.ts';
import { assertMayIn, assertMayOfOwn, hasPermission, mayIn } from '#people/directory/verbs/may';
import type { Engine } from '#platform/nodes/verbs/engine';
import { commonNetworks, isNetwork, isWider, isWithin } from '#platform/nodes/verbs/networks';
import {
  actorOf,
  guardPower,
  type Administrator,
  type DirectoryEngine,
  guardOwn,
  issuerOf,
  type Scope,
  type TokenCaller,
} from '#people/directory/verbs/directory';
import { marksOf } from '../contract/marks.ts';
import { newApiKey, readApiKey } from '../../tokens/rules.ts';
import type { DirectoryRecord } from '#people/directory/store/directory-record';
import { currentWorkload } from '../../workloads/verbs.ts';
import { pageOf } from '#platform/nodes/verbs/lists';
import type { KeyEntry } from '../contract/key.ts';
import type { ListQuery } from '#people/users/contract';

export interface KeyNetworks {
  kid: string;
  server: string;
  /** The networks that it works from as this was asked for; none: from anywhere. */
  from: readonly string[];
  to: readonly string[];
}

/** The change that limits a key to these networks; problem `not-found` for an absent key, `not-now` for a revoked one. */
export async function networksOf(
  engine: Pick<Engine, 'servers' | 'directory'>,
  by: Administrator,
  kid: string,
  to: readonly string[],
): Promise<KeyNetworks> {
  const [keys, directory] = await Promise.all([engine.servers.keys(), engine.directory.read()]);
  const name = keys.find((key) => key.kid === kid)?.server.name;
  assertMayIn(directory, by, 'change-keys', name === undefined ? null : keysOf(name).space(directory));
  const { server, networks, revokedAt }: KeyEntry = await findKey(engine, kid);
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

type ExpiringKey = KeyEntry & { expiresAt: number };

/** The keys that are still good and expire soon, the next one first; and how many were not used for long. */
export async function keysToRotate({
  servers,
  now,
}: Pick<Engine, 'servers' | 'now'>): Promise<{ expiring: ExpiringKey[]; unused: number }> {
  const at = now();
  const good = (await servers.keys())
    .filter(({ maker }) => !maker?.disabled)
    .map((key) => ({ key, marks: marksOf(key, at) }));
  const expiring = good
    .flatMap(({ key, marks }) =>
      key.expiresAt !== null && marks.includes('expires-soon') ? [{ ...key, expiresAt: key.expiresAt }] : [],
    )
    .sort((a, b) => a.expiresAt - b.expiresAt);
  return { expiring, unused: good.filter(({ marks }) => marks.includes('unused')).length };
}

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

type KeyReader = Pick<Engine, 'servers' | 'now'>;
type KeyEngine = KeyReader & DirectoryEngine;

const reserved = 'Choose another name: this one is Assentry’s own.';
const within = 'Choose a time that is still to come, within ten years.';
const overlapRule = 'Choose an overlap of at most 30 days.';

/** Milliseconds. */
const maxKeyLifeMs = 10 * 365 * 86_400_000;

/** Milliseconds for which a key and the next one may both work. */
const maxOverlapMs = 30 * 86_400_000;

/** The most networks of a key. */
const maxNetworks = 100;

/** Milliseconds between two records of a key's use. */
const touchAfter = 60_000;

/** Until when, for which tools and from where a key is good. */
interface KeyLimits {
  /** Null: it does not expire. */
  expiresAt: number | null;
  /** Patterns; a pattern `*` is every tool. */
  tools: readonly string[];
  /** In CIDR notation; none: it works from anywhere. */
  networks: readonly string[];
}

/** An absent member sets no limit. */
export type KeyTerms = { [Limit in keyof KeyLimits]?: KeyLimits[Limit] | undefined };

/** The key that a new one follows, and the milliseconds for which both work once the new one is valid. */
export interface Rotation {
  kid: string;
  overlapMs: number;
}

/** A key that was made and opens nothing yet. */
export interface NewServerKey extends KeyLimits {
  server: string;
  kid: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
  /** Absent if it follows none. */
  replaces?: Rotation | undefined;
}

/** A new key for the MCP server of this name. It is to be shown once; only its hash is stored. */
export function newServerKey(
  server: string,
  { expiresAt = null, tools = everyTool, networks = [] }: KeyTerms = {},
  replaces?: Rotation,
): { key: string; record: NewServerKey } {
  const { key, kid, hash } = newApiKey();
  return { key, record: { server, kid, hash: hash.toString('hex'), expiresAt, tools, networks, replaces } };
}

/**
 * Makes a new key valid for its server, which is created if there is none, as a global one. In the same commit, the key that it follows gets
 * its end: an earlier one stays.
 */
export async function addServerKey(
  engine: KeyEngine,
  by: Administrator,
  key: NewServerKey,
): Promise<{ alone: Alone | null; endsAt: number | null }> {
  const { server, kid, hash, expiresAt, tools, networks, replaces } = key;
  const now = engine.now();
  const errors = faultsOf(key, now);
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
  const { also, alone } = guardPower(engine, by, keysOf(server));
  const replaced = replaces && {
    kid: replaces.kid,
    endsAt: endOf(await findRotatable(engine, replaces.kid), replaces, now),
  };
  const entryOf = (event: AuditEvent) => auditEntry(newId('entry'), now, actorOf(by), event);
  const entry = entryOf({
    type: 'key.created',
    server,
    kid,
    expiresAt,
    tools,
    ...(networks.length > 0 && { networks }),
    ...(replaced && { replaces: replaced.kid }),
  });
  const record = { kid, hash: Buffer.from(hash, 'hex'), makerId: issuerOf(by), expiresAt, tools, networks };
  const rotated = replaced && {
    ...replaced,
    entry: entryOf({ type: 'key.rotated', server, next: kid, ...replaced }),
  };
  await engine.servers.addKey({ id: newId('server'), name: server }, record, entry, also, rotated);
  return { alone: alone(), endsAt: replaced?.endsAt ?? null };
}

/** The permission to make keys for a server, by its name. If the server does not exist, a role everywhere is needed. */
export const keysOf = (name: string): Scope => ({
  permission: 'change-keys',
  space: ({ servers }) => servers.find((server) => server.name === name)?.spaceId,
});

/** When a key ends that another one follows. */
const endOf = ({ expiresAt }: KeyEntry, { overlapMs }: Rotation, now: number): number =>
  Math.min(expiresAt ?? Number.POSITIVE_INFINITY, now + overlapMs);

/** The key of this id, if another one may follow it; else a problem that says why not. */
async function findRotatable({ servers, now }: KeyReader, kid: string): Promise<KeyEntry> {
  const key = await findKey({ servers }, kid);
  if (key.revokedAt !== null) throw new Problem('not-now', { refusal: { code: 'key-revoked' } });
  if (key.replacedBy !== null)
    throw new Problem('not-now', { refusal: { code: 'key-rotated', values: { next: key.replacedBy } } });
  if (isExpired(key, now())) throw new Problem('not-now', { refusal: { code: 'key-expired' } });
  return key;
}

/** The key of this id; problem `not-found` if there is none. */
export async function findKey({ servers }: Pick<KeyReader, 'servers'>, kid: string): Promise<KeyEntry> {
  const key = (await servers.keys()).find((candidate) => candidate.kid === kid);
  if (!key) throw new Problem('not-found', { detail: 'Give the id of an existing key.' });
  return key;
}

const faultsOf = ({ server, expiresAt, tools, networks, replaces }: NewServerKey, now: number): FieldError[] => [
  ...(namePattern.test(server) ? [] : [{ path: ['server'], message: nameRule }]),
  ...(isReservedName(server) ? [{ path: ['server'], message: reserved }] : []),
  ...(expiresAt === null || isSoonEnough(expiresAt, now) ? [] : [{ path: ['expiresAt'], message: within }]),
  ...(tools.length > 0 && tools.every((tool) => toolPattern.test(tool))
    ? []
    : [{ path: ['tools'], message: toolRule }]),
  ...(networks.length <= maxNetworks && networks.every(isNetwork)
    ? []
    : [{ path: ['networks'], message: networkRule }]),
  ...(replaces === undefined || (replaces.overlapMs >= 0 && replaces.overlapMs <= maxOverlapMs)
    ? []
    : [{ path: ['overlapMs'], message: overlapRule }]),
];

const isSoonEnough = (at: number, now: number): boolean => now < at && at <= now + maxKeyLifeMs;

/** Makes a key in the operator’s terminal, which shows it. */
export async function createServerKey(
  engine: KeyEngine,
  server: string,
  terms?: KeyTerms,
): Promise<{ kid: string; key: string }> {
  const { key, record: stored } = newServerKey(server, terms);
  await addServerKey(engine, 'operator', stored);
  return { kid: stored.kid, key };
}

/** A page of keys: of all servers for those who may change them, else of those that are the reader’s; `isFull` says which. */
export async function listKeys({ servers, directory }: KeyEngine, reader: User | TokenCaller, request: ListQuery) {
  const isFull = hasPermission(reader, 'change-keys');
  const [stored, record] = await Promise.all([servers.keys(), directory.read()]);
  const isOwn = ({ ownerId, spaceId }: DirectoryRecord['servers'][number]): boolean =>
    ownerId === reader.id || (reader.kind === 'user' && mayIn(record, reader, 'change-keys', spaceId));
  const own = new Set(record.servers.filter(isOwn).map(({ id }) => id));
  const keys = isFull ? stored : stored.filter(({ server }) => own.has(server.id));
  const { items, next } = pageOf(keys, request, {
    key: ({ server, createdAt, kid }) => `${server.name}\0${String(createdAt).padStart(16, '0')}${kid}`,
    texts: ({ server, kid, tools, networks }) => [server.name, kid, ...tools, ...networks],
  });
  return { keys: items, next, isFull };
}

/**
 * Revokes a key on every node at once; its requests stay. Revoking it again changes nothing. Problem `forbidden` for anyone
 * but those who may change keys, everywhere or in the server's space, and the owner of its server.
 */
export async function revokeKey(
  { servers, directory, now }: KeyReader & Pick<Engine, 'directory'>,
  by: Administrator,
  kid: string,
): Promise<KeyEntry> {
  const [keys, record] = await Promise.all([servers.keys(), directory.read()]);
  const key = keys.find((key) => key.kid === kid);
  const server = record.servers.find(({ id }) => id === key?.server.id);
  assertMayOfOwn(record, by, 'change-keys', server);
  if (!key) throw new Problem('not-found', { detail: 'Give the id of an existing key.' });
  const at = now();
  const event = { type: 'key.revoked', server: key.server.name, kid } as const;
  const also = guardOwn({ directory }, by, 'change-keys', key.server.id);
  await servers.revokeKey(kid, at, auditEntry(newId('entry'), at, actorOf(by), event), also);
  return { ...key, revokedAt: key.revokedAt ?? at };
}

/**
 * The server this key belongs to, or null; a key that has expired, whose maker is disabled, or that is sent from outside
 * its networks, belongs to none.
 */
export async function findServer(
  { servers, now }: KeyReader,
  key: string,
  address: string | undefined,
): Promise<ServerCaller | null> {
  const read = readApiKey(key);
  const caller = read && (await servers.byKey(read.kid));
  const at = now();
  if (!caller || !isGood(caller, read.hash, at) || !isNear(caller, address)) return null;
  if (isTouchDue(caller, at)) await servers.touchKey(read.kid, at);
  return { ...caller.server, address };
}

/**
 * Finds the server from memory, without a statement, for a verb whose own statement checks the proof; null if it has to
 * be read.
 */
export function keptServer({ servers, now }: KeyReader, key: string, address: string | undefined): ServerCaller | null {
  const read = readApiKey(key);
  const caller = read && servers.keptKey(read.kid);
  const at = now();
  return caller && isGood(caller, read.hash, at) && isNear(caller, address) && !isTouchDue(caller, at)
    ? { ...caller.server, address }
    : null;
}

/** The caller as of now, read again by its key; problem `unauthenticated` if that is no longer good. */
export async function currentServer(
  engine: KeyReader & Pick<Engine, 'workloads'>,
  caller: ServerCaller,
): Promise<ServerCaller> {
  const { servers, now } = engine;
  if (!caller.proof) return caller;
  if (caller.proof.isWorkload) {
    const workload = isExpired(caller.proof, now()) ? null : await currentWorkload(engine, caller);
    if (!workload) throw new Problem('unauthenticated');
    return workload;
  }
  const key = await servers.byKey(caller.proof.kid);
  if (!key || isExpired(key, now()) || !isNear(key, caller.address)) throw new Problem('unauthenticated');
  return { ...key.server, address: caller.address };
}

/** Is the key as good as when it was read, by epochs that came with something that committed later? */
export const isStillGood = (
  { now }: Pick<KeyReader, 'now'>,
  { proof }: ServerCaller,
  { keys, users }: { keys?: bigint; users?: bigint },
): boolean => proof !== undefined && proof.keys === keys && proof.users === users && !isExpired(proof, now());

const isGood = (key: KeyInUse, hash: Uint8Array, at: number): boolean =>
  equalBytes(key.hash, hash) && !isExpired(key, at);

const isNear = ({ networks }: Pick<KeyEntry, 'networks'>, address: string | undefined): boolean =>
  networks.length === 0 || isWithin(networks, address);

const isTouchDue = ({ lastUsedAt }: Pick<KeyEntry, 'lastUsedAt'>, at: number): boolean =>
  lastUsedAt === null || lastUsedAt + touchAfter <= at;

/** For the log: the id of a refused key, if Assentry has issued it, and whether it is good in other networks. */
export async function describeRefusedKey(
  { servers, now }: KeyReader,
  key: string,
  address: string | undefined,
): Promise<{ about: string[]; what?: string }> {
  const read = readApiKey(key);
  if (!read || !(await servers.hasKey(read.kid))) return { about: [] };
  const caller = await servers.byKey(read.kid);
  const isElsewhere = caller !== null && isGood(caller, read.hash, now()) && !isNear(caller, address);
  return { about: [read.kid], ...(isElsewhere && { what: 'key-elsewhere' }) };
}

const isExpired = ({ expiresAt }: Pick<KeyEntry, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;
