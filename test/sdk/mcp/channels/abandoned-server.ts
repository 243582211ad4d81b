import { getEventListeners } from 'node:events';
import { createInterface } from 'node:readline';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../../../examples/serve-both-eras.ts';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { assentry } from '#sdk/mcp/assentry-v2';
import { countExecutions } from '#sdk/mcp/run/executions';
import { startMcpServer } from '../peers.ts';

// MCP servers on either SDK, as a process of their own that says on each line of input what it still keeps.

/** What a process holds on to. */
export interface Kept {
  /** Questions to the orchestrator without an answer, waits for outcomes among them. */
  inFlight: number;
  executions: number;
  /** Calls whose signal someone still listens to. */
  heard: number;
  timers: number;
  sockets: number;
}

const form = z.object({ sure: z.boolean() });
const inputSchema = { id: z.string() };
const channels = { push: 'requester', link: 'requester', relay: 'requester', hold: 'approvers' } as const;
const modern = { round: 'requester', task: 'approvers' } as const;
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const asks = (audience: 'requester' | 'approvers') => ({ audience, supersede: 'none', ttl: 600_000 }) as const;

let inFlight = 0;
const signals: AbortSignal[] = [];

const client = new Proxy(createClient(), {
  get: (target, name: keyof AssentryClient) =>
    function count(...args: unknown[]) {
      inFlight += 1;
      const request = (target[name] as (...rest: unknown[]) => Promise<unknown>)(...args);
      return request.finally(() => (inFlight -= 1));
    },
});

const startOld = (withoutElicitation: 'link' | 'relay') =>
  startMcpServer(
    (tools) => {
      for (const [name, audience] of Object.entries(channels)) {
        tools.registerTool(name, { inputSchema }, async ({ id }, { elicit, signal }) => {
          signals.push(signal);
          return say((await elicit(`${name} ${id}?`, form, asks(audience))).status);
        });
      }
    },
    { client, withoutElicitation, progressIntervalMs: 1_000, holdTimeoutMs: 120_000 },
  );

function makeModern(): McpServer {
  const mcp = new McpServer({ name: 'bank', version: '1.0.0' });
  const tools = assentry(mcp, { client });
  for (const [name, audience] of Object.entries(modern)) {
    tools.registerTool(name, { inputSchema: z.object(inputSchema) }, async ({ id }, { elicit, mcpReq }) => {
      signals.push(mcpReq.signal);
      return say((await elicit(`${name} ${id}?`, form, asks(audience))).status);
    });
  }
  return mcp;
}

function count(): Kept {
  const active = process.getActiveResourcesInfo();
  const among = (kind: RegExp) => active.filter((name) => kind.test(name)).length;
  return {
    inFlight,
    executions: countExecutions(),
    heard: signals.filter((signal) => getEventListeners(signal, 'abort').length > 0).length,
    timers: among(/^Timeout$/),
    sockets: among(/^TCPSocketWrap$/),
  };
}

const [old, relay, { url }] = await Promise.all([startOld('link'), startOld('relay'), serveBothEras(makeModern, 0)]);
const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
tell({ old: old.url.href, relay: relay.url.href, modern: url });
createInterface({ input: process.stdin })
  .on('line', () => tell(count()))
  .once('close', () => process.exit(0));
