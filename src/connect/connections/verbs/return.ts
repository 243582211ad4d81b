import { equalBytes, hashSecret } from '#platform/crypto/random';
import { Problem } from '#platform/model/problem';
import type { CredentialId, ElicitationId } from '#platform/model/id';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openQuestion } from '#requests/asking/verbs/question';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Intent } from '#requests/state/verbs/intent';
import { changeElicitation, readable } from '#requests/state/verbs/change';
import { pageVisitor, type PageVisitor } from '#requests/pages/verbs/page';
import { storedByRequester, storedWithAccept } from '../../credentials/verbs.ts';
import type { StoredCredential } from '../../credentials/store.ts';
import { covers, type Account, type ConnectClient, type Redeemed } from '../../providers/provider.ts';
import type { ExpectedConnection } from '../../providers/expects.ts';
import { connectionKey, openKept, sealKept } from '../rules.ts';
import type { StoredJourney } from '../store.ts';
import { connectedIntent } from './end.ts';
import { journeyOf } from './leave.ts';
import { assertAllowed } from '../../auto/verbs/issuer.ts';
import { clientFor } from './tokens.ts';

/** A browser that comes back from a provider. */
interface Returning {
  /** The key in the address. */
  provider: string;
  /** The whole address, as it was opened. */
  address: URL;
  /** The secret of the way with this state in this browser's cookies; null if it has none. */
  secretOf(state: string): string | null;
  /** The secret by which this browser proved to be the requester's of this request; null if it has none. */
  pageSecretOf(id: ElicitationId): string | null;
}

export type Returned =
  /** Recorded: the account is connected, or the person declined at the provider. */
  | { state: 'recorded'; row: ElicitationRow }
  /** Nothing was redeemed: the way began in another browser, which may still go on. */
  | { state: 'elsewhere'; about: ElicitationId }
  /** The code was redeemed or refused, and nothing is recorded: they may go again from the page in front. */
  | { state: 'failed'; row: ElicitationRow; provider: string; problem: Problem };

/**
 * Takes a person back from a provider. Nothing is redeemed unless the browser is the one that left, its way was not used,
 * it still is the requester's, and they are still signed in where that proved them. The tokens, the accept and their
 * entries are one commit. Problem `token-invalid` for a way that is used, expired, or of another provider.
 */
export async function returnFromProvider(engine: Engine, returning: Returning): Promise<Returned> {
  const { provider, address } = returning;
  const state = address.searchParams.get('state') ?? '';
  const journey = await engine.connections.find(hashSecret(state));
  if (journey?.provider !== provider) throw new Problem('token-invalid');
  const secret = returning.secretOf(state);
  const isTheirs = secret !== null && equalBytes(hashSecret(secret), journey.secretHash);
  const row = await engine.reader.elicitation(journey.elicitation);
  const visitor = row && isTheirs ? await pageVisitor(engine, row, returning.pageSecretOf(row.id) ?? '') : null;
  if (!row || !visitor || secret === null) return { state: 'elsewhere', about: journey.elicitation };
  return redeem(engine, row, { journey, secret, address, visitor });
}

interface Way {
  journey: StoredJourney;
  secret: string;
  address: URL;
  visitor: PageVisitor;
}

async function redeem(
  engine: Engine,
  row: ElicitationRow,
  { journey, secret, address, visitor }: Way,
): Promise<Returned> {
  const { expects } = openQuestion(engine.ring, row);
  const isUsed = !(await engine.connections.take(journey.stateHash, engine.now()));
  if (isUsed || row.status !== 'open' || expects?.kind !== 'connection' || expects.provider !== journey.provider)
    throw new Problem('token-invalid');
  const client = clientFor(engine, row.serverName, expects);
  await assertAllowed(engine, expects);
  try {
    const connected = await redeemAt(client, address, journeyOf(engine, expects, secret), expects);
    const stored = connected && (await storedByRequester(engine, row, connectionKey(expects)));
    const isWithdrawn = connected !== null && stored !== null && endsFormer(engine, client, stored, connected);
    const former = isWithdrawn ? stored.id : undefined;
    const outcome = { expects, connected, isReplacing: stored !== null, former };
    return { state: 'recorded', row: await recordOrRevoke(engine, client, row, visitor, outcome) };
  } catch (error) {
    if (!(error instanceof Problem) || !['provider-unavailable', 'token-invalid'].includes(error.code)) throw error;
    return { state: 'failed', row, provider: client.settings.label, problem: error };
  }
}

