import { hashSecret } from '#platform/crypto/random';
import { Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import { attemptOf, newAttempt } from '#access/sign-in/rules';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Journey } from '../../providers/provider.ts';
import type { ExpectedConnection } from '../../providers/expects.ts';
import { clientFor } from './tokens.ts';

/** Milliseconds in which someone must come back from a provider. */
export const journeyLife = 600_000;

/** The one address to which this provider sends people back; it is registered there letter by letter. */
export const returnAddress = ({ publicUrl }: Pick<Engine, 'publicUrl'>, key: string): string =>
  `${publicUrl()}/providers/${key}/return`;

/** The way of the browser with this secret. The database keeps nothing that could be used. */
export function journeyOf(
  engine: Pick<Engine, 'publicUrl'>,
  { provider, resource }: Pick<ExpectedConnection, 'provider' | 'resource'>,
  secret: string,
): Journey {
  const { state, nonce, codeVerifier } = attemptOf(secret);
  return { state, nonce, codeVerifier, redirectUri: returnAddress(engine, provider), resource };
}

type LeaveEngine = Pick<Engine, 'connect' | 'connectChosen' | 'connections' | 'users' | 'publicUrl' | 'now'>;

/** The hash of the console's session in the browser, if the requester proved by it who they are. */
export type SessionHash = Uint8Array | null;

/**
 * Sends the requester to the provider of their question. The secret is for a cookie of their browser alone: the
 * address redeems nothing in another one. Problem `unauthenticated` if their session has ended.
 */
export async function leaveForProvider(
  engine: LeaveEngine,
  { id, serverName }: ElicitationRow,
  expects: ExpectedConnection,
  sessionHash: SessionHash,
): Promise<{ secret: string; state: string; address: string }> {
  const client = clientFor(engine, serverName, expects);
  const { secret } = newAttempt();
  const journey = journeyOf(engine, expects, secret);
  const address = await client.authorizationUrl(journey, expects.scopes);
  const session = sessionHash && (await engine.users.sessionId(sessionHash));
  if (sessionHash && !session) throw new Problem('unauthenticated');
  await engine.connections.begin({
    stateHash: hashSecret(journey.state),
    secretHash: hashSecret(secret),
    elicitation: id,
    provider: expects.provider,
    session,
    expiresAt: engine.now() + journeyLife,
  });
  return { secret, state: journey.state, address };
}
