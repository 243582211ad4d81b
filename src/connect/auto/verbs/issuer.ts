import { Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import { faultOfUse } from '../../connections/rules.ts';
import { autoKey } from '../../providers/auto.ts';
import type { ExpectedConnection, Expects } from '../../providers/expects.ts';
import type { ConnectClient } from '../../providers/provider.ts';
import { isSameIssuer, issuerOf, resourceOf } from '../rules.ts';

/** The issuers to which people may be sent for this server; problem `provider-not-configured` if there are none. */
export function autoClients(
  { connect }: Pick<Engine, 'connect'>,
  server: string,
  scopes: string[],
): readonly ConnectClient[] {
  const clients = connect.filter(({ settings }) => settings.isAuto);
  const fault = faultOfUse(clients[0]?.settings, server, { provider: autoKey, scopes });
  if (fault !== null) throw new Problem('provider-not-configured', { detail: fault });
  return clients;
}

/**
 * What is expected, with the issuer that the server names in place of `auto`. Problem `provider-not-configured`, with what to do, if
 * the operator has not allowed it, or what server or issuer say of themselves does not hold.
 */
export async function withIssuer(
  engine: Pick<Engine, 'connect' | 'readResource'>,
  server: string,
  expects: Expects,
): Promise<Expects> {
  if (expects.kind !== 'connection' || expects.provider !== autoKey) return expects;
  const clients = autoClients(engine, server, expects.scopes);
  const resource = resourceOf(expects.resource ?? '');
  const { issuers, scopes } = await engine.readResource(resource);
  const client = clients.find(({ settings }) => issuers.some((issuer) => isSameIssuer(issuer, issuerOf(settings))));
  if (!client) throw notAllowed(resource, issuers);
  await client.ready();
  const all = expects.scopes.length > 0 ? expects.scopes : scopes;
  return { ...expects, provider: client.settings.key, resource, scopes: all } satisfies ExpectedConnection;
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
