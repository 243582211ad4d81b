import { hashSecret, newOneTimeSecret } from '#platform/crypto/random/one-time-secret';
import type { UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { User } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { startSession, type SignedInSession, type SignInEngine, type SignInPlace } from './sessions.ts';

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
