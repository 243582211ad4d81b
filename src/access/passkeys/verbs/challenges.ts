import { hashSecret, newOneTimeSecret } from '#platform/crypto/random/one-time-secret';
import { relyingPartyOf } from '../rules/relying-party.ts';
import { challengeLife, type RelyingParty } from '../contract/types.ts';
import { Problem } from '#platform/model/problem/problem';
import type { ChallengePurpose } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

export type PasskeyEngine = Pick<Engine, 'passkeys' | 'users' | 'now' | 'publicUrl' | 'sessions'>;

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
