import { hashSecret, newOneTimeSecret, newId } from '#platform/crypto/random';
import { challengeIn, checkRegistration, type Registration, relyingPartyOf, checkAssertion } from './rules.ts';
import type { PasskeyId, UserId } from '#platform/model/id';
import { maxPasskeys, type RelyingParty, type PasskeyFault, challengeLife } from './contract/types.ts';
import type { User, SignedInUser } from '#people/directory/contract/user';
import type { ChallengePurpose, UsedPasskey, StoredPasskey } from './store.ts';
import {
  confirmSession,
  startSession,
  type SignedInSession,
  type SignInPlace,
  assertMayAddFactor,
  guardAddingFactor,
  guardStrongSignIn,
} from '../sign-in/verbs/sessions.ts';
import { auditEntry } from '#audit/entries/rules/entry';
import { Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import { mayNeedPasskey, presenceFor, type Presence, type PresenceTerm } from '#people/directory/contract/presence';
import type { ElicitationRow } from '#requests/state/store/row';
import type { PasskeyAssertion } from './contract/passkeys.ts';

/** The device and the means to unlock it are two factors. */
const byPasskey = (passkey: PasskeyId) => ({ method: 'passkey', assurance: 'multi-factor', passkey }) as const;

/** Starts a session for the person whose passkey signed a challenge that this browser got. */
export async function signInWithPasskey(
  engine: PasskeyEngine,
  assertion: PasskeyAssertion,
  browser: string,
  place?: SignInPlace,
): Promise<SignedInSession> {
  const challenge = await ownChallenge(engine, assertion, 'sign-in', browser);
  const { passkey, user } = await usePasskey(engine, assertion, challenge);
  const session = await startSession(engine, user, byPasskey(passkey.id), { place });
  if (!session) throw refusedPasskey('passkey-unknown', passkey);
  return session;
}

/** Proves in an existing session, by a passkey of its person, who they are; it goes by another secret from then on. */
export async function confirmByPasskey(
  engine: PasskeyEngine,
  user: User,
  secret: string,
  assertion: PasskeyAssertion,
): Promise<SignedInSession> {
  const challenge = await ownChallenge(engine, assertion, 'confirm', secret);
  const { passkey } = await usePasskey(engine, assertion, challenge, user.id);
  return confirmSession(engine, user, hashSecret(secret), byPasskey(passkey.id));
}

/** The challenge that was signed, used up. */
async function ownChallenge(
  engine: PasskeyEngine,
  assertion: PasskeyAssertion,
  purpose: ChallengePurpose,
  browser: string,
): Promise<string> {
  const challenge = challengeIn(assertion);
  if (challenge === null) throw refusedPasskey('passkey-malformed');
  const isOurs = await takeChallenge(engine, challenge, purpose, hashSecret(browser));
  if (!isOurs) throw refusedPasskey('passkey-challenge');
  return challenge;
}

/** The person's passkeys, and the origin at which browsers can make one; null if they can make none for this installation. */
export const listPasskeys = async (
  { passkeys, publicUrl }: Pick<PasskeyEngine, 'passkeys' | 'publicUrl'>,
  { id }: SignedInUser,
): Promise<{ passkeys: UsedPasskey[]; origin: string | null }> => ({
  passkeys: await passkeys.listOf(id),
  origin: relyingPartyOf(publicUrl())?.origin ?? null,
});

/** The passkeys of a person, as those who look after people read them. */
export async function listPasskeysOf(
  { passkeys, users }: Pick<Engine, 'passkeys' | 'users'>,
  id: UserId,
): Promise<UsedPasskey[]> {
  if (!(await users.byId(id))) throw new Problem('not-found');
  return passkeys.listOf(id);
}

/** Options for a browser to make a passkey for this person. */
export interface MakingPasskey {
  party: RelyingParty;
  challenge: string;
  /** The person's other passkeys, so that no authenticator makes a second one. */
  others: UsedPasskey[];
}

/** Begins to add a passkey, in a session that was proven lately by every factor that the person has. */
export async function beginPasskey(engine: PasskeyEngine, user: SignedInUser, secret: string): Promise<MakingPasskey> {
  assertMayAddFactor(user, engine.now());
  const party = relyingParty(engine);
  const others = await engine.passkeys.listOf(user.id);
  if (others.length >= maxPasskeys) throw tooMany();
  return { party, challenge: await newChallenge(engine, 'add', secret), others };
}

const tooMany = (): Problem => new Problem('not-now', { detail: `Remove a passkey first: you have ${maxPasskeys}.` });

/**
 * Adds the passkey that a browser made. It counts for the administrator for whom the session counts: who made the link
 * of a password could have added it. It is a factor of the person's own if the session is.
 */
export async function addPasskey(
  engine: PasskeyEngine,
  user: SignedInUser,
  secret: string,
  { name, registration }: { name: string; registration: Registration },
): Promise<UsedPasskey> {
  const also = guardAddingFactor(user, engine.now());
  const party = relyingParty(engine);
  const challenge = challengeIn(registration) ?? '';
  if (!(await takeChallenge(engine, challenge, 'add', hashSecret(secret)))) throw refusedPasskey('passkey-challenge');
  const checked = await checkRegistration(registration, { challenge, party });
  if (!checked) throw refusedPasskey('passkey-signature');
  const { counter, ...key } = checked;
  const { id: userId, credentialIssuer: issuedBy = null } = user;
  const { transports } = registration;
  const [id, entryId, addedAt] = [newId('passkey'), newId('entry'), engine.now()];
  const passkey = { id, userId, ...key, transports, name, issuedBy, entryId, addedAt, removedAt: null };
  const event = {
    type: 'user.passkey-added',
    user: userId,
    passkey: id,
    credential: key.credentialId,
    publicKey: Buffer.from(key.publicKey).toString('base64url'),
    site: party.id,
    origin: party.origin,
    isBackedUp: key.isBackedUp,
    isSyncable: key.isSyncable,
    ...(issuedBy && { countsFor: issuedBy }),
  } as const;
  const entry = auditEntry(entryId, addedAt, { kind: 'user', id: userId }, event);
  const outcome = await engine.passkeys.add(passkey, counter, entry, also);
  if (outcome === 'too-many') throw tooMany();
  if (outcome === 'refused') throw refusedPasskey('passkey-unknown');
  return { ...passkey, usedAt: null };
}

/** Removes it and ends the person's other sessions. Problem `not-found` if it is not theirs. */
export async function removePasskey(
  engine: PasskeyEngine,
  user: SignedInUser,
  secret: string,
  id: PasskeyId,
): Promise<void> {
  const also = guardStrongSignIn(user, engine.now());
  const stored = (await engine.passkeys.listOf(user.id)).find((passkey) => passkey.id === id);
  if (!stored) throw new Problem('not-found');
  const event = { type: 'user.passkey-removed', user: user.id, passkey: id, credential: stored.credentialId } as const;
  const entry = auditEntry(newId('entry'), engine.now(), { kind: 'user', id: user.id }, event);
  if (!(await engine.passkeys.remove(id, user.id, hashSecret(secret), entry, also))) throw new Problem('not-found');
}

/** The proof that an approval of this request needs of this person. */
export async function neededPresence(
  engine: Pick<Engine, 'passkeys' | 'environment'>,
  user: Pick<User, 'id' | 'credentialIssuer'>,
  { risk }: Pick<ElicitationRow, 'risk'>,
  term: PresenceTerm,
): Promise<Presence> {
  const approval = { risk, environment: engine.environment };
  const hasPasskey = mayNeedPasskey(term, approval) && (await signingPasskeys(engine, user)).length > 0;
  return presenceFor(term, { ...approval, hasPasskey });
}

/**
 * The passkey that signed this challenge, and its person, after they were verified by their device. Every other outcome
 * is the same problem, `passkey-refused`; the log says which it was.
 */
export async function usePasskey(
  engine: Pick<PasskeyEngine, 'passkeys' | 'now' | 'publicUrl'>,
  assertion: PasskeyAssertion,
  challenge: string,
  owner?: UserId,
): Promise<{ passkey: StoredPasskey; user: User }> {
  const stored = await engine.passkeys.byCredential(assertion.credentialId);
  if (!stored || (owner !== undefined && stored.user.id !== owner)) throw refusedPasskey('passkey-unknown');
  const { passkey, user, isProven } = stored;
  if (!isProven) throw refusedPasskey('passkey-unproven', passkey);
  const { publicKey } = passkey;
  const checked = await checkAssertion(assertion, { challenge, party: relyingParty(engine), publicKey });
  if ('fault' in checked) throw refusedPasskey(checked.fault, passkey);
  // The authenticator says this once for all: another answer is of another key, or of a program that imitates it.
  if (passkey.isSyncable !== null && passkey.isSyncable !== checked.isSyncable)
    throw refusedPasskey('passkey-syncable', passkey);
  const isNext = await engine.passkeys.use(passkey.id, checked.counter, engine.now());
  if (!isNext) throw refusedPasskey('passkey-counter', passkey);
  if (checked.isBackedUp !== passkey.isBackedUp) await noteBackup(engine, passkey, checked);
  return { passkey, user };
}

async function noteBackup(
  { passkeys, now }: Pick<PasskeyEngine, 'passkeys' | 'now'>,
  { id, userId: user }: StoredPasskey,
  { isBackedUp }: { isBackedUp: boolean },
): Promise<void> {
  const event = { type: 'user.passkey-backup-changed', user, passkey: id, isBackedUp } as const;
  await passkeys.noteBackup(id, isBackedUp, auditEntry(newId('entry'), now(), { kind: 'user', id: user }, event));
}

export const refusedPasskey = (what: PasskeyFault, passkey?: StoredPasskey): Problem =>
  new Problem('passkey-refused', { what, about: passkey ? [passkey.id, passkey.userId] : [] });

/** Passkeys with which this person can sign votes in this session. */
export const signingPasskeys = async (
  { passkeys }: Pick<Engine, 'passkeys'>,
  user: Pick<User, 'id' | 'credentialIssuer'>,
): Promise<StoredPasskey[]> => (await passkeys.listOf(user.id)).filter((passkey) => maySign(passkey, user));

/** A passkey added under a password whose link an administrator made signs only votes that count for them as well. */
export const maySign = ({ issuedBy }: StoredPasskey, { credentialIssuer }: Pick<User, 'credentialIssuer'>): boolean =>
  issuedBy === null || issuedBy === credentialIssuer;

type PasskeyEngine = Pick<Engine, 'passkeys' | 'users' | 'now' | 'publicUrl' | 'sessions'>;

/** The site whose passkeys this installation takes. Problem `not-now` if its public address has no name. */
export function relyingParty({ publicUrl }: Pick<Engine, 'publicUrl'>): RelyingParty {
  const party = relyingPartyOf(publicUrl());
  if (!party) throw new Problem('not-now', { detail: 'Open Assentry under a name: no passkey is for an IP address.' });
  return party;
}

/**
 * A random value that can be signed once within five minutes, for this purpose, by the browser that has this secret.
 * Any node takes it back.
 */
export async function newChallenge(
  { passkeys, now }: Pick<Engine, 'passkeys' | 'now'>,
  purpose: ChallengePurpose,
  browser: string,
): Promise<string> {
  const { secret, hash } = newOneTimeSecret();
  await passkeys.addChallenge({ hash, purpose, boundTo: hashSecret(browser), expiresAt: now() + challengeLife });
  return secret;
}

/** Uses it up; false if it was not given out to this browser for this, or not lately. */
export const takeChallenge = (
  { passkeys, now }: Pick<Engine, 'passkeys' | 'now'>,
  secret: string,
  purpose: ChallengePurpose,
  boundTo: Uint8Array,
): Promise<boolean> => passkeys.takeChallenge({ hash: hashSecret(secret), purpose, boundTo }, now());
