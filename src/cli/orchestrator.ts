import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { AssentryClient } from '#sdk/client/client';
import { ownEnvironment, type Environment } from '#platform/config/env';
import type { Operator } from '#server/operator';
import { findServing } from '#server/directory-of';
import { Problem } from '#platform/model/problem';
import type { RunningServer } from '#server/server';
import { keysIn } from '#gateway/command/gateway-folders';

/** Where the calls of a wrapped server are asked about. */
export interface Orchestrator {
  client: AssentryClient;
  stop(): Promise<void>;
}

/** Milliseconds between two looks at the process that serves. */
const lookIntervalMs = 2_000;

/** Where an Assentry of our own keeps its data, and the environment with its settings. */
interface OwnPlace {
  directory: string;
  environment: Environment;
}

/**
 * Serves Assentry from this process, on the data directory. If another process serves there already, that one is used;
 * when it ends, one of those that used it serves in its place, at the same address.
 */
export async function openOrchestrator(place: OwnPlace, server: string): Promise<Orchestrator> {
  const { directory } = place;
  const servingUrl = await findServing(directory);
  let own = servingUrl === null ? await serve(place) : null;
  const url = servingUrl ?? own?.url ?? (await findServing(directory)) ?? '';
  const apiKey = await keyOf(directory, server, own);
  const stopping = new AbortController();
  const takeOver = async (): Promise<boolean> => (own = await serve(place, Number(new URL(url).port))) !== null;
  const watching = own ? Promise.resolve() : watch(directory, stopping.signal, takeOver);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await watching;
    await own?.stop();
  };
  const { createClient } = await import('#sdk/client/client');
  return { client: createClient({ url, apiKey }), stop };
}

/** Uses the Assentry that runs on the data directory; `unavailable` if none does. */
export async function joinOrchestrator(directory: string, server: string): Promise<AssentryClient> {
  const url = await findServing(directory);
  if (url === null)
    throw new Problem('unavailable', { detail: 'Start Assentry with "assentry serve": it does not run here.' });
  const { createClient } = await import('#sdk/client/client');
  return createClient({ url, apiKey: await keyOf(directory, server, null), retries: 3 });
}

/**
 * Null if another process has begun to serve this data directory meanwhile. Only here is what serves loaded: many
 * processes use it, and one serves.
 */
async function serve({ directory, environment }: OwnPlace, port?: number): Promise<RunningServer | null> {
  const { readSettings } = await import('./settings.ts');
  const { startNode, startServing } = await import('./start-serving.ts');
  const named = readSettings(environment);
  const settings = { ...named, databaseUrl: null, dataDirectory: directory, port: port ?? named.port };
  try {
    return await startServing(settings, () => startNode(settings));
  } catch (error) {
    if (error instanceof Problem && (await findServing(directory)) !== null) return null;
    throw error;
  }
}

/** This server's key, made at its first start and kept in the data directory. */
async function keyOf(directory: string, server: string, own: Operator | null): Promise<string> {
  const file = path.join(keysIn(directory), server);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== '') return kept.trim();
  const key = await (own ? own.createServerKey(server) : makeKey(directory, server));
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${key}\n`, { mode: 0o600, flush: true });
  return key;
}

/** In a process that ends: what opens the database would stay in the memory of this one. */
async function makeKey(directory: string, server: string): Promise<string> {
  const words = [...process.execArgv, ownScript(), 'key', 'create', '--server', server, '--json'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, words, { env: ownEnvironment(directory) });
    return (JSON.parse(stdout) as { key: string }).key;
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    throw new Problem('unavailable', { detail: `Make a key for ${server}: that failed. ${stderr.trim()}`, cause });
  }
}

/** Until this process serves, or is told to stop. */
async function watch(directory: string, signal: AbortSignal, takeOver: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    await sleep(lookIntervalMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted || (await findServing(directory)) !== null) continue;
    if (await takeOver().catch(() => false)) return;
  }
}

/** How this program is started again: by npx, if npx keeps it where it may disappear. */
export function ownProgram(): [string, ...string[]] {
  const program = ownScript();
  return program.includes(`${path.sep}_npx${path.sep}`) ? ['npx', '-y', 'assentry'] : [process.execPath, program];
}

/** The file that this process runs. */
const ownScript = (): string => path.resolve(process.argv[1] ?? '');
