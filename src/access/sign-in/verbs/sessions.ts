import { auditEntry, type AuditEntry } from '#audit/entries/rules/entry';
import { hashSecret, newOneTimeSecret, newId } from '#platform/crypto/random';
import type { SessionId, UserId, PasskeyId, TotpId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { User, SignedInUser, SessionProof } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine';
import {
  freshFor,
  isUntimed,
  isWholeFresh,
  type Proof,
  type Authentication,
  type SecondFactor,
} from '../contract/authentication.ts';
import { isTrial } from '#policies/contract/policy';
import type { InCommit } from '#platform/database/database';
import { factorsIn, type SessionIdentity, type StoredSession } from '../store/sessions.ts';
import { assertFreshSignIn } from '#requests/state/verbs/permissions';
import { signInSteps, stepLeft, type SignInStep } from '../../factors/contract/factor-rule.ts';
import type { CurrentEpoch } from '#platform/database/epochs';

type OwnSessionEngine = Pick<Engine, 'users' | 'now' | 'sessions'>;

/** This person's sessions, the latest use first. `secret` is that of the session that asks. */
export async function listOwnSessions(
  { users, now, sessions, providers }: OwnSessionEngine & Pick<Engine, 'providers'>,
  user: User,
  secret: string,
) {
  const own = hashSecret(secret);
  const open = await users.openSessions(user.id, { now: now(), idle: sessions.idle });
  const names = new Map(providers.map(({ settings: { issuer, name } }) => [issuer, name]));
  return open.map(({ hash, provider, ...session }) => ({
    ...session,
    provider: provider && (names.get(provider) ?? provider),
    isThis: own.equals(hash),
  }));
}

/** Signs the person out in one of their browsers. Problem `not-found` if it is not theirs. */
export async function endOwnSession(engine: OwnSessionEngine, user: User, id: SessionId): Promise<void> {
  const count = await engine.users.endSessions(user.id, { only: id }, (sessions) => endedBy(engine, user, sessions));
  if (count === 0) throw new Problem('not-found');
}

/** Signs the person out everywhere but in the session with this secret; returns in how many. */
export const endOtherSessions = (engine: OwnSessionEngine, user: User, secret: string): Promise<number> =>
  engine.users.endSessions(user.id, { except: hashSecret(secret) }, (sessions) => endedBy(engine, user, sessions));

const endedBy = ({ now }: OwnSessionEngine, { id }: User, sessions: SessionId[]): AuditEntry =>
  auditEntry(newId('entry'), now(), { kind: 'user', id }, { type: 'user.sessions-ended', user: id, sessions });

/**
 * Refuses to change what lets a person in, or who votes for them, unless every factor that they have was proven within ten
 * minutes. Else someone at a browser left open who has the password could stay for ever.
 */
export function assertStrongSignIn(user: Partial<SignedInUser>, now: number): void {
  assertFreshSignIn(user, freshFor, now);
  assertFreshFactor(user, now);
}

/** Refuses an act without the proof that it takes. In a trial only what lets a person in, and the emergency override, take one. */
export function assertProof(
  { environment, now }: Pick<Engine, 'environment' | 'now'>,
  user: Partial<SignedInUser>,
  proof: Proof | undefined,
): void {
  if (isTrial(environment)) return;
  if (proof === 'fresh') assertFreshSignIn(user, freshFor, now());
  if (proof === 'every-factor') assertStrongSignIn(user, now());
}

/**
 * The same to add a factor; but someone without one, whose provider does not say when they proved who they are, may add the
 * first within ten minutes of their sign-in. Nothing else could ever let them in.
 */
export function assertMayAddFactor(user: Partial<SignedInUser>, now: number): void {
  if (!isJustSignedIn(user, now)) assertStrongSignIn(user, now);
}

/** The same now, and again in the commit: a factor that was added meanwhile must be proven. */
export function guardAddingFactor(user: Partial<SignedInUser>, now: number): InCommit {
  assertMayAddFactor(user, now);
  return guardFreshFactor(user, now);
}

const isJustSignedIn = ({ authentication }: Partial<SignedInUser>, now: number): boolean =>
  authentication !== undefined &&
  isUntimed(authentication) &&
  authentication.multiFactor === undefined &&
  (authentication.begunAt ?? 0) + freshFor > now;

/** The same now, and again in the commit of what is changed. */
export function guardStrongSignIn(user: Partial<SignedInUser>, now: number): InCommit {
  assertStrongSignIn(user, now);
  return guardFreshFactor(user, now);
}

/** The same where the password is proven at this very moment. */
function assertFreshFactor({ authentication }: Partial<SignedInUser>, now: number): void {
  if (authentication && !isWholeFresh(authentication, freshFor, now))
    throw new Problem('second-factor-needed', {
      detail: 'Confirm your second factor: this needs a proof of the last ten minutes.',
    });
}

/** The same now, and again in the commit: in another session, a factor may be added or this session be ended meanwhile. */
export function guardFreshFactor(user: Partial<SignedInUser>, now: number): InCommit {
  assertFreshFactor(user, now);
  return async (tx) => {
    const { id, proof, authentication } = user;
    const proven = id && proof && (await factorsIn(tx, id, proof.hash));
    if (!proven || !authentication) throw new Problem('unauthenticated');
    assertFreshFactor({ authentication: { ...authentication, multiFactor: proven.multiFactor } }, now);
  };
}

/** A link that someone gave the person proves nothing of their own. */
export const byLink = { method: 'link', assurance: 'none' } as const;

/** Milliseconds a one-time sign-in link can be used. */
const signInLinkLife = 10 * 60_000;

/** Starts a session from a one-time link, which works once even if requests race. */
export async function signInWithLink(
  engine: SignInEngine,
  secret: string,
  place?: SignInPlace,
): Promise<SignedInSession> {
  const link = await engine.users.takeLink(hashSecret(secret), 'signin', engine.now());
  const user = link?.userId ? await engine.users.byId(link.userId) : null;
  if (!user) throw new Problem('token-invalid', { refusal: { code: 'link-used' } });
  return startByLink(engine, user, place);
}

/** A link that signs this person in, once, within ten minutes. */
export async function makeSignInLink(engine: Pick<Engine, 'users' | 'now'>, userId: UserId): Promise<string> {
  const { secret, hash } = newOneTimeSecret();
  await engine.users.addLink({ hash, purpose: 'signin', userId, expiresAt: engine.now() + signInLinkLife });
  return secret;
}

/** For someone who has just used a link of theirs; problem `token-invalid` if they were disabled meanwhile. */
export async function startByLink(engine: SignInEngine, user: User, place?: SignInPlace): Promise<SignedInSession> {
  const session = await startSession(engine, user, byLink, { place });
  if (!session) throw new Problem('token-invalid');
  return session;
}

/** Milliseconds between two records of a session's use. */
const touchAfter = 60_000;

export interface SignedInSession {
  user: User;
  /** For the cookie only: it is stored nowhere. */
  secret: string;
  expiresAt: number;
}

/** A new proof of identity: by which passkey, or if that was elsewhere, when and as whom. */
export interface Proven extends Pick<Authentication, 'method' | 'assurance' | 'acr'> {
  passkey?: PasskeyId;
  at?: number | undefined;
  identity?: SessionIdentity | undefined;
}

/** Place of a sign-in: the browser as it names itself, and the address it comes from. */
export interface SignInPlace {
  agent: string;
  address: string;
}

export type SignInEngine = Pick<Engine, 'users' | 'now' | 'sessions'>;
/** Reads sessions by what they must have proven. */
type SessionEngine = SignInEngine & Pick<Engine, 'secondFactor'>;

/** Steps at which a session is accepted without its second factor: by default none. */
type OpenAt = readonly SignInStep[];

export interface FoundSession {
  user: SignedInUser;
  expiresAt: number;
  /** The missing step of the sign-in. */
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

/** The person's own means of proof, for the log. */
const meansOf = ({ passkey, identity }: Proven): { passkey?: PasskeyId; provider?: string } => ({
  ...(passkey && { passkey }),
  ...(identity && { provider: identity.issuer }),
});
