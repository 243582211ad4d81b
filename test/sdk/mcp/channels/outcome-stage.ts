import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import pg from 'pg';
import { z } from 'zod';
import { serveBothEras, type McpHost } from '../../../../examples/serve-both-eras.ts';
import { createClient } from '#sdk/client/client';
import type { AssentryTools, ElicitOptions } from '#sdk/mcp/assentry';
import type { CommonOptions } from '#sdk/mcp/tools/own-tools';
import { assentry as assentryV2 } from '#sdk/mcp/assentry-v2';
import { compiled } from '../../../support/compiled.ts';
import { until } from '../../../support/poll.ts';
import type { TestServer } from '../../../support/nodes/server.ts';
import { makeClient, pendingOf, startMcpServer, textOf, type McpPeer } from '../peers.ts';

type User = Parameters<typeof makeClient>[0];

/** One MCP server's key, with servers on either SDK, and what its questions have come to. */
export interface Stage {
  old(options?: CommonOptions): Promise<McpPeer>;
  modern(options?: CommonOptions): Promise<string>;
  /** A client that starts our example as its own process. */
  stdio(user?: User): Promise<Client>;
  /** All questions but those of the tool `newer`, oldest first, in the words of docs/outcomes.md. */
  questions(): Promise<string[]>;
  /** Holds back what the orchestrator says to an opening, until told to go on. */
  hesitate(): CommonOptions & { goOn(): void };
  /** The signals of the calls that tools have got. */
  signals: AbortSignal[];
  stop(): Promise<void>;
}

/** What the caller got, in words, and its same call again. */
export interface Ended {
  gets: string;
  again(): Promise<unknown>;
}
/** Makes one row of docs/outcomes.md happen. */
export type Case = (stage: Stage) => Promise<Ended>;

export const nothing = 'nothing';
export const ttl = 60_000;
export const accept: ElicitResult = { action: 'accept', content: { sure: true } };
export const untilAsked = (stage: Stage) => until(async () => (await stage.questions()).length > 0);
export const questionOf = async (stage: Stage) => (await stage.questions())[0];

const form = z.object({ sure: z.boolean() });
const fields = { id: z.string(), ttl: z.number().optional() };
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const audiences = { ask: 'requester', visit: 'requester', newer: 'requester', approve: 'approvers' } as const;
const names = Object.keys(audiences) as (keyof typeof audiences)[];

export async function newStage(server: TestServer, name: string): Promise<Stage> {
  const apiKey = await server.newServerKey(name);
  const connection = { url: server.url, apiKey, holdTimeoutMs: 20_000 };
  const database = new pg.Client({ connectionString: server.databaseUrl });
  await database.connect();
  const closers: (() => Promise<unknown>)[] = [() => database.end()];
  const signals: AbortSignal[] = [];
  return {
    signals,
    async old(options) {
      const peer = await startMcpServer((tools) => registerOld(tools, signals), { ...connection, ...options });
      closers.push(() => peer.stop());
      return peer;
    },
    async modern(options) {
      const host: McpHost = await serveBothEras(() => makeModern({ ...connection, ...options }, signals), 0);
      closers.push(() => host.close());
      return host.url;
    },
    async stdio(user) {
      const client = makeClient(user);
      const args = [compiled('examples/server.ts'), '--stdio', '--hold-timeout', '1000'];
      const env = { PATH: process.env['PATH'] ?? '', ASSENTRY_URL: server.url, ASSENTRY_API_KEY: apiKey };
      await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
      closers.push(() => client.close());
      return client;
    },
    hesitate() {
      let goOn: () => void = () => {};
      const message = new Promise<void>((resolve) => (goOn = resolve));
      const slowly = async (input: string, init: RequestInit): Promise<Response> => {
        const response = await fetch(input, init);
        if (init.method === 'POST' && input.endsWith('/v1/elicitations')) await message;
        return response;
      };
      return {
        client: createClient({ url: connection.url, apiKey: connection.apiKey, fetch: slowly }),
        goOn: () => goOn(),
      };
    },
    async questions() {
      const sql = `SELECT status, cause, caller FROM elicitation JOIN server ON server.id = server_id
        WHERE server.name = $1 AND tool <> 'newer' ORDER BY opened_at, elicitation.id`;
      const { rows } = await database.query<{ status: string; cause: string | null; caller: string }>(sql, [name]);
      return rows.map(inWords);
    },
    async stop() {
      for (const close of closers.reverse()) await close();
    },
  };
}

function registerOld(tools: AssentryTools, signals: AbortSignal[]): void {
  for (const tool of names) {
    tools.registerTool(tool, { inputSchema: fields }, async ({ id, ttl }, { elicit, signal }) => {
      signals.push(signal);
      return say((await elicit(`${tool} ${id}?`, form, optionsOf(tool, ttl))).status);
    });
  }
}

function makeModern(options: CommonOptions, signals: AbortSignal[]): McpServerV2 {
  const mcp = new McpServerV2({ name: 'bank', version: '1.0.0' });
  const tools = assentryV2(mcp, options);
  for (const tool of names) {
    tools.registerTool(tool, { inputSchema: z.object(fields) }, async ({ id, ttl }, { elicit, mcpReq }) => {
      signals.push(mcpReq.signal);
      return say((await elicit(`${tool} ${id}?`, form, optionsOf(tool, ttl))).status);
    });
  }
  return mcp;
}

const optionsOf = (tool: keyof typeof audiences, ttl: number | undefined): ElicitOptions => ({
  audience: audiences[tool],
  ...(tool === 'visit' && { mode: 'url' }),
  ...(ttl !== undefined && { ttl }),
});

function inWords({ status, cause, caller }: { status: string; cause: string | null; caller: string }): string {
  if (status === 'open' && caller === 'gone') return 'open, caller gone';
  return cause === null ? status : `${status}: ${cause}`;
}

/** What the caller got, in the words of docs/outcomes.md. */
export function describeResult(result: CallToolResult): string {
  const code = result._meta?.['code'];
  if (typeof code === 'string') return `\`${code}\``;
  const pending = pendingOf(result);
  if (!pending) return textOf(result) === 'accept' ? 'an answer' : "the tool's own result";
  return 'url' in pending ? 'a link' : 'a pending result';
}

/** One call of this client's session, as it goes over the wire. */
export const sendOld = (
  { url }: McpPeer,
  { transport }: Client,
  params: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': (transport as StreamableHTTPClientTransport).sessionId ?? '',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'by-hand', method: 'tools/call', params }),
    ...(signal && { signal }),
  });

/** Makes the call as a client whose connection breaks off once it has heard so much of its stream. */
export async function loseStream(peer: McpPeer, client: Client, name: string, heard: RegExp): Promise<void> {
  const breaking = new AbortController();
  const params = { name, arguments: { id: 'lost' }, _meta: { progressToken: 'lost' } };
  const { body } = await sendOld(peer, client, params, breaking.signal);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  await until(async () => {
    text += (await reader?.read())?.value ?? '';
    return heard.test(text);
  });
  breaking.abort();
  await reader?.read().catch(() => {});
}
