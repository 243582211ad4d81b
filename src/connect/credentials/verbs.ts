import { type Actor, auditEntry, type AuditEntry } from '#audit/entries/rules/entry';
import type { CredentialId, UserId, ServerId } from '#platform/model/id';
import { Problem, invalidInput } from '#platform/model/problem';
import type { StoredCredential, Ticket } from './store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { sealCredential, openCredential } from './rules.ts';
import { principalHash, principalHashes } from '#platform/crypto/key-ring';
import { newId, hashSecret } from '#platform/crypto/random';
import { credentialRule, isCredential } from '#platform/model/names';
import type { CredentialEvent, CredentialFacts } from '#audit/entries/rules/events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSame, type Identity } from '#platform/model/identity';
import type { ServerCaller } from '#people/directory/contract/user';
import { identitiesOf } from '#policies/document/rules/directory';
import { readable } from '#requests/state/verbs/change';
import { mintToken, openToken } from '#access/tokens/rules';

type ManageEngine = Pick<Engine, 'credentials' | 'users' | 'now'>;

/** Names and dates: no one is shown the secret again. */
type ShownCredential = Pick<StoredCredential, 'id' | 'storedAt' | 'usedAt' | 'refusedAt'> & { server: string };

/** Those of this person, by the names of the servers. */
export const listCredentials = async ({ credentials }: ManageEngine, user: UserId): Promise<ShownCredential[]> =>
  (await credentials.list(user)).map(shown);

/** Everyone's, for the operator, with the names of the people. */
export async function listAllCredentials({
  credentials,
  users,
}: ManageEngine): Promise<(ShownCredential & { person: string })[]> {
  const stored = await credentials.list();
  const names = await users.names(stored.map(({ userId }) => userId));
  return stored.map((credential) => ({ ...shown(credential), person: names.get(credential.userId) ?? '' }));
}

/** Resolves when they are sent no more, at any gateway. `not-found` if they are not there, or of someone else than this person. */
export async function removeCredential(
  { credentials, now }: ManageEngine,
  by: UserId | 'operator',
  id: CredentialId,
): Promise<void> {
  const stored = await credentials.byId(id);
  const actor: Actor = by === 'operator' ? { kind: 'operator' } : { kind: 'user', id: by };
  const mayRemove = stored && (by === 'operator' || stored.userId === by);
  const entry = mayRemove && credentialEntry(stored, now(), actor, { type: 'credential.removed' });
  if (!entry || !(await credentials.remove(id, entry))) throw new Problem('not-found');
  await untilForgotten();
}

const shown = ({ id, serverName, storedAt, usedAt, refusedAt }: StoredCredential): ShownCredential => ({
  id,
  server: serverName,
  storedAt,
  usedAt,
  refusedAt,
});

type StoreEngine = Pick<Engine, 'credentials' | 'ring' | 'now'>;

/**
 * Stores what this person entered with their link, which is used up by it. The caller has checked that they are who the
 * link is for. `INVALID_INPUT` for what no header can hold, `token-invalid` if the link was used meanwhile.
 */
export async function storeCredential(
  engine: StoreEngine,
  user: UserId,
  { server, person, nonceHash }: LinkedPerson,
  secret: string,
): Promise<void> {
  const hash = principalHash(engine.ring, server.id, person);
  const hashes = principalHashes(engine.ring, server.id, person);
  const place = { serverId: server.id, serverName: server.name, userId: user, hash };
  if (!(await put(engine, place, { ticket: { nonceHash }, hashes, secret }))) throw new Problem('token-invalid');
}

/** Replaces the credentials of this person; resolves when the former are sent no more. `not-found` if they are not theirs; the others as for `storeCredential`. */
export async function replaceCredential(
  engine: StoreEngine,
  user: UserId,
  id: CredentialId,
  secret: string,
): Promise<void> {
  const stored = await engine.credentials.byId(id);
  const isReplaced =
    stored?.userId === user && (await put(engine, stored, { ticket: { replaces: id }, hashes: [stored.hash], secret }));
  if (!isReplaced) throw new Problem('not-found');
  await untilForgotten();
}

async function put(
  { credentials, ring, now }: StoreEngine,
  { serverId, serverName, userId, hash }: Pick<StoredCredential, 'serverId' | 'serverName' | 'userId' | 'hash'>,
  { ticket, hashes, secret }: { ticket: Ticket; hashes: Uint8Array[]; secret: string },
): Promise<boolean> {
  if (!isCredential(secret)) throw invalidInput(['secret'], credentialRule);
  const at = now();
  const place = { id: newId('credential'), serverId, userId, hash };
  const row = { ...place, sealed: sealCredential(ring, place, secret), storedAt: at };
  return credentials.put(row, ticket, hashes, (isReplacing) =>
    credentialEntry(
      { ...place, serverName },
      at,
      { kind: 'user', id: userId },
      { type: 'credential.stored', isReplacing },
    ),
  );
}

type Subject = Pick<StoredCredential, 'id' | 'serverId' | 'serverName' | 'userId' | 'hash'>;

/** The entry of what happened to these credentials. */
export const credentialEntry = (
  credential: Subject,
  at: number,
  actor: Actor,
  what: { type: Exclude<CredentialEvent['type'], 'credential.stored'> } | StoredEvent,
): AuditEntry => auditEntry(newId('entry'), at, actor, { ...what, ...factsOf(credential) });

interface StoredEvent {
  type: 'credential.stored';
  isReplacing: boolean;
}

const factsOf = ({ id, serverId, serverName, userId, hash }: Subject): CredentialFacts => ({
  credential: id,
  server: serverId,
  serverName,
  user: userId,
  requester: Buffer.from(hash).toString('hex'),
});

