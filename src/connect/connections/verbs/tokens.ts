import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { CredentialId, ServerId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { Identity } from '#platform/model/identity';
import { isLoopback } from '#platform/model/names';
import { principalHashes } from '#platform/crypto/key-ring';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Requester, ServerCaller } from '#people/directory/contract/user';
import { verifyRequester } from '#requests/asking/verbs/requester';
import { readable } from '#requests/state/verbs/change';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Connection, ConnectionToken, FindConnection, FoundConnection, UseConnection } from '../contract.ts';
import { isSecret } from '../../credentials/rules.ts';
import type { StoredCredential } from '../../credentials/store.ts';
import { assertAllowed, autoKeys, clientAt, type AutoEngine } from '../../auto/verbs/issuer.ts';
import { resourceOf } from '../../auto/rules.ts';
import { isKnownAs, lasts, mark, unchecked } from '../../credentials/verbs.ts';
import { autoKey } from '../../providers/auto.ts';
import { covers, type ConnectClient, type ConnectProvider, type TokenSet } from '../../providers/provider.ts';
import { isOutcome, type ExpectedConnection, type Expects } from '../../providers/expects.ts';
import { outcomeClientFor } from '../../outcomes/rules.ts';
import { connectionKey, faultOfUse, isDue, openKept, readConnectionKey, sealKept, type Kept } from '../rules.ts';

type UseEngine = ClientEngine & Pick<Engine, 'outcomes' | 'publicUrl'>;
type ClientEngine = Pick<Engine, 'connect' | 'connectChosen'>;

/** The client of this provider; problem `provider-not-configured` if the server may not use it so. */
export function clientFor(
  engine: ClientEngine,
  server: string,
  use: Pick<ExpectedConnection, 'provider' | 'scopes' | 'issuer'>,
): ConnectClient {
  const client = clientAt(engine, use);
  const isChosen = client !== undefined && !engine.connect.includes(client);
  const fault = isChosen ? null : faultOfUse(client?.settings, server, use);
  if (client && fault === null) return client;
  throw new Problem('provider-not-configured', { detail: fault ?? undefined });
}

/**
 * Refuses a question that expects something of a provider that the server may not use, or of a requester who could not
 * prove on the way who they are.
 */
export function assertUse(engine: UseEngine, server: string, expects: Expects, requester: Requester): void {
  if (expects.kind === 'connection') clientFor(engine, server, expects);
  if (isOutcome(expects)) outcomeClientFor(engine, server, expects);
  const { verified, verifiedBy } = requester;
  if (!isOutcome(expects) && expects.byAccessToken && !verifiedBy) throw unchecked(server);
  if (verified || isLoopback(engine.publicUrl())) return;
  throw new Problem('ELICITATION_NOT_SUPPORTED', {
    detail: 'Verify who calls this server by its MCP authorization: only then can the account of a person be theirs.',
  });
}

type PersonEngine = Pick<Engine, 'credentials' | 'users' | 'ring' | 'now' | 'readToken' | 'publicUrl'>;
type TokenEngine = PersonEngine & AutoEngine & Pick<Engine, 'connections'>;

type Person = z.output<typeof UseConnection>;

/** The account at this provider that the person has connected for this server, if it permits what is wanted. */
export async function findConnection(
  engine: TokenEngine,
  server: ServerCaller,
  { provider, scopes, resource, ...person }: z.output<typeof FindConnection>,
): Promise<FoundConnection> {
  const keys = await keysOf(engine, server.name, { provider, scopes, resource });
  const stored = await storedFor(engine, server, person, keys, openKept);
  const kept = stored?.kept;
  const settings = stored && kept && clientFor(engine, server.name, usedAs(stored, kept, scopes)).settings;
  if (!settings || !kept || !covers(settings, kept.tokens.scopes, scopes)) return { state: 'missing' };
  if (stored.refusedAt !== null) return { state: 'refused' };
  return { state: 'stored', connection: shownConnection(settings, stored, kept) };
}

/** The keys that a connection may have: of this provider, or of an issuer that may stand behind the server. */
async function keysOf(engine: AutoEngine, server: string, use: Wanted): Promise<string[]> {
  const { provider, scopes, resource: address } = use;
  if (provider !== autoKey || address === undefined) return [clientFor(engine, server, use).settings.key];
  const resource = resourceOf(address);
  const keys = await autoKeys(engine, server, { resource, scopes });
  return keys.map((key) => connectionKey({ provider: key, resource }));
}

