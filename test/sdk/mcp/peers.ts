import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  ElicitRequestSchema,
  type CallToolResult,
  type ClientCapabilities,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { Inbox, InboxItem } from '#requests/inbox/contract/inbox';
import { assentry, type AssentryOptions, type AssentryTools } from '#sdk/mcp/assentry';
import { until } from '../../support/poll.ts';
import type { TestUser } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

type User = (
  request: { message: string; schema: unknown },
  signal: AbortSignal,
) => ElicitResult | Promise<ElicitResult>;

export interface McpPeer {
  url: URL;
  /** A new session of a client whose person answers as given; without a person it cannot be asked. */
  connect(user?: User, capabilities?: ClientCapabilities): Promise<Client>;
  stop(): Promise<void>;
}

/** A real MCP server over Streamable HTTP with sessions; `register` gives each session its tools. */
export async function startMcpServer(
  register: (tools: AssentryTools, mcp: McpServer) => void,
  options: AssentryOptions,
): Promise<McpPeer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const clients: Client[] = [];
  const app = createMcpExpressApp();
  app.all('/mcp', async (request, response) => {
    const transport = sessions.get(request.get('mcp-session-id') ?? '') ?? (await open());
    await transport.handleRequest(request, response, request.body);
  });
  async function open(): Promise<StreamableHTTPServerTransport> {
    const mcp = new McpServer({ name: 'bank', version: '1.0.0' });
    register(assentry(mcp, options), mcp);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
    return transport;
  }
  const http = createServer(app).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  return {
    url,
    async connect(user, capabilities = user ? { elicitation: {} } : {}) {
      const client = makeClient(user, capabilities);
      const transport = new StreamableHTTPClientTransport(url);
      await client.connect(transport as Parameters<typeof client.connect>[0]);
      clients.push(client);
      return client;
    },
    async stop() {
      await Promise.all(clients.map((client) => client.close()));
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

export function makeClient(user?: User, capabilities: ClientCapabilities = user ? { elicitation: {} } : {}): Client {
  const client = new Client({ name: 'agent', version: '2.0.0' }, { capabilities });
  if (user) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) =>
      user({ message: params.message, schema: 'requestedSchema' in params ? params.requestedSchema : null }, signal),
    );
  }
  return client;
}

/** Patient enough for any test; a test that wants an impatient client says so itself. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  options: Parameters<Client['callTool']>[2] = {},
): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args }, undefined, {
    timeout: 25_000,
    ...options,
  })) as CallToolResult;
}

export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');

export const listRequests = async (user: TestUser, view = 'mine'): Promise<InboxItem[]> =>
  (await json<Inbox>(user.call('GET', `/api/elicitations?view=${view}`))).items;

/** The one request of this message that waits for approvers. */
export const findRequest = (user: TestUser, message: string): Promise<InboxItem & { message: string }> =>
  until(async () => {
    const request = (await listRequests(user)).find((item) => item.message === message);
    return request && { ...request, message };
  });

export const pendingOf = (result: CallToolResult) =>
  result._meta?.['elicitationPending'] as
    { elicitId: string; message: string; schema: unknown; statusUrl: string; instructions: string } | undefined;
