import { setTimeout as sleep } from 'node:timers/promises';
import type { AssentryClient } from '#sdk/client/client';
import type { Environment } from '#platform/config/env';
import { findServing } from '#server/directory-of';
import { keyOf } from './join.ts';
import { Problem } from '#platform/model/problem';
import type { RunningServer } from '#server/server';

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

/** Until this process serves, or is told to stop. */
async function watch(directory: string, signal: AbortSignal, takeOver: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    await sleep(lookIntervalMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted || (await findServing(directory)) !== null) continue;
    if (await takeOver().catch(() => false)) return;
  }
}
