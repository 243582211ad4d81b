import { setTimeout as sleep } from 'node:timers/promises';
import { openCredential } from '../rules.ts';
import { principalHashes } from '#platform/crypto/key-ring/lookup-hash';
import { isSame, type Identity } from '#platform/model/identity';
import type { CredentialId, ServerId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { ServerCaller } from '#people/directory/contract/user';
import { identitiesOf } from '#policies/document/rules/directory/directory';
import type { StoredCredential } from '../store.ts';
import { readable } from '#requests/state/verbs/change/readable';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { credentialEntry } from './credential-entry.ts';
import { makeLink, type CredentialLink } from './credential-link.ts';

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
export const untilForgotten = (): Promise<void> => sleep(lasts + margin);

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
