import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { AssentryClient } from '#sdk/client/client';
import { ownEnvironment } from '#platform/config/env';
import type { Operator } from '#server/operator';
import { findServing } from '#server/directory-of';
import { Problem } from '#platform/model/problem';
import { keysIn } from '#gateway/command/gateway-folders';
import { ownScript } from './own-program.ts';

/** Uses the Assentry that runs on the data directory; `unavailable` if none does. */
export async function joinOrchestrator(directory: string, server: string): Promise<AssentryClient> {
  const url = await findServing(directory);
  if (url === null)
    throw new Problem('unavailable', { detail: 'Start Assentry with "assentry serve": it does not run here.' });
  const { createClient } = await import('#sdk/client/client');
  return createClient({ url, apiKey: await keyOf(directory, server, null), retries: 3 });
}

/** This server's key, made at its first start and kept in the data directory. */
export async function keyOf(directory: string, server: string, own: Operator | null): Promise<string> {
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
