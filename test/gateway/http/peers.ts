import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client';
import type { AssentryClient } from '../../../src/client/client.ts';
import { startGateway, type RunningGateway } from '../../../src/gateway/http/gateway.ts';
import { readGatewayConfig } from '../../../src/gateway/http/gateway-config.ts';
import { makeClient } from '../../mcp/peers.ts';
import { makeV2Client } from '../../mcp-v2/peers.ts';
import { createNotes } from '../notes.ts';
import { newFolder } from '../peers.ts';

export interface HttpNotes {
  url: string;
  /** What the server has really done. */
  done: string[];
  /** Of the tool that writes, from the next session or request on. */
  describe(description: string): void;
  close(): Promise<void>;
}

/** The notes server over HTTP, for clients of every revision. */
export async function startNotes(): Promise<HttpNotes> {
  const done: string[] = [];
  const notes = { description: 'Writes a note.' };
  const host = await serveBothEras(() => createNotes((what) => void done.push(what), notes.description), 0);
  return { ...host, done, describe: (description) => void (notes.description = description) };
}

export interface GateSettings {
  client: AssentryClient | Promise<AssentryClient>;
  url: string;
  patience?: number;
  calls?: number;
  pins?: string;
  headers?: Record<string, string>;
}

export interface NotesGateway extends RunningGateway {
  notes: string;
  /** What the operator was told. */
  warnings: string[];
}

/** The gateway in front of this server, which it calls notes. */
export async function startGate(settings: GateSettings): Promise<NotesGateway> {
  const { client, url, patience, calls, pins = newFolder(), headers = {} } = settings;
  const upstream = { url, headers, ...(calls && { calls }) };
  const config = readGatewayConfig(JSON.stringify({ port: 0, upstreams: { notes: upstream } }), {});
  const warnings: string[] = [];
  const warn = (sentence: string): void => void warnings.push(sentence);
  const gateway = await startGateway(config, { clientFor: async () => client, pins, warn, patience });
  return { ...gateway, notes: gateway.addresses['notes'] ?? '', warnings };
}

export const kinds = ['2025 on the first SDK', '2025 on the second', '2026'] as const;

export interface Agent {
  client: Client;
  /** Every message that its transport has received. */
  seen: object[];
}

/** A client of this kind; the second SDK's has the same methods as far as tests use them. */
export async function connect(url: string, kind: (typeof kinds)[number] = kinds[0]): Promise<Agent> {
  const isFirst = kind === kinds[0];
  const client = isFirst ? makeClient() : makeV2Client(undefined, kind === '2026' ? 'auto' : 'legacy');
  const transport = isFirst ? new StreamableHTTPClientTransport(new URL(url)) : new V2Transport(new URL(url));
  const messages: object[] = [];
  await (client as Client).connect(transport as unknown as Transport);
  const take = transport.onmessage as ((message: object, extra?: unknown) => void) | undefined;
  transport.onmessage = (message: object, extra?: unknown) => {
    messages.push(message);
    take?.(message, extra);
  };
  return { client: client as Client, seen: messages };
}
