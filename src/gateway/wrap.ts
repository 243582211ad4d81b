import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssentryClient } from '#sdk/client/client';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { readSettings } from '#sdk/mcp/tools/own-tools';
import type { Allowances } from './frames/mcp-words.ts';
import { LineReader, type LineListener } from './frames/frame.ts';
import { Passes } from './calls/passes.ts';
import { RefusedCalls } from './calls/own-files.ts';
import type { OwnFiles } from './own-files/own-files.ts';
import { Relay } from './relay/relay.ts';
import type { ServerProcess } from './upstreams/stdio.ts';
import { openPins } from './tools/pins.ts';
import { reportedPins, ToolReports } from './tools/reports.ts';

interface WrapOptions {
  /** The started server. */
  upstream: ServerProcess;
  /** The upstream's name, as people read it. */
  server: string;
  /** Command of the server. */
  reaches: string;
  /** The folder of the accepted definitions. */
  pins: string;
  ownFiles: OwnFiles;
  allowances?: Allowances | undefined;
  /** Adds to descriptions of tools that their calls wait. */
  describesHeld?: boolean | undefined;
  /** The orchestrator. If it is unavailable, no call runs, and each is answered with the reason until the client goes. */
  client: Promise<AssentryClient>;
  stdin: Readable;
  stdout: Writable;
  /** Prints one line for the operator. */
  warn(sentence: string): void;
  /** Ends everything, as the end of the input does. */
  signal: AbortSignal;
  /** Milliseconds a call is held; the default of all MCP servers if absent. */
  holdTimeoutMs?: number | undefined;
}

/** Bytes of one message, in either direction. */
export const maxFrameBytes = 32 * 1024 * 1024;
/** Milliseconds for the last reports of call outcomes. */
const lastReportMs = 5_000;

/**
 * Runs an MCP server behind the gateway, for one client on these streams. Resolves with an exit code when the client has gone
 * or the server has ended, and neither the server nor a held call is left.
 */
export async function wrap(options: WrapOptions): Promise<number> {
  const { upstream, server, reaches, client, holdTimeoutMs, ownFiles, allowances, describesHeld } = options;
  const warn = (sentence: string): void => options.warn(`${server}: ${sentence}`);
  const sides = {
    toClient: (line: string) => send(options.stdout, line, upstream.stdout),
    toUpstream: (line: string) => void send(upstream.stdin, line, options.stdin),
    warn,
  };
  const reports = new ToolReports(client);
  const pins = reportedPins(openPins(options.pins, server, reaches), reports);
  const passes = new Passes(client);
  const refusals = new RefusedCalls(client);
  const shared = { client, settings: readSettings({ holdTimeoutMs }), server, reaches, pins, passes };
  const relay = new Relay(sides, { ...shared, ownFiles, refusals, allowances, describesHeld });
  relay.askAboutServer();
  listen(options.stdin, { onLine: (line) => relay.fromClient(line), onTooLong: () => relay.refuseLong(maxFrameBytes) });
  listen(upstream.stderr, { onLine: (line) => warn(line.toString()), onTooLong: () => {} });
  const isTooLong = listenTo(upstream, relay);
  const code = await Promise.race([upstream.ended, isTooLong.then(() => tooLong(warn)), clientGone(options)]);
  if (options.signal.aborted) relay.endHeld();
  else if (code === null) relay.leave();
  await upstream.stop();
  const reporting = relay
    .lose()
    .then(() => Promise.all([passes.close(), reports.flush(), refusals.flush(), untilAllSettled()]));
  await Promise.race([reporting, sleep(lastReportMs, undefined, { ref: false })]);
  relay.endAll();
  return code ?? 0;
}

/** Resolves with null when the client has gone, or the signal ends it. */
async function clientGone({ stdin, stdout, signal }: WrapOptions): Promise<null> {
  const ends = [once(stdin, 'end'), once(stdin, 'close'), once(stdout, 'error')];
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  stdout.on('error', () => {}); // a client that has gone takes nothing
  await Promise.race([...ends, stopped]).catch(() => {});
  return null;
}

/** Resolves when the upstream has sent more than allowed, because the request of that answer is unknown. */
function listenTo({ stdout }: ServerProcess, relay: Relay): Promise<void> {
  return new Promise((resolve) => {
    listen(stdout, { onLine: (line) => relay.fromUpstream(line), onTooLong: resolve });
  });
}

function tooLong(warn: (sentence: string) => void): number {
  warn(`It sent a message of more than ${maxFrameBytes} bytes, so it is ended.`);
  return 1;
}

const listen = (stream: Readable, listener: LineListener): void => {
  const reader = new LineReader(maxFrameBytes, listener);
  stream.on('data', (chunk: Buffer) => reader.push(chunk));
};

/** Resolves with whether the stream has taken the line. The source pauses while the stream is full. */
function send(stream: Writable, line: string, source: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    const isFull = !stream.write(line, (error) => resolve(!error));
    if (!isFull || source.isPaused()) return;
    source.pause();
    stream.once('drain', () => source.resume());
  });
}
