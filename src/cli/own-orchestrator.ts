import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type AssentryClient } from '../client/client.ts';
import { directoryOf } from '../installation/directory-of.ts';
import type { Operator } from '../installation/operator.ts';
import type { ServerOptions } from '../installation/server-options.ts';
import { findServing } from '../installation/serving-note.ts';
import { Problem } from '../model/problem.ts';
import type { RunningServer } from '../server.ts';
import { startNode, startServing } from './serve/start-serving.ts';
import { withOperator } from './terminal/settings.ts';

/** Where the calls of a wrapped server are asked about. */
export interface Orchestrator {
  client: AssentryClient;
  stop(): Promise<void>;
}

/** Milliseconds between two looks at the process that serves. */
const lookEvery = 2_000;

/**
 * Serves Assentry from this process, on the data directory. If another process serves there already, that one is used;
 * when it ends, one of those that used it serves in its place, at the same address.
 */
export async function openOrchestrator(options: ServerOptions, server: string): Promise<Orchestrator> {
  const settings = { ...options, databaseUrl: null };
  const directory = directoryOf(settings);
  const servingUrl = await findServing(directory);
  let own = servingUrl === null ? await serve(settings) : null;
  const url = servingUrl ?? own?.url ?? (await findServing(directory)) ?? '';
  const apiKey = await keyOf(settings, server, own);
  const stopping = new AbortController();
  const port = Number(new URL(url).port);
  const takeOver = async (): Promise<boolean> => (own = await serve({ ...settings, port })) !== null;
  const watching = own ? Promise.resolve() : watch(directory, stopping.signal, takeOver);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await watching;
    await own?.stop();
  };
  return { client: createClient({ url, apiKey }), stop };
}

/** Uses the Assentry that runs on the data directory; `unavailable` if none does. */
export async function joinOrchestrator(options: ServerOptions, server: string): Promise<AssentryClient> {
  const settings = { ...options, databaseUrl: null };
  const url = await findServing(directoryOf(settings));
  if (url === null)
    throw new Problem('unavailable', { detail: 'Start Assentry with "assentry serve": it does not run here.' });
  return createClient({ url, apiKey: await keyOf(settings, server, null), retries: 3 });
}

/** Null if another process has begun to serve this data directory meanwhile. */
async function serve(settings: ServerOptions): Promise<RunningServer | null> {
  try {
    return await startServing(settings, () => startNode(settings));
  } catch (error) {
    if (error instanceof Problem && (await findServing(directoryOf(settings))) !== null) return null;
    throw error;
  }
}

/** This server's key, made at its first start and kept in the data directory. */
async function keyOf(settings: ServerOptions, server: string, own: Operator | null): Promise<string> {
  const file = path.join(directoryOf(settings), 'gateway', 'keys', server);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== '') return kept.trim();
  const make = (operator: Operator) => operator.createServerKey(server);
  const key = await (own ? make(own) : withOperator(make, { settings }));
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${key}\n`, { mode: 0o600, flush: true });
  return key;
}

/** Until this process serves, or is told to stop. */
async function watch(directory: string, signal: AbortSignal, takeOver: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    await sleep(lookEvery, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted || (await findServing(directory)) !== null) continue;
    if (await takeOver().catch(() => false)) return;
  }
}
