import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ElicitRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { serveBothEras, type McpHost } from '../../examples/serve-both-eras.ts';
import type { AssentryOptions as FirstOptions, AssentryTools } from '#sdk/mcp/assentry';
import { assentry, type AssentryOptions as SecondOptions } from '#sdk/mcp/assentry-v2';
import { startMcpServer, type McpPeer } from '../sdk/mcp/peers.ts';

/** A server of either SDK with the same tools. */
export interface House {
  first: McpPeer;
  second: McpHost;
  stop(): Promise<void>;
}

export async function serveBoth(
  register: (tools: AssentryTools) => void,
  options: FirstOptions & SecondOptions,
): Promise<House> {
  const first = await startMcpServer((tools) => register(tools), options);
  const second = await serveBothEras(() => {
    const mcp = new McpServer({ name: 'payments', version: '1.0.0' });
    register(assentry(mcp, options) as unknown as AssentryTools); // what a tool does is the same for both
    return mcp;
  }, 0);
  return { first, second, stop: async () => void (await Promise.all([first.stop(), second.close()])) };
}

/** An address at which a person is asked to do something. */
export interface Asked {
  url: string;
  message: string;
}

/** The code of one's own machine. */
export const codeIn = (message: string): string => /code (\d{3} \d{3})/.exec(message)?.[1] ?? '';

export const withUrl = { elicitation: { form: {}, url: {} } };

export interface Agent<Args extends unknown[]> {
  callTool(...args: Args): Promise<CallToolResult>;
  /** What it was asked by the protocol. */
  requests: Asked[];
}

export type Connects<Args extends unknown[]> = (
  house: House,
  onAsked: (request: Asked) => void,
) => Promise<Agent<Args>>;

/** Agents of each kind, whose calls are made of such parameters. */
export function createAgents<Args extends unknown[]>(
  paramsOf: (...args: Args) => { name: string; arguments: Record<string, unknown> },
) {
  const clients: Client[] = [];
  return {
    connectSecond:
      (mode: 'auto' | 'legacy'): Connects<Args> =>
      async ({ second }, onAsked) => {
        const requests: Asked[] = [];
        const options = { capabilities: withUrl, versionNegotiation: { mode } };
        const client = new Client({ name: 'agent', version: '2.0.0' }, options);
        client.setRequestHandler('elicitation/create', ({ params }) => {
          requests.push(params as Asked);
          onAsked(params as Asked);
          return { action: 'accept' };
        });
        clients.push(client);
        await client.connect(new StreamableHTTPClientTransport(new URL(second.url)));
        const callTool = async (...args: Args) => (await client.callTool(paramsOf(...args))) as CallToolResult;
        return { requests, callTool };
      },
    connectFirst:
      (capabilities: object): Connects<Args> =>
      async ({ first }, onAsked) => {
        const requests: Asked[] = [];
        const client = await first.connect(undefined, capabilities);
        if ('elicitation' in capabilities) {
          client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
            requests.push(params as Asked);
            onAsked(params as Asked);
            return { action: 'accept' };
          });
        }
        const callTool = async (...args: Args) => (await client.callTool(paramsOf(...args))) as CallToolResult;
        return { requests, callTool };
      },
    close: async () => void (await Promise.all(clients.map((client) => client.close()))),
  };
}
