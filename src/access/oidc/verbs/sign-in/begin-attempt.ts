import { newAttempt } from '../../../sign-in/rules/sign-in-attempt.ts';
import type { IdentityProvider } from '../../contract/identity-provider/identity-provider.ts';
import type { SessionId } from '#platform/model/id';
import { isOwnPath } from '#platform/model/own-path';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import type { SignedInUser } from '#people/directory/contract/user';
import type { AttemptPurpose } from '../../store.ts';
import { assertStrongSignIn } from '../../../sign-in/verbs/sessions/assert-strong-sign-in.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** Milliseconds in which someone must come back from the provider. */
export const attemptLifeMs = 600_000;

export type FederationEngine = Pick<
  Engine,
  | 'providers'
  | 'federation'
  | 'users'
  | 'directory'
  | 'environment'
  | 'now'
  | 'sessions'
  | 'secondFactor'
  | 'ring'
  | 'publicUrl'
  | 'health'
>;

export interface AttemptRequest {
  purpose: AttemptPurpose;
  returnTo: string;
  /** What the provider is asked to vouch for; absent asks for what its settings name. */
  acr?: string | undefined;
  /** Who is signed in; null for someone who signs in. */
  user: SignedInUser | null;
}

/**
 * Sends someone to a provider: to sign in, to prove again who they are, or to connect it. The secret is for the cookie only,
 * and stored nowhere.
 */
export async function beginAttempt(
  engine: FederationEngine,
  key: string,
  { purpose, returnTo, acr, user }: AttemptRequest,
) {
  const provider = providerOf(engine, key);
  if (!isOwnPath(returnTo)) throw wrongPath;
  if (purpose === 'connect') assertStrongSignIn(user ?? {}, engine.now());
  const sessionId = purpose === 'sign-in' ? null : await sessionOf(engine, user);
  const { secret, hash, ...secrets } = newAttempt();
  const location = await provider.authorizationUrl({
    ...secrets,
    redirectUri: redirectUri(engine, key),
    acr,
    maxAge: purpose === 'sign-in' ? Math.floor(engine.sessions.longest / 1000) : 0,
  });
  const createdAt = engine.now();
  const times = { createdAt, expiresAt: createdAt + attemptLifeMs };
  await engine.federation.beginAttempt({ hash, provider: key, purpose, sessionId, returnTo, ...times });
  return { secret, location };
}

const wrongPath = invalidInput(['returnTo'], 'Give a path of this console, such as /inbox.');

export function providerOf({ providers }: Pick<Engine, 'providers'>, key: string): IdentityProvider {
  const provider = providers.find(({ settings }) => settings.key === key);
  if (!provider) throw new Problem('not-found');
  return provider;
}

/** The address to which a provider sends people back; it is registered there letter by letter. */
export const redirectUri = ({ publicUrl }: Pick<Engine, 'publicUrl'>, key: string): string =>
  `${publicUrl()}/api/sign-in/${key}/callback`;

async function sessionOf({ users }: FederationEngine, user: SignedInUser | null): Promise<SessionId> {
  const id = user?.proof && (await users.sessionId(user.proof.hash));
  if (!id) throw new Problem('unauthenticated');
  return id;
}
