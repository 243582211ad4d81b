import { afterAll, describe, expect, test } from '@jest/globals';
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { createClient } from '#sdk/client/client';
import { createElicitationHandler, elicitationCapabilities, type Refusal } from '#sdk/host/assentry-host';
import { findRequest } from '../mcp/peers.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const refusals: Refusal[] = [];
const opened: string[] = [];
const clients: Client[] = [];

const server = await startTestServer();
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.stop();
});
const approver = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('night-shift') });

const form = (message: string) => ({
  message,
  requestedSchema: {
    type: 'object' as const,
    properties: { ok: { type: 'boolean' as const }, why: { type: 'string' as const } },
    required: ['ok'],
  },
});

/** The host's client: the plain function is its handler. */
function makeHost(serverName: string, negotiation: 'legacy' | 'auto' = 'legacy'): Client {
  const allowedDomains = ['login.example.com'];
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    { capabilities: elicitationCapabilities({ allowedDomains }), versionNegotiation: { mode: negotiation } },
  );
  client.setRequestHandler(
    'elicitation/create',
    createElicitationHandler({
      serverName,
      principal: 'nightly-agent',
      client: assentry,
      allowedDomains,
      onOpenUrl: (url) => void opened.push(url),
      onRefused: (refusal) => void refusals.push(refusal),
    }),
  );
  clients.push(client);
  return client;
}

const accept = async (message: string, content?: Record<string, unknown>): Promise<void> => {
  const { id } = await findRequest(approver, message);
  expect((await approver.vote(id, 'accept', content)).ok).toBe(true);
};

describe('a v2 client of a 2025 server', () => {
  async function connectPushing(): Promise<{ mcp: McpServer; client: Client }> {
    const mcp = new McpServer({ name: 'bank', version: '1.0.0' });
    mcp.registerTool('ask', {}, async (ctx) => {
      const answer = await ctx.mcpReq.elicitInput(form('Pushed?'));
      return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
    });
    const client = makeHost('v2-push');
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([mcp.connect(far), client.connect(near)]);
    return { mcp, client };
  }

  test("gets approvers' answers into its tool", async () => {
    const { client } = await connectPushing();
    const call = client.callTool({ name: 'ask', arguments: {} });
    await accept('Pushed?', { ok: true, why: 'because' });
    expect(await call).toMatchObject({
      content: [{ text: JSON.stringify({ action: 'accept', content: { ok: true, why: 'because' } }) }],
    });
  });

  test('withdraws what the server took back', async () => {
    const { mcp } = await connectPushing();
    const leaving = new AbortController();
    const answer = mcp.server.elicitInput(form('Taken back?'), { signal: leaving.signal });
    const { id } = await findRequest(approver, 'Taken back?');
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await until(async () => (await approver.show(id)).status === 'cancelled');
    expect(await approver.show(id)).toMatchObject({ cause: 'caller_gone' });
  });
});

describe('a v2 client of a 2026 server', () => {
  async function connectModern(): Promise<Client> {
    const handler = createMcpHandler(() => {
      const mcp = new McpServer({ name: 'bank', version: '1.0.0' });
      mcp.registerTool('ask', {}, async (ctx) => {
        const answers = ctx.mcpReq.inputResponses;
        if (!answers) return inputRequired({ inputRequests: { one: inputRequired.elicit(form('Required?')) } });
        return { content: [{ type: 'text', text: JSON.stringify(answers['one']) }] };
      });
      mcp.registerTool('go', {}, async (ctx) => {
        const answers = ctx.mcpReq.inputResponses;
        const request = { message: 'Go there?', url: 'https://login.example.com/x' };
        if (!answers) return inputRequired({ inputRequests: { one: inputRequired.elicitUrl(request) } });
        return { content: [{ type: 'text', text: JSON.stringify(answers['one']) }] };
      });
      return mcp;
    });
    const client = makeHost('v2-modern', 'auto');
    const transport = new StreamableHTTPClientTransport(new URL('http://bank.test/mcp'), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    });
    await client.connect(transport);
    expect(client.getProtocolEra()).toBe('modern');
    return client;
  }

  test("retries with approvers' answers", async () => {
    const call = (await connectModern()).callTool({ name: 'ask', arguments: {} });
    await accept('Required?', { ok: false });
    expect(await call).toMatchObject({
      content: [{ text: JSON.stringify({ action: 'accept', content: { ok: false } }) }],
    });
  });

  test('opens an address, which has no elicitationId here, once it is approved', async () => {
    const call = (await connectModern()).callTool({ name: 'go', arguments: {} });
    await findRequest(approver, 'Go there?');
    expect(opened).toEqual([]);
    await accept('Go there?');
    expect(await call).toMatchObject({ content: [{ text: JSON.stringify({ action: 'accept' }) }] });
    expect(opened).toEqual(['https://login.example.com/x']);
  });
});
