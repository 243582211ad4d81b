import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { makeClient } from '../mcp/peers.ts';

/** A client of the first SDK, over HTTP. */
export async function connectV1(url: string, user?: () => ElicitResult): Promise<Client> {
  const client = makeClient(user);
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}
