import { hashSecret } from '#platform/crypto/random/one-time-secret';
import { challengeIn } from '../rules/client-data.ts';
import type { PasskeyId } from '#platform/model/id';
import type { Assertion } from '../contract/types.ts';
import type { User } from '#people/directory/contract/user';
import type { ChallengePurpose } from '../store.ts';
import {
  confirmSession,
  startSession,
  type SignedInSession,
  type SignInPlace,
} from '../../sign-in/verbs/sessions/sessions.ts';
import { takeChallenge, type PasskeyEngine } from './challenges.ts';
import { refusedPasskey, usePasskey } from './use-passkey.ts';

/** What a device holds and what unlocks it are two factors. */
const byPasskey = (passkey: PasskeyId) => ({ method: 'passkey', assurance: 'multi-factor', passkey }) as const;

/** Starts a session for the person whose passkey signed a challenge that this browser got. */
export async function signInWithPasskey(
  engine: PasskeyEngine,
  assertion: Assertion,
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
  assertion: Assertion,
): Promise<SignedInSession> {
  const challenge = await ownChallenge(engine, assertion, 'confirm', secret);
  const { passkey } = await usePasskey(engine, assertion, challenge, user.id);
  return confirmSession(engine, user, hashSecret(secret), byPasskey(passkey.id));
}

/** The challenge that was signed, used up. */
async function ownChallenge(
  engine: PasskeyEngine,
  assertion: Assertion,
  purpose: ChallengePurpose,
  browser: string,
): Promise<string> {
  const challenge = challengeIn(assertion);
  if (challenge === null) throw refusedPasskey('passkey-malformed');
  const isOurs = await takeChallenge(engine, challenge, purpose, hashSecret(browser));
  if (!isOurs) throw refusedPasskey('passkey-challenge');
  return challenge;
}
