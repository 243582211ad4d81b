import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitResultSchema, type ElicitRequest, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { answerThroughAssentry, type HandleElicitation, type HostOptions } from '#sdk/host/assentry-host';

export interface ThirdParty {
  client: Client;
  handleElicitation: HandleElicitation;
  /** Asks through the client and resolves with what came back. */
  ask(params: unknown, options?: { timeout?: number; signal?: AbortSignal }): Promise<ElicitResult>;
  close(): Promise<void>;
}

/** A server someone else wrote, in the SDK's own terms, with a client of a host in front of it. */
export async function connectThirdParty(options: HostOptions): Promise<ThirdParty> {
  const mcp = new McpServer({ name: 'calls-itself-the-bank', version: '9.9.9' });
  mcp.registerTool('noop', {}, () => ({ content: [] }));
  const client = new Client({ name: 'host', version: '1.0.0' });
  const handleElicitation = answerThroughAssentry(client, options);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  await client.connect(near);
  return {
    client,
    handleElicitation,
    ask: (params, { timeout = 25_000, signal } = {}) =>
      mcp.server.request(
        { method: 'elicitation/create', params: params as ElicitRequest['params'] },
        ElicitResultSchema,
        { timeout, ...(signal && { signal }) },
      ),
    close: () => client.close(),
  };
}
