import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { compiled } from '../support/compiled.ts';
import { startProgram } from '../cli/assentry-process.ts';
import { callTool, makeClient, textOf } from '../sdk/mcp/peers.ts';
import { until } from '../support/poll.ts';
import { newFolder } from '../support/new-folder.ts';

export interface ExampleServer {
  client: Client;
  /** Ends the MCP server's process as a crash would. */
  kill(): Promise<void>;
}

export interface ExampleSettings {
  url: string;
  apiKey: string;
  /** A file that gets a line for everything a tool really did. */
  ledger: string;
}

const clients: Client[] = [];

/** The MCP server of the examples as a process of its own, and a client connected to it. */
export const startExample = (kind: 'stdio' | 'http', settings: ExampleSettings): Promise<ExampleServer> =>
  kind === 'stdio' ? startOverStdio(settings) : startOverHttp(settings);

async function startOverStdio({ ledger, ...settings }: ExampleSettings): Promise<ExampleServer> {
  const args = [compiled('examples/server.ts'), '--stdio', '--ledger', ledger];
  const transport = new StdioClientTransport({ command: process.execPath, args, env: environmentOf(settings) });
  const client = await connect(transport);
  const kill = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => (client.onclose = resolve));
    process.kill(transport.pid ?? Number.NaN, 'SIGKILL');
    await closed;
  };
  return { client, kill };
}

async function startOverHttp({ ledger, ...settings }: ExampleSettings): Promise<ExampleServer> {
  const words = ['examples/server.ts', '--port', '0', '--ledger', ledger];
  const { child, said: run, ended } = startProgram(words, { env: environmentOf(settings) });
  const url = await until(() => /http:\S+/.exec(run.stdout)?.[0]);
  const client = await connect(new StreamableHTTPClientTransport(new URL(url)));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { client, kill };
}

const environmentOf = ({ url, apiKey }: Omit<ExampleSettings, 'ledger'>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  ASSENTRY_URL: url,
  ASSENTRY_API_KEY: apiKey,
});

async function connect(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = makeClient();
  await client.connect(transport as Parameters<Client['connect']>[0]);
  clients.push(client);
  return client;
}

export async function closeClients(): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.close()));
}

export interface HeldCall {
  /** What the tool says in the end; undefined where the call is lost. */
  said: Promise<string | undefined>;
  /** What the caller was told while it was held. */
  progress: string[];
}

/** Calls the tool that deletes an account, and goes on without waiting for the end. */
export function deleteAccount({ client }: ExampleServer, id: string): HeldCall {
  const progress: string[] = [];
  const call = callTool(
    client,
    'delete_account',
    { id },
    { timeout: 50_000, onprogress: ({ message }) => void progress.push(message ?? '') },
  );
  return { progress, said: call.then(textOf).catch(() => undefined) };
}

export const isHeld = ({ progress }: HeldCall): boolean => progress.includes('Waiting for approval of Delete account');

/** An empty ledger. */
export function newLedger(): string {
  const directory = newFolder('ledger');
  const ledger = path.join(directory, 'ledger');
  appendFileSync(ledger, '');
  return ledger;
}

export const readLedger = (ledger: string): string => readFileSync(ledger, 'utf8');