/** What a stored connection is used as. */
const usedAs = ({ provider }: StoredConnection, { issuer }: Kept, scopes: string[]) => ({
  ...readConnectionKey(provider),
  issuer,
  scopes,
});

type Wanted = Pick<ExpectedConnection, 'provider' | 'scopes' | 'resource'>;

const shownConnection = (
  { key, apiHosts }: ConnectProvider,
  { id }: StoredCredential,
  { account, tokens }: Kept,
): Connection => ({
  id,
  provider: key,
  account,
  scopes: tokens.scopes,
  hosts: tokens.resource === undefined ? apiHosts : [new URL(tokens.resource).host],
});

/**
 * The token of this connection, renewed if it has to be, by one node at a time. Problems: `not-found` if it is no longer
 * this person's, `connection-declined` if the provider has withdrawn it, `provider-unavailable`.
 */
export async function useConnection(
  engine: TokenEngine,
  server: ServerCaller,
  id: CredentialId,
  person: Person,
): Promise<ConnectionToken> {
  const stored = await ownConnection(engine, server, id, person);
  const { accessToken } = await currentTokens(engine, server, stored);
  if (stored.usedAt === null) await mark(engine, server, stored, 'used');
  return { token: accessToken, lasts };
}

/** Notes that the provider did not take its token: no one gets it any more. */
export async function refuseConnection(
  engine: TokenEngine,
  server: ServerCaller,
  id: CredentialId,
  person: Person,
): Promise<void> {
  await mark(engine, server, await ownConnection(engine, server, id, person), 'refused');
}

async function ownConnection(
  engine: TokenEngine,
  server: ServerCaller,
  id: CredentialId,
  person: Person,
): Promise<Opened<Kept>> {
  const named = await engine.credentials.byId(id);
  if (named?.serverId !== server.id || named.provider === null || isSecret(named)) throw new Problem('not-found');
  const stored = await storedFor(engine, server, person, [named.provider], openKept);
  if (stored?.id !== id) throw new Problem('not-found');
  return stored;
}

/**
 * The stored connection or secret with its content, while the person who made it is still known by this name. Problem `forbidden` if it
 * opens by an access token, and none was sent.
 */
export async function storedFor<T extends Pick<Kept, 'byAccessToken'>>(
  engine: PersonEngine,
  server: ServerCaller,
  { requester: named, accessToken }: Person,
  keys: readonly string[],
  open: (ring: PersonEngine['ring'], place: StoredConnection, sealed: Uint8Array) => T,
): Promise<Opened<T> | null> {
  const requester = await verifyRequester(engine, server, named, accessToken);
  if (!requester.verified && !isLoopback(engine.publicUrl())) return null;
  const stored = await storedOf(engine, server.id, requester, keys);
  const kept = stored && readable(() => open(engine.ring, stored, stored.sealed));
  if (kept?.byAccessToken && !requester.verifiedBy) throw unchecked(server.name);
  return stored && { ...stored, kept };
}

async function storedOf(
  engine: Pick<Engine, 'credentials' | 'users' | 'ring'>,
  server: ServerId,
  requester: Identity,
  keys: readonly string[],
): Promise<StoredConnection | null> {
  const stored = await engine.credentials.find(server, principalHashes(engine.ring, server, requester), keys);
  if (stored?.provider == null) return null;
  const isTheirs = stored.userId === null || (await isKnownAs(engine, stored.userId, requester));
  return isTheirs ? { ...stored, provider: stored.provider } : null;
}

type StoredConnection = StoredCredential & { provider: string };

/** Its content is null if no key opens it. */
type Opened<T> = StoredConnection & { kept: T | null };

/** Names of a connection that a question can be answered with. */
export interface NamedConnection {
  id: CredentialId;
  account: string;
}

