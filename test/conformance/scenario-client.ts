// A client for the scenarios of the official suite. It uses everything that the server at this address has: it lists, reads,
// gets and calls, and answers questions with their defaults. With ASSENTRY_URL, it does so through the gateway.
import { Client as V2Client, StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { createClient } from '#sdk/client/client';
import { startGate } from '../gateway/http/peers.ts';

const [sdk, url = ''] = process.argv.slice(2);
const revision = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'];
const isGated = process.env['ASSENTRY_URL'] !== undefined;
const gateway = isGated ? await startGate({ client: createClient(), upstream: { url } }) : undefined;
const address = new URL(gateway?.notes ?? url);

const capabilities = { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} };
const info = { name: 'scenarios', version: '1.0.0' };
const accept = async () => ({ action: 'accept' as const, content: { confirmed: true } });

async function connect(): Promise<Client> {
  if (sdk === 'v2') {
    const mode = revision === '2026-07-28' ? 'auto' : 'legacy';
    const client = new V2Client(info, { capabilities, versionNegotiation: { mode } });
    client.setRequestHandler('elicitation/create', accept);
    await client.connect(new V2Transport(address));
    return client as unknown as Client; // the same methods as far as this program uses them
  }
  const client = new Client(info, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, accept);
  const transport = new StreamableHTTPClientTransport(address);
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** What the scenario wants to be called, else every tool. */
function callsOf(tools: Tool[]): Call[] {
  const { toolCalls } = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as { toolCalls?: Call[] };
  return toolCalls ?? tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema, tools) }));
}

/** A value for each argument; a schema is that of the first tool, as this client has read it. */
function argumentsFor({ properties = {} }: Tool['inputSchema'], [first]: Tool[]): Call['arguments'] {
  const values: Record<string, unknown> = { number: 2, integer: 2, boolean: true, array: [], object: {} };
  const pairs = Object.entries(properties as Record<string, { type?: string }>).map(([name, { type = '' }]) => [
    name,
    name === 'schema' ? first?.inputSchema : (values[type] ?? 'text'),
  ]);
  return Object.fromEntries(pairs) as Call['arguments'];
}

const client = await connect();
const isThere = client.getServerCapabilities() ?? {};
const outcomes: Promise<unknown>[] = [];
const { tools } = await client.listTools().catch(() => ({ tools: [] as Tool[] }));
for (const call of callsOf(tools)) outcomes.push(client.callTool(call));
if (isThere.resources) {
  const { resources } = await client.listResources();
  for (const { uri } of resources) outcomes.push(client.readResource({ uri }));
}
if (isThere.prompts) {
  const { prompts } = await client.listPrompts();
  for (const { name } of prompts) outcomes.push(client.getPrompt({ name }));
}
await Promise.allSettled(outcomes);
await client.close();
await gateway?.close();
