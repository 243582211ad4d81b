import { type Actor, auditEntry, type AuditEntry } from '#audit/entries/rules/entry';
import type { CredentialId, UserId, ServerId } from '#platform/model/id';
import { Problem, invalidInput } from '#platform/model/problem';
import type { StoredCredential, Ticket } from './store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openQuestion } from '#requests/asking/verbs/question';
import type { ConnectedAccount, ElicitationRow } from '#requests/state/store/row';
import { isSecret, sealCredential, openCredential, type CredentialPlace } from './rules.ts';
import { openSecret } from '../secrets/rules.ts';
import { clientAt } from '../auto/verbs/issuer.ts';
import { openKept, readConnectionKey } from '../connections/rules.ts';
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

type ManageEngine = Pick<Engine, 'credentials' | 'users' | 'ring' | 'connect' | 'connectChosen' | 'now'>;

/** Names and dates, and whom a connection is to; the secret is never shown again. */
export interface ShownCredential extends Pick<StoredCredential, 'id' | 'storedAt' | 'usedAt' | 'refusedAt'> {
  server: string;
  /** What its person calls a secret that a tool has asked for; null otherwise. */
  label: string | null;
  /** Null for a secret that its person entered. */
  connection: { provider: string; account: string; scopes: string[] } | null;
}

/** Credentials of this person, sorted by server name. */
export const listCredentials = async (engine: ManageEngine, user: UserId): Promise<ShownCredential[]> =>
  (await engine.credentials.list(user)).map((credential) => shown(engine, credential));

/** Everyone's credentials for the operator, with the names of the people. */
export async function listAllCredentials(engine: ManageEngine): Promise<(ShownCredential & { person: string })[]> {
  const stored = await engine.credentials.list();
  const names = await engine.users.names(stored.flatMap(({ userId }) => userId ?? []));
  const nameOf = ({ userId }: StoredCredential): string => (userId && names.get(userId)) ?? '';
  return stored.map((credential) => ({ ...shown(engine, credential), person: nameOf(credential) }));
}

/**
 * Removes credentials; resolves when no gateway sends them any longer. `not-found` if they do not exist, or belong to someone
 * else.
 */
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

const shown = (engine: ManageEngine, credential: StoredCredential): ShownCredential => {
  const { id, serverName, storedAt, usedAt, refusedAt } = credential;
  const label = labelOf(engine, credential);
  return { id, server: serverName, storedAt, usedAt, refusedAt, label, connection: connectionOf(engine, credential) };
};

const labelOf = ({ ring }: ManageEngine, credential: StoredCredential): string | null =>
  isSecret(credential) ? (readable(() => openSecret(ring, credential, credential.sealed))?.label ?? '') : null;

function connectionOf(engine: ManageEngine, credential: StoredCredential): ShownCredential['connection'] {
  if (credential.provider === null || isSecret(credential)) return null;
  const kept = readable(() => openKept(engine.ring, credential, credential.sealed));
  const { provider: key } = readConnectionKey(credential.provider);
  const provider = clientAt(engine, { provider: key, issuer: kept?.issuer })?.settings.label ?? key;
  return { provider, account: kept?.account.label ?? '', scopes: kept?.tokens.scopes ?? [] };
}

type StoreEngine = Pick<Engine, 'credentials' | 'ring' | 'now'>;

/**
 * Stores the credentials that this person entered with their link, which is then used up. The caller has checked that the link
 * is for this person. `INVALID_INPUT` if no header can hold them, `token-invalid` if the link was used meanwhile.
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

/**
 * Replaces the credentials of this person; resolves when the former are no longer sent. `not-found` if they are not theirs;
 * other problems as for `storeCredential`.
 */
export async function replaceCredential(
  engine: StoreEngine,
  user: UserId,
  id: CredentialId,
  secret: string,
): Promise<void> {
  const stored = await engine.credentials.byId(id);
  const isReplaced =
    stored?.userId === user &&
    stored.provider === null &&
    (await put(engine, { ...stored, userId: user }, { ticket: { replaces: id }, hashes: [stored.hash], secret }));
  if (!isReplaced) throw new Problem('not-found');
  await untilForgotten();
}

