import { createClient, type AssentryClient } from '../../../client/client.ts';
import { readAddresses } from '../../../client/transport/connection.ts';
import { readClientEnv } from '../../../client/env.ts';
import { reportIdentity } from './report-identity.ts';

const clients = new Map<string, AssentryClient>();

/**
 * One client for all MCP sessions of a process, and with it one stream. The first use says on standard error who it is. Throws `config-invalid` if settings are
 * missing.
 */
export function shareClient({
  url: own,
  apiKey,
}: {
  url?: string | undefined;
  apiKey?: string | undefined;
}): AssentryClient {
  const env = readClientEnv();
  const url = own ?? env.url ?? '';
  const name = JSON.stringify([url, apiKey ?? env.apiKey]);
  const shared = clients.get(name);
  if (shared) return shared;
  const client = createClient({ url: own, apiKey });
  clients.set(name, client);
  void reportIdentity(client, readAddresses(url));
  return client;
}
