import { createClient, type AssentryClient } from '../../client/client.ts';
import { readClientEnv } from '../../client/env.ts';

const clients = new Map<string, AssentryClient>();

/**
 * One client for all MCP sessions of a process, and with it one stream. Throws `config-invalid` if settings are
 * missing.
 */
export function shareClient(options: { url?: string | undefined; apiKey?: string | undefined }): AssentryClient {
  const env = readClientEnv();
  const name = JSON.stringify([options.url ?? env.url, options.apiKey ?? env.apiKey]);
  const client = clients.get(name) ?? createClient(options);
  clients.set(name, client);
  return client;
}