/** The connection of this requester for the server that permits all that is expected; null if there is none. */
export async function connectionOf(
  engine: ClientEngine & Pick<Engine, 'credentials' | 'users' | 'ring'>,
  { serverId, serverName }: Pick<ElicitationRow, 'serverId' | 'serverName'>,
  requester: Identity,
  expects: ExpectedConnection,
): Promise<NamedConnection | null> {
  const { settings } = clientFor(engine, serverName, expects);
  const stored = await storedOf(engine, serverId, requester, [connectionKey(expects)]);
  if (!stored || stored.refusedAt !== null) return null;
  const kept = readable(() => openKept(engine.ring, stored, stored.sealed));
  if (!kept || !covers(settings, kept.tokens.scopes, expects.scopes)) return null;
  if (expects.byAccessToken && !kept.byAccessToken) return null;
  return { id: stored.id, account: kept.account.label };
}

/** Milliseconds for which one node may renew, more than a provider has to answer; and between two looks of the others. */
const leaseMs = 15_000;
const lookMs = 100;

async function currentTokens(engine: TokenEngine, server: ServerCaller, first: Opened<Kept>): Promise<TokenSet> {
  for (let looks = 0; looks * lookMs <= 2 * leaseMs; looks += 1) {
    const stored = looks === 0 ? first : await engine.credentials.byId(first.id);
    if (!stored) throw new Problem('not-found');
    if (stored.refusedAt !== null) throw new Problem('connection-declined');
    const kept = (looks === 0 ? first.kept : null) ?? openKept(engine.ring, stored, stored.sealed);
    if (looks === 0) await assertAllowed(engine, usedAs(first, kept, []));
    if (!isDue(kept.tokens, engine.now())) return kept.tokens;
    const now = engine.now();
    if (await engine.connections.lease(stored.id, stored.version, { now, until: now + leaseMs }))
      return renew(engine, server, { ...stored, provider: first.provider }, kept);
    await sleep(lookMs);
  }
  throw new Problem('provider-unavailable');
}

/** By the node that has the lease. */
async function renew(
  engine: TokenEngine,
  server: ServerCaller,
  stored: StoredConnection,
  kept: Kept,
): Promise<TokenSet> {
  const client = clientFor(engine, server.name, usedAs(stored, kept, []));
  try {
    const tokens = await client.refresh(kept.tokens);
    const sealed = sealKept(engine.ring, stored, { ...kept, tokens });
    const isKept = await engine.connections.renew(stored.id, stored.version, { sealed, expiresAt: tokens.expiresAt });
    if (isKept) return tokens;
    // It was disconnected meanwhile, so that no one withdraws these.
    await client.revoke(tokens).catch(() => false);
    throw new Problem('not-found');
  } catch (error) {
    const isWithdrawn = error instanceof Problem && error.code === 'connection-declined';
    if (isWithdrawn) await mark(engine, server, stored, 'refused');
    await engine.connections.release(stored.id, stored.version);
    throw error;
  }
}

/** Milliseconds between two tries to withdraw a token, and after which Assentry gives up: its provider may never answer. */
const retryMs = 60_000;
const giveUpMs = 7 * 86_400_000;
/** Withdrawals of one turn. */
const most = 100;

type WithdrawalEngine = ClientEngine & Pick<Engine, 'connections' | 'ring' | 'now'>;

/** Has providers withdraw the tokens of removed connections, and forgets the ways that no one came back from. */
export async function withdrawConnections(engine: WithdrawalEngine): Promise<void> {
  for (let count = 0; count < most; count += 1) {
    const now = engine.now();
    const withdrawal = await engine.connections.nextWithdrawal({ now, until: now + retryMs });
    if (!withdrawal) break;
    if (await isWithdrawn(engine, withdrawal)) await engine.connections.endWithdrawal(withdrawal.id);
  }
  await engine.connections.prune(engine.now());
}

type Withdrawal = NonNullable<Awaited<ReturnType<WithdrawalEngine['connections']['nextWithdrawal']>>>;

async function isWithdrawn(engine: WithdrawalEngine, withdrawal: Withdrawal): Promise<boolean> {
  const { provider } = readConnectionKey(withdrawal.provider);
  const kept = readable(() => openKept(engine.ring, withdrawal, withdrawal.sealed));
  if (!kept) return true;
  const client = clientAt(engine, { provider, issuer: kept.issuer });
  try {
    if (client) await client.revoke(kept.tokens);
    if (client) return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'connection-declined') return true;
  }
  return withdrawal.removedAt + giveUpMs <= engine.now();
}
