import { isLoopback } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { isTrial } from '#policies/contract/policy';
import type { Engine } from '#platform/nodes/verbs/engine';
import { faultOfUse } from '../../connections/rules.ts';
import { autoKey } from '../../providers/auto.ts';
import type { ExpectedConnection, Expects } from '../../providers/expects.ts';
import type { ConnectClient } from '../../providers/provider.ts';
import { autoKeyOf, isSameIssuer, issuerOf, mayChoose, resourceOf } from '../rules.ts';

type ChoosingEngine = Pick<Engine, 'connect' | 'environment' | 'publicUrl' | 'users'>;
export type AutoEngine = ChoosingEngine & Pick<Engine, 'connectChosen' | 'readResource'>;

/**
 * May a person allow an issuer themselves, on the page that names it? Only in a trial on their own machine, where they are alone
 * and no operator has listed any.
 */
const mayChooseHere = async ({ connect, environment, publicUrl, users }: ChoosingEngine): Promise<boolean> =>
  isTrial(environment) &&
  isLoopback(publicUrl()) &&
  !connect.some(({ settings }) => settings.isAuto) &&
  (await users.count()) <= 1;

/** The client of this provider; undefined if no operator has listed it, and no person of a trial has allowed it. */
export const clientAt = (
  { connect, connectChosen }: Pick<Engine, 'connect' | 'connectChosen'>,
  { provider, issuer }: Pick<ExpectedConnection, 'provider' | 'issuer'>,
): ConnectClient | undefined =>
  connect.find(({ settings }) => settings.key === provider) ??
  (issuer !== undefined && autoKeyOf(issuer) === provider ? connectChosen(issuer) : undefined);

/** Refuses an issuer that the person of a trial has allowed, once they are no longer alone there. */
export async function assertAllowed(
  engine: ChoosingEngine,
  { provider, issuer, resource = '' }: Pick<ExpectedConnection, 'provider' | 'issuer' | 'resource'>,
): Promise<void> {
  const isListed = engine.connect.some(({ settings }) => settings.key === provider);
  if (issuer !== undefined && !isListed && !(await mayChooseHere(engine))) throw notAllowed(resource, [issuer]);
}

/** Keys of the issuers to which people may be sent for this server; problem `provider-not-configured` if there are none. */
export async function autoKeys(
  engine: AutoEngine,
  server: string,
  { resource, scopes }: { resource: string; scopes: string[] },
): Promise<string[]> {
  if (!(await mayChooseHere(engine))) return listedFor(engine, server, scopes).map(({ settings }) => settings.key);
  const { issuers } = await engine.readResource(resource, true);
  return issuers.map(autoKeyOf);
}

function listedFor({ connect }: Pick<Engine, 'connect'>, server: string, scopes: string[]): readonly ConnectClient[] {
  const clients = connect.filter(({ settings }) => settings.isAuto);
  const fault = faultOfUse(clients[0]?.settings, server, { provider: autoKey, scopes });
  if (fault !== null) throw new Problem('provider-not-configured', { detail: fault });
  return clients;
}

/**
 * What is expected, with the issuer that the server names in place of `auto`. Problem `provider-not-configured`, with what to do, if
 * no one may allow it, or what server or issuer say of themselves does not hold.
 */
export async function withIssuer(engine: AutoEngine, server: string, expects: Expects): Promise<Expects> {
  if (expects.kind !== 'connection' || expects.provider !== autoKey) return expects;
  const resource = resourceOf(expects.resource ?? '');
  const isChoosing = await mayChooseHere(engine);
  const clients = isChoosing ? [] : listedFor(engine, server, expects.scopes);
  const { issuers, scopes } = await engine.readResource(resource, isChoosing);
  const listed = clients.find(({ settings }) => issuers.some((issuer) => isSameIssuer(issuer, issuerOf(settings))));
  const issuer = isChoosing ? issuers.find((name) => mayChoose(name, resource)) : undefined;
  const client = issuer === undefined ? listed : engine.connectChosen(issuer);
  if (!client) throw notAllowed(resource, issuers);
  await client.ready();
  const all = expects.scopes.length > 0 ? expects.scopes : scopes;
  const named = { ...expects, provider: client.settings.key, resource, scopes: all } satisfies ExpectedConnection;
  return issuer === undefined ? named : { ...named, issuer };
}

function notAllowed(resource: string, issuers: string[]): Problem {
  const { host } = new URL(resource);
  const names = issuers
    .slice(0, 3)
    .map((issuer) => `"${issuer}"`)
    .join(' or ');
  return new Problem('provider-not-configured', {
    detail: `Ask an operator to add ${names} to the "issuers" of "${autoKey}" in ASSENTRY_PROVIDERS: ${host} sends people there.`,
  });
}
