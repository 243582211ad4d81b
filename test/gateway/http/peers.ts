import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client';
import type { AssentryClient } from '#sdk/client/client';
import { startGateway, type RunningGateway } from '#gateway/gateway';
import { readGatewayConfig } from '#gateway/config';
import { openOwnFiles } from '#gateway/own-files/own-files';
import { makeClient } from '../../sdk/mcp/peers.ts';
import { makeV2Client } from '../../sdk/mcp-v2/peers.ts';
import { createNotes } from '../notes.ts';
import { type Pipe, type SeenFrame } from '../peers.ts';
import { newFolder } from '../../support/new-folder.ts';

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
  holdTimeoutMs?: number;
  pins?: string;
  /** The data directory that no call may lead into. */
  directory?: string;
  /** As the configuration has it: the server, and its limits. */
  upstream: Record<string, unknown>;
  /** More of the configuration. */
  more?: Record<string, unknown>;
}

export interface NotesGateway extends RunningGateway {
  notes: string;
  /** What the operator was told. */
  warnings: string[];
}

/** The gateway in front of this server, which it calls notes. */
export async function startGate({ upstream, client, ...settings }: GateSettings): Promise<NotesGateway> {
  const gateway = await startGates({ ...settings, upstreams: { notes: upstream }, clientFor: () => client });
  return { ...gateway, notes: gateway.addresses['notes'] ?? '' };
}

export interface GatesSettings extends Pick<GateSettings, 'holdTimeoutMs' | 'pins' | 'directory' | 'more'> {
  upstreams: Record<string, Record<string, unknown>>;
  clientFor(name: string): GateSettings['client'];
}

/** The gateway in front of these servers. */
export async function startGates({
  upstreams,
  clientFor,
  holdTimeoutMs,
  pins = newFolder(),
  directory = newFolder(),
  more,
}: GatesSettings) {
  const config = readGatewayConfig(JSON.stringify({ port: 0, upstreams, ...more }), process.env);
  const warnings: string[] = [];
  const warn = (sentence: string): void => void warnings.push(sentence);
  const ownFiles = openOwnFiles(directory, { variables: process.env });
  const parts = {
    clientFor: async ({ name }: { name: string }) => clientFor(name),
    pins,
    ownFiles,
    warn,
    holdTimeoutMs,
  };
  return { ...(await startGateway(config, parts)), warnings };
}

/** This command, as the configuration has it. */
export const commandOf = ([command, ...args]: string[]) => ({ command, args });

export const kinds = ['2025 on the first SDK', '2025 on the second', '2026'] as const;

export type Kind = (typeof kinds)[number];

export interface Agent {
  client: Client;
  /** Every message that its transport has received. */
  seen: object[];
}

/** A client of this kind at this address; its person answers as given. */
export function connect(url: string, kind: Kind = kinds[0], user?: Person): Promise<Agent> {
  const address = new URL(url);
  const transport = kind === kinds[0] ? new StreamableHTTPClientTransport(address) : new V2Transport(address);
  return connectBy(transport, kind, user);
}

/** What the person at a client answers to a message. */
type Person = (message: string) => ElicitResult;

/** A client of this kind; the second SDK's has the same methods as far as tests use them. */
export async function connectBy(transport: object, kind: Kind, user?: Person): Promise<Agent> {
  const byRequest = user && (({ message }: { message: string }) => user(message));
  const client = kind === kinds[0] ? makeClient(byRequest) : makeV2Client(user, kind === '2026' ? 'auto' : 'legacy');
  const messages: object[] = [];
  await (client as Client).connect(transport as Transport);
  const { onmessage: take } = transport as Transport;
  (transport as Transport).onmessage = (message, extra) => {
    messages.push(message);
    take?.(message, extra);
  };
  return { client: client as Client, seen: messages };
}

/** The server at this address, as a pipe for the first SDK. */
export function pipeTo(url: string): Pipe {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  const frames: SeenFrame[] = [];
  const pipe = {
    seen: frames,
    start: () => transport.start(),
    send: (message: object) => transport.send(message as never),
    setProtocolVersion: (version: string) => transport.setProtocolVersion(version),
    write: () => {},
    async close() {
      await transport.terminateSession();
      await transport.close();
    },
  } as Pipe;
  transport.onclose = () => pipe.onclose?.();
  transport.onmessage = (message) => {
    frames.push(message as SeenFrame);
    pipe.onmessage?.(message as never);
  };
  return pipe;
}

/** What a gateway warns of, but for tools that no one has looked at yet. */
export const faultsIn = ({ warnings }: { warnings: string[] }): string[] =>
  warnings.filter((sentence) => !sentence.includes('No one has looked at'));
