import { auditEntry } from '#audit/entries/rules/entry/entry';
import { hashSecret, newOneTimeSecret } from '#platform/crypto/random/one-time-secret';
import { newId } from '#platform/crypto/random/random';
import type { Authentication, SecondFactor } from '../../contract/authentication/authentication.ts';
import type { PasskeyId, SessionId, TotpId } from '#platform/model/id';
import { signInSteps, stepLeft, type SignInStep } from '../../../factors/contract/factor-rule.ts';
import type { SessionProof, SignedInUser, User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem/problem';
import type { CurrentEpoch } from '#platform/database/epochs';
import type { SessionIdentity, StoredSession } from '../../store/sessions/sessions.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** Milliseconds between two records of a session's use. */
const touchAfter = 60_000;

export interface SignedInSession {
  user: User;
  /** For the cookie only: it is stored nowhere. */
  secret: string;
  expiresAt: number;
}

/** How someone has just proved who they are: by which passkey, or if that was elsewhere, when and as whom. */
export interface Proven extends Pick<Authentication, 'method' | 'assurance' | 'acr'> {
  passkey?: PasskeyId;
  at?: number | undefined;
  identity?: SessionIdentity | undefined;
}

/** Where someone signs in: the browser as it names itself, and the address it comes from. */
export interface SignInPlace {
  agent: string;
  address: string;
}

export type SignInEngine = Pick<Engine, 'users' | 'now' | 'sessions'>;
/** Reads sessions by what they must have proven. */
type SessionEngine = SignInEngine & Pick<Engine, 'secondFactor'>;

/** Where a session is accepted although its second factor is missing: by default nowhere. */
type OpenAt = readonly SignInStep[];

export interface FoundSession {
  user: SignedInUser;
  expiresAt: number;
  /** What is left of the sign-in. */
  step: SignInStep | null;
}

/**
 * Who this session cookie belongs to, or null; a session in use lives on until its absolute end. Problem
 * `second-factor-needed` if that is missing: no session opens anything before, but what is open at this step.
 */
export async function findSession(
  engine: SessionEngine,
  secret: string,
  openAt: OpenAt = [],
): Promise<FoundSession | null> {
  const hash = hashSecret(secret);
  const session = await liveSession(engine, hash, openAt);
  const now = engine.now();
  if (!session) return null;
  if (session.lastSeenAt + touchAfter <= now) await engine.users.touchSession(hash, now);
  return { user: session.user, expiresAt: session.expiresAt, step: stepOf(engine, session) };
}

/** The same from memory, without a statement, for a verb whose own statement checks the proof; null if it has to be read. */
export function keptSession(engine: SessionEngine, secret: string): SignedInUser | null {
  const { users, now, sessions } = engine;
  const session = users.keptSession(hashSecret(secret));
  if (session && stepOf(engine, session) !== null) return null;
  const isInUse = session && session.lastSeenAt + Math.min(touchAfter, sessions.idle) > now();
  return isInUse && session.expiresAt > now() ? session.user : null;
}

/** The person as of now, read again by their session; problem `unauthenticated` if that has ended. */
export async function currentUser<U extends { proof?: SessionProof | undefined }>(
  engine: SessionEngine,
  user: U,
): Promise<U | SignedInUser> {
  if (!user.proof) return user;
  const session = await liveSession(engine, user.proof.hash);
  if (!session) throw new Problem('unauthenticated');
  return session.user;
}

/** The person of this session if it is valid; asking does not keep it alive. */
export const signedInUser = async (engine: SessionEngine, secret: string): Promise<SignedInUser | null> =>
  (await completedSession(engine, hashSecret(secret)))?.user ?? null;

/** The same by the id of the session, for someone who comes back from an identity provider. */
export async function userOfSession(
  engine: SessionEngine,
  id: SessionId,
  openAt?: OpenAt,
): Promise<(SignedInUser & { proof: SessionProof }) | null> {
  const hash = await engine.users.sessionHash(id);
  return hash && ((await liveSession(engine, hash, openAt))?.user ?? null);
}

/**
 * The same for someone who listens: all who ask together share one look at the epochs, and the session is read again only if
 * people or sessions are others than when it was read, or it may be over.
 */
export function createListener(
  engine: SessionEngine & Pick<Engine, 'epochs'>,
  secret: string,
): () => Promise<SignedInUser | null> {
  let session: StoredSession | null = null;
  return async () => {
    const now = await engine.epochs.read();
    if (!session || !isStillLive(engine, session, now)) session = await completedSession(engine, hashSecret(secret));
    return session && session.user;
  };
}

function isStillLive(engine: SignInEngine, session: StoredSession, { users, sessions }: CurrentEpoch): boolean {
  const { proof } = session.user;
  return proof.users === users && proof.sessions === sessions && !isOver(engine, session);
}

/** The one place that decides whether a session is good; problem `second-factor-needed` if its sign-in is not complete. */
async function liveSession(
  engine: SessionEngine,
  hash: Uint8Array,
  openAt: OpenAt = [],
): Promise<StoredSession | null> {
  const session = await engine.users.session(hash);
  if (!session || isOver(engine, session)) return null;
  const step = stepOf(engine, session);
  if (step !== null && !openAt.includes(step)) throw new Problem('second-factor-needed');
  return session;
}

/** The same for someone who listens: null as well if the sign-in is not complete. */
async function completedSession(engine: SessionEngine, hash: Uint8Array): Promise<StoredSession | null> {
  const session = await liveSession(engine, hash, signInSteps);
  return session && stepOf(engine, session) === null ? session : null;
}

const stepOf = ({ secondFactor }: SessionEngine, { user, hasFactor }: StoredSession): SignInStep | null =>
  stepLeft(secondFactor, { assurance: user.authentication.assurance, hasFactor });

const isOver = ({ now, sessions }: SignInEngine, { expiresAt, lastSeenAt }: StoredSession): boolean =>
  expiresAt <= now() || lastSeenAt + sessions.idle <= now();

/** Ends this session of the person, once. */
export function signOut({ users, now }: SignInEngine, { id }: User, secret: string): Promise<void> {
  const event = { type: 'user.signed-out', user: id } as const;
  return users.endSession(hashSecret(secret), auditEntry(newId('entry'), now(), { kind: 'user', id }, event));
}

/** Null if the person has been disabled at the same moment, or the password has changed. */
export async function startSession(
  { users, now, sessions }: SignInEngine,
  user: User,
  proven: Proven,
  {
    passwordHash,
    place = { agent: '', address: '' },
  }: { passwordHash?: string | undefined; place?: SignInPlace | undefined } = {},
): Promise<SignedInSession | null> {
  const { secret, hash } = newOneTimeSecret();
  const at = now();
  const expiresAt = at + sessions.longest;
  const { method, assurance, passkey, acr, identity } = proven;
  const event = { type: 'user.signed-in', user: user.id, with: method, assurance, ...meansOf(proven) } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  const authentication = { method, assurance, at: proven.at ?? at, passkey, acr };
  const id = newId('session');
  const session = { id, hash, userId: user.id, at, expiresAt, authentication, passwordHash, identity, ...place };
  return (await users.startSession(session, entry)) ? { user, secret, expiresAt } : null;
}

/** Proves again, in the session with this hash, who the person is; it goes by another secret from then on. */
export async function confirmSession(
  { users, now }: SignInEngine,
  user: User,
  hash: Uint8Array,
  proven: Proven,
): Promise<SignedInSession> {
  const at = now();
  const event = {
    type: 'user.confirmed',
    user: user.id,
    with: proven.method,
    assurance: proven.assurance,
    ...meansOf(proven),
  } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  const next = newOneTimeSecret();
  const proof = { ...proven, userId: user.id, at: proven.at ?? at, hash: next.hash };
  const session = await users.confirmSession(hash, proof, entry);
  if (!session) throw new Problem('unauthenticated');
  return { user, secret: next.secret, expiresAt: session.expiresAt };
}

/** Proves a second factor in the session with this hash; it goes by another secret from then on. */
export async function completeSession(
  { users, now }: SignInEngine,
  user: User,
  hash: Uint8Array,
  { factor, totp }: { factor: SecondFactor; totp: TotpId },
): Promise<SignedInSession> {
  const event = { type: 'user.confirmed', user: user.id, with: factor, assurance: 'multi-factor', totp } as const;
  const entry = auditEntry(newId('entry'), now(), { kind: 'user', id: user.id }, event);
  const next = newOneTimeSecret();
  const session = await users.completeSession(hash, { hash: next.hash, factor, totp }, entry);
  if (!session) throw new Problem('unauthenticated');
  return { user, secret: next.secret, expiresAt: session.expiresAt };
}

/** By what of their own the person proved it, for the log. */
const meansOf = ({ passkey, identity }: Proven): { passkey?: PasskeyId; provider?: string } => ({
  ...(passkey && { passkey }),
  ...(identity && { provider: identity.issuer }),
});