type CredentialEngine = Pick<Engine, 'credentials' | 'tokens' | 'users' | 'ring' | 'now' | 'publicUrl' | 'readToken'>;

/** What the gateway learns. `refused` are credentials that the server did not take. */
type CredentialAnswer =
  | { state: 'stored'; id: CredentialId; secret: string; lasts: number }
  | { state: 'missing' | 'refused'; link: CredentialLink | null };

/** Milliseconds for which a gateway may send them, from when it asked, as it may use a pass. */
const lasts = 900;
/** Milliseconds for what a gateway is just about to send. */
const margin = 100;

interface Asked {
  accessToken: string;
  /** Does the gateway want a link, if they have to be entered? */
  link: boolean;
}

/**
 * The credentials with which this server is called in the name of the person whose valid access token this is, or a link
 * with which they enter them. The key alone opens none. Problem `forbidden` without such a token.
 */
export async function findCredential(
  engine: CredentialEngine,
  server: ServerCaller,
  { accessToken, link }: Asked,
): Promise<CredentialAnswer> {
  const person = await personOf(engine, server, accessToken);
  const credential = await storedFor(engine, server.id, person);
  const secret = credential && readable(() => openCredential(engine.ring, credential, credential.sealed));
  if (!credential || secret === null || credential.refusedAt !== null) {
    const state = credential && credential.refusedAt !== null ? 'refused' : 'missing';
    return { state, link: link ? await makeLink(engine, server, person) : null };
  }
  if (credential.usedAt === null) await mark(engine, server, credential, 'used');
  return { state: 'stored', id: credential.id, secret, lasts };
}

/** The server did not take them: the gateway gets them no more. `not-found` if they are not this person's any more. */
export async function refuseCredential(
  engine: CredentialEngine,
  server: ServerCaller,
  id: CredentialId,
  accessToken: string,
): Promise<void> {
  const named = await engine.credentials.byId(id);
  if (named?.serverId !== server.id) throw new Problem('not-found');
  const credential = await storedFor(engine, server.id, await personOf(engine, server, accessToken));
  if (credential?.id !== id) throw new Problem('not-found');
  await mark(engine, server, credential, 'refused');
}

/** Resolves when no gateway sends what has been removed before: each counts from when it asked, by a clock that never goes back. */
const untilForgotten = (): Promise<void> => sleep(lasts + margin);

/** Has this person, who was not disabled, exactly this issuer and subject? */
export async function isKnownAs({ users }: Pick<Engine, 'users'>, user: UserId, person: Identity): Promise<boolean> {
  const stored = await users.namesOf(user);
  return stored !== null && identitiesOf(stored).some((name) => isSame(name, person));
}

/** Assentry checks the token itself: a stolen key names no one. */
async function personOf({ readToken }: CredentialEngine, { name }: ServerCaller, token: string) {
  const person = await readToken(name, token);
  if (person) return person;
  throw new Problem('forbidden', {
    detail: `Send a valid access token of the person, and have the operator name the issuer of ${name} in ASSENTRY_ACCESS_TOKENS.`,
  });
}

/** Only while the person who entered them is still known by this name. */
async function storedFor(engine: CredentialEngine, server: ServerId, person: Identity) {
  const credential = await engine.credentials.find(server, principalHashes(engine.ring, server, person));
  return credential && (await isKnownAs(engine, credential.userId, person)) ? credential : null;
}

const mark = (
  { credentials, now }: CredentialEngine,
  { id }: ServerCaller,
  credential: StoredCredential,
  what: 'used' | 'refused',
): Promise<void> =>
  credentials.mark(
    credential.id,
    `${what}At`,
    credentialEntry(credential, now(), { kind: 'server', id }, { type: `credential.${what}` }),
  );

/** Where a person enters their credentials for a server. */
interface CredentialLink {
  url: string;
  expiresAt: number;
}

/** What a link says: it is good for this server and this person, once. */
export interface LinkedPerson {
  server: { id: ServerId; name: string };
  person: Required<Identity>;
  nonceHash: Buffer;
}

type LinkEngine = Pick<Engine, 'tokens' | 'ring' | 'now' | 'publicUrl'>;

/** Milliseconds. */
const linkLasts = 10 * 60_000;

/** A new link for this person. Storing credentials uses it up; opening it does not. */
export async function makeLink(
  { tokens, ring, now, publicUrl }: LinkEngine,
  { id: serverId, name }: LinkedPerson['server'],
  { issuer, subject }: Identity,
): Promise<CredentialLink> {
  const expiresAt = now() + linkLasts;
  const session = JSON.stringify([issuer, subject, name]);
  const token = mintToken(ring, { session, elicitation: null, purpose: 'credential', expiresAt });
  const { nonce } = openToken(ring, token, 'credential', now());
  await tokens.add({ nonceHash: hashSecret(nonce), serverId, expiresAt });
  return { url: `${publicUrl()}/credentials/${token}`, expiresAt };
}

/** Reads a link that was not used yet. Any other text is `token-invalid`, without a reason. */
export async function openLink(
  { tokens, ring, now }: Omit<LinkEngine, 'publicUrl'>,
  token: string,
): Promise<LinkedPerson> {
  const { nonce, session } = openToken(ring, token, 'credential', now());
  const nonceHash = hashSecret(nonce);
  const stored = await tokens.find(nonceHash);
  if (!stored) throw new Problem('token-invalid');
  const [issuer, subject, name] = JSON.parse(session) as [string, string, string];
  return { server: { id: stored.serverId, name }, person: { issuer, subject }, nonceHash };
}
