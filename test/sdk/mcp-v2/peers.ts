import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport, type ElicitResult } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { compiled } from '../../support/compiled.ts';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import type { AssentryTools, Principal } from '#sdk/mcp/assentry';
import { assentry } from '#sdk/mcp/assentry-v2';
import type { CommonOptions } from '#sdk/mcp/tools/own-tools';
import { startMcpServer, type McpPeer } from '../mcp/peers.ts';

export type User = (message: string) => ElicitResult | Promise<ElicitResult>;

/** A client of the second SDK whose person answers as given, and who speaks the newest revision the server does. */
export function makeV2Client(user?: User, mode: 'auto' | 'legacy' = 'auto'): Client {
  const capabilities = user ? { elicitation: {} } : {};
  const client = new Client({ name: 'agent', version: '2.0.0' }, { capabilities, versionNegotiation: { mode } });
  if (user) client.setRequestHandler('elicitation/create', ({ params }) => user(params.message));
  return client;
}

export async function connectV2(url: string, user?: User, mode?: 'auto' | 'legacy'): Promise<Client> {
  const client = makeV2Client(user, mode);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

/** Whichever SDK and revision a client speaks. */
export interface Agent {
  callTool(call: { name: string; arguments: Record<string, unknown> }, ...more: never[]): Promise<unknown>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  fallbackNotificationHandler?: (notification: { method: string }) => Promise<void>;
}

export const callBy = async (agent: Agent, name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
  (await agent.callTool({ name, arguments: args })) as CallToolResult;

export const kinds = ['2025 on the first SDK', '2025 on the second', '2026'] as const;
type Kind = (typeof kinds)[number];

export interface EveryServer {
  first: McpPeer;
  /** A new connection; a client without a person cannot be asked. On the second SDK there are two servers. */
  connect(kind: Kind, user?: User, server?: 0 | 1): Promise<Agent>;
  stop(): Promise<void>;
}

/** The same tools on servers of either SDK. */
export async function startEveryServer(
  register: (tools: AssentryTools) => void,
  options: CommonOptions & { principal?: () => Principal },
): Promise<EveryServer> {
  const first = await startMcpServer((tools) => register(tools), options);
  const serve = () =>
    serveBothEras(() => {
      const mcp = new McpServer({ name: 'bank', version: '1.0.0' });
      register(assentry(mcp, options) as unknown as AssentryTools); // what a tool does is the same for both
      return mcp;
    }, 0);
  const second = [await serve(), await serve()] as const;
  return {
    first,
    connect: (kind, user, server = 0) =>
      kind === '2025 on the first SDK'
        ? first.connect(user && (({ message }) => user(message)))
        : connectV2(second[server].url, user, kind === '2026' ? 'auto' : 'legacy'),
    async stop() {
      await Promise.all([first.stop(), ...second.map((host) => host.close())]);
    },
  };
}

export interface McpProcess {
  url: string;
  process: ChildProcess;
}

/** An MCP server as a process of its own, over HTTP. */
export async function startProcess(program: string, args: string[], env: Record<string, string>): Promise<McpProcess> {
  const child = spawn(process.execPath, [compiled(program), ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: /http:\S+/.exec(line.toString())?.[0] ?? '', process: child };
}

export async function kill({ process: child }: McpProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill('SIGKILL');
  await closed;
}

/** What a raw response holds; a client of its own would hide it. */
export interface RawAnswer {
  result?: {
    resultType: string;
    content?: { text: string }[];
    isError?: boolean;
    inputRequests?: Record<string, { method: string; params: { message: string; requestedSchema: unknown } }>;
    requestState?: string;
    [more: string]: unknown;
  };
  error?: { code: number; message: string; data?: unknown };
}

export interface RawClient {
  capabilities?: Record<string, unknown>;
  name?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  progressToken?: string;
}

const revision = '2026-07-28';
let requests = 0;

/** One request of revision 2026-07-28, as it goes over the wire. */
export const post = async (
  url: string,
  method: string,
  params: Record<string, unknown>,
  client?: RawClient,
): Promise<RawAnswer> => lastMessage(await (await send(url, method, params, client)).text());

export function send(
  url: string,
  method: string,
  params: Record<string, unknown>,
  { capabilities = { elicitation: {} }, name = 'raw', headers, signal, progressToken }: RawClient = {},
): Promise<Response> {
  const target = params['name'] ?? params['taskId'];
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name, version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(progressToken !== undefined && { progressToken }),
  };
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof target === 'string' && { 'mcp-name': target }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: (requests += 1), method, params: { ...params, _meta: meta } }),
    ...(signal && { signal }),
  });
}

/** The response, alone or at the end of a stream. */
function lastMessage(text: string): RawAnswer {
  const events = text.split('\n').filter((line) => line.startsWith('data:'));
  return JSON.parse(events.at(-1)?.slice('data:'.length) ?? text) as RawAnswer;
}

/** One `tools/call`, with what a client brings along in a later round. */
export const call = (
  url: string,
  name: string,
  args: Record<string, unknown>,
  round: { requestState?: string | undefined; inputResponses?: unknown } = {},
  client?: RawClient,
): Promise<RawAnswer> =>
  post(url, 'tools/call', { name, arguments: args, ...JSON.parse(JSON.stringify(round)) }, client);

export const accept = (content: Record<string, string | boolean>) => ({ action: 'accept' as const, content });
