import { auditEntry } from '#audit/entries/rules/entry/entry';
import { hashSecret } from '#platform/crypto/random/one-time-secret';
import { checkRegistration, type Registration } from '../rules/check-registration.ts';
import { challengeIn } from '../rules/client-data.ts';
import { relyingPartyOf } from '../rules/relying-party.ts';
import { newId } from '#platform/crypto/random/random';
import type { PasskeyId, UserId } from '#platform/model/id';
import { maxPasskeys, type RelyingParty } from '../contract/types.ts';
import { Problem } from '#platform/model/problem/problem';
import type { SignedInUser } from '#people/directory/contract/user';
import type { UsedPasskey } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import {
  assertMayAddFactor,
  guardAddingFactor,
  guardStrongSignIn,
} from '../../sign-in/verbs/sessions/assert-strong-sign-in.ts';
import { newChallenge, relyingParty, takeChallenge, type PasskeyEngine } from './challenges.ts';
import { refusedPasskey } from './use-passkey.ts';

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

/** What a browser needs to make a passkey for this person. */
export interface MakingPasskey {
  party: RelyingParty;
  challenge: string;
  /** Those that the person has, so that no authenticator makes a second one. */
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