async function put(
  { credentials, ring, now }: StoreEngine,
  {
    serverId,
    serverName,
    userId,
    hash,
  }: Pick<StoredCredential, 'serverId' | 'serverName' | 'hash'> & { userId: UserId },
  { ticket, hashes, secret }: { ticket: Ticket; hashes: Uint8Array[]; secret: string },
): Promise<boolean> {
  if (!isCredential(secret)) throw invalidInput(['secret'], credentialRule);
  const at = now();
  const place = { id: newId('credential'), serverId, userId, hash, provider: null };
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

type Subject = Pick<StoredCredential, 'id' | 'serverId' | 'serverName' | 'userId' | 'hash' | 'provider'>;

/** Entry of an event of these credentials. */
export const credentialEntry = (
  credential: Subject,
  at: number,
  actor: Actor,
  what: { type: Exclude<CredentialEvent['type'], 'credential.stored'> } | StoredEvent,
): AuditEntry => auditEntry(newId('entry'), at, actor, { ...what, ...factsOf(credential) });

/** What the requester of a question has stored under this key for its server; null if nothing. */
export const storedByRequester = (
  { credentials, ring }: Pick<Engine, 'credentials' | 'ring'>,
  row: ElicitationRow,
  key: string,
): Promise<StoredCredential | null> =>
  credentials.find(row.serverId, principalHashes(ring, row.serverId, openQuestion(ring, row).requester), [key]);

interface Storing {
  actor: Actor;
  key: string;
  isReplacing: boolean;
  now: number;
  expiresAt: number | null;
  /** Seals the content for its place. */
  seal(place: CredentialPlace): Buffer;
}

/** What is stored for the requester with the accept of their question, and its entry. */
export function storedWithAccept(
  { ring }: Pick<Engine, 'ring'>,
  row: ElicitationRow,
  { actor, key: provider, isReplacing, now, expiresAt, seal }: Storing,
): ConnectedAccount {
  const { requester } = openQuestion(ring, row);
  const { serverId, serverName } = row;
  const hash = principalHash(ring, serverId, requester);
  const userId = actor.kind === 'user' ? actor.id : null;
  const place = { id: newId('credential'), serverId, userId, hash, provider };
  return {
    row: { ...place, sealed: seal(place), storedAt: now, expiresAt },
    otherHashes: principalHashes(ring, serverId, requester).filter((other) => !other.equals(hash)),
    entry: credentialEntry({ ...place, serverName }, now, actor, { type: 'credential.stored', isReplacing }),
  };
}

interface StoredEvent {
  type: 'credential.stored';
  isReplacing: boolean;
}

const factsOf = ({ id, serverId, serverName, userId, hash, provider }: Subject): CredentialFacts => ({
  credential: id,
  server: serverId,
  serverName,
  ...(userId !== null && { user: userId }),
  requester: Buffer.from(hash).toString('hex'),
  ...(provider !== null && !isSecret({ provider }) && { provider }),
});

type CredentialEngine = Pick<Engine, 'credentials' | 'tokens' | 'users' | 'ring' | 'now' | 'publicUrl' | 'readToken'>;

/** Answer to the gateway. `refused` are credentials that the server did not accept. */
type CredentialAnswer =
  | { state: 'stored'; id: CredentialId; secret: string; lasts: number }
  | { state: 'missing' | 'refused'; link: CredentialLink | null };

/** Milliseconds for which a gateway or a server may send them, counted from its request, as with a pass. */
export const lasts = 900;
/** Milliseconds for a request that a gateway is just sending. */
const margin = 100;

interface Asked {
  accessToken: string;
  /** Does the gateway want a link if credentials are missing? */
  link: boolean;
}

/**
 * The credentials for this server of the person with this valid access token, or a link to enter them. The key alone opens
 * none. Problem `forbidden` without such a token.
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

/** Notes that the server refused them: the gateway no longer gets them. `not-found` if they are no longer this person's. */
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

/** Resolves when no gateway sends removed credentials: each counts from its request, by a clock that never goes back. */
const untilForgotten = (): Promise<void> => sleep(lasts + margin);

/** Does this person, if not disabled, have exactly this issuer and subject? */
export async function isKnownAs({ users }: Pick<Engine, 'users'>, user: UserId, person: Identity): Promise<boolean> {
  const stored = await users.namesOf(user);
  return stored !== null && identitiesOf(stored).some((name) => isSame(name, person));
}

/** Person of the token, which Assentry checks itself: a stolen key names no one. */
async function personOf({ readToken }: CredentialEngine, { name }: ServerCaller, token: string) {
  const person = await readToken(name, token);
  if (person) return person;
  throw unchecked(name);
}

/** Refusal of a person who is known by the server's word alone. */
export const unchecked = (server: string): Problem =>
  new Problem('forbidden', {
    detail: `Send a valid access token of the person, and have the operator name the issuer of ${server} in ASSENTRY_ACCESS_TOKENS.`,
  });

/** Stored credentials, while the person who entered them is still known by this name. */
async function storedFor(engine: CredentialEngine, server: ServerId, person: Identity) {
  const credential = await engine.credentials.find(server, principalHashes(engine.ring, server, person));
  return credential?.userId && (await isKnownAs(engine, credential.userId, person)) ? credential : null;
}

/** Notes the first use, or the refusal, with its entry. */
export const mark = (
  { credentials, now }: Pick<Engine, 'credentials' | 'now'>,
  { id }: ServerCaller,
  credential: StoredCredential,
  what: 'used' | 'refused',
): Promise<void> =>
  credentials.mark(
    credential.id,
    `${what}At`,
    credentialEntry(credential, now(), { kind: 'server', id }, { type: `credential.${what}` }),
  );

/** Address at which a person enters their credentials for a server. */
interface CredentialLink {
  url: string;
  expiresAt: number;
}

/** Content of a link: it is valid for this server and this person, once. */
export interface LinkedPerson {
  server: { id: ServerId; name: string };
  person: Required<Identity>;
  nonceHash: Buffer;
}

type LinkEngine = Pick<Engine, 'tokens' | 'ring' | 'now' | 'publicUrl'>;

/** Lifetime in milliseconds. */
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