/** Null if they declined at the provider, or granted less than was wanted. */
async function redeemAt(
  client: ConnectClient,
  address: URL,
  journey: Parameters<ConnectClient['redeem']>[1],
  { scopes }: ExpectedConnection,
): Promise<Redeemed | null> {
  try {
    const connected = await client.redeem(address, journey, scopes);
    if (covers(client.settings, connected.tokens.scopes, scopes)) return connected;
    await client.revoke(connected.tokens);
    return null;
  } catch (error) {
    if (error instanceof Problem && error.code === 'connection-declined') return null;
    throw error;
  }
}

/**
 * Is the provider to withdraw the tokens that these replace? Only where it ends one token alone: others end all that the person
 * has given, the new ones as well.
 */
function endsFormer(
  { ring }: Engine,
  { settings: { oauth } }: ConnectClient,
  stored: StoredCredential,
  { tokens }: Redeemed,
): boolean {
  if (!oauth || 'issuer' in oauth || typeof oauth.revoke !== 'object') return false;
  const kept = readable(() => openKept(ring, stored, stored.sealed));
  return kept !== null && kept.tokens.accessToken !== tokens.accessToken;
}

interface Outcome {
  expects: ExpectedConnection;
  connected: Redeemed | null;
  isReplacing: boolean;
  /** The connection whose tokens the provider is to withdraw. */
  former: CredentialId | undefined;
}

/** Tokens that no one will keep are withdrawn, as far as their provider answers. */
async function recordOrRevoke(
  engine: Engine,
  client: ConnectClient,
  row: ElicitationRow,
  visitor: PageVisitor,
  outcome: Outcome,
): Promise<ElicitationRow> {
  try {
    return await record(engine, row, visitor, outcome);
  } catch (error) {
    if (outcome.connected && isRefused(error)) await client.revoke(outcome.connected.tokens).catch(() => false);
    throw error;
  }
}

/** After a fault of the database it may have been stored. */
const isRefused = (error: unknown): boolean => error instanceof Problem && error.code === 'token-invalid';

const record = (
  engine: Engine,
  { id }: ElicitationRow,
  visitor: PageVisitor,
  outcome: Outcome,
): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    if (row.status !== 'open') throw new Problem('token-invalid');
    return intentOf(engine, row, visitor, outcome, now);
  });

function intentOf(
  engine: Engine,
  row: ElicitationRow,
  visitor: PageVisitor,
  { expects, connected, isReplacing, former }: Outcome,
  now: number,
): Intent {
  if (!connected) return connectedIntent(engine, row, { actor: visitor, expects, connection: null, now });
  const { tokens } = connected;
  const { byAccessToken, issuer } = expects;
  const account = accountOf(row, expects, connected);
  const connection = storedWithAccept(engine, row, {
    actor: visitor,
    key: connectionKey(expects),
    isReplacing,
    now,
    expiresAt: tokens.expiresAt,
    seal: (place) => sealKept(engine.ring, place, { tokens, account, byAccessToken, issuer }),
  });
  const named = { id: connection.row.id, account: account.label };
  return {
    ...connectedIntent(engine, row, { actor: visitor, expects, connection: named, now }),
    connection: { ...connection, former },
  };
}

/** The account, by the name of the server where the provider gives it none. */
const accountOf = (
  { serverName }: ElicitationRow,
  { provider, resource = provider }: ExpectedConnection,
  { account }: Redeemed,
): Account => account ?? { id: resource, label: serverName };
