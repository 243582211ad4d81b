import { auditEntry } from '#audit/entries/rules/entry/entry';
import { checkAssertion } from '../rules/check-assertion.ts';
import { newId } from '#platform/crypto/random/random';
import type { UserId } from '#platform/model/id';
import type { Assertion, PasskeyFault } from '../contract/types.ts';
import { Problem } from '#platform/model/problem/problem';
import type { User } from '#people/directory/contract/user';
import type { StoredPasskey } from '../store.ts';
import { relyingParty, type PasskeyEngine } from './challenges.ts';

/**
 * The passkey that signed this challenge, and its person, after they were verified by their device. Every other outcome
 * is the same problem, `passkey-refused`; the log says which it was.
 */
export async function usePasskey(
  engine: Pick<PasskeyEngine, 'passkeys' | 'now' | 'publicUrl'>,
  assertion: Assertion,
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
