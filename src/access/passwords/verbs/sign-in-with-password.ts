import { hashSecret } from '#platform/crypto/random/one-time-secret';
import { verifyPassword } from '../rules/passwords/password.ts';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import type { User } from '#people/directory/contract/user';
import { hashOfName } from '#audit/entries/verbs/access-watch';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { assertPasswordAllowed, type PasswordRule } from './assert-password-allowed.ts';
import {
  confirmSession,
  startSession,
  type SignedInSession,
  type SignInEngine,
  type SignInPlace,
} from '../../sign-in/verbs/sessions/sessions.ts';

/** A password proves one factor of the person's own. */
export const byPassword = { method: 'password', assurance: 'single-factor' } as const;

/** An address that no one has stands in the log only as its keyed hash. */
type PasswordEngine = ConfirmingEngine & Pick<Engine, 'ring'>;
type ConfirmingEngine = SignInEngine & PasswordRule;

/** Starts a session; an unknown address and a wrong password get the same answer in the same time. */
export async function signInWithPassword(
  engine: PasswordEngine,
  email: string,
  password: string,
  place?: SignInPlace,
): Promise<SignedInSession> {
  const account = await engine.users.byEmail(email);
  if (!(await verifyPassword(account?.passwordHash ?? null, password)) || !account)
    throw wrongSignIn(account?.user.id ?? hashOfName(engine.ring, 'email', email.toLowerCase()));
  await assertPasswordAllowed(engine, account.user.id); // only who has the password learns of the rule
  const session = await startSession(engine, account.user, byPassword, {
    passwordHash: account.passwordHash ?? undefined,
    place,
  });
  if (!session) throw wrongSignIn(account.user.id);
  return session;
}

const wrongSignIn = (name: string): Problem =>
  new Problem('unauthenticated', { refusal: { code: 'wrong-password' }, about: [name] });

/** Proves the password again in an existing session, which goes by another secret from then on; INVALID_INPUT if it is wrong. */
export async function confirmPassword(
  engine: ConfirmingEngine,
  user: User,
  secret: string,
  password: string,
): Promise<SignedInSession> {
  const account = await engine.users.byEmail(user.email);
  if (!(await verifyPassword(account?.passwordHash ?? null, password))) {
    throw invalidInput(['password'], 'Try again: this is not your password.');
  }
  await assertPasswordAllowed(engine, user.id);
  return confirmSession(engine, user, hashSecret(secret), byPassword);
}
