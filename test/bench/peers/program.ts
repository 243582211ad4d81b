import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface Start {
  parameters: string[];
  env?: Record<string, string>;
  ready(): Promise<boolean>;
}

export interface Program {
  pid: number;
  stop(): Promise<void>;
}

/** Starts a program in a new directory, and resolves when it is ready. */
export async function startProgram(program: string, describe: (directory: string) => Start): Promise<Program> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'assentry-test-bench-'));
  const { parameters, env, ready } = describe(directory);
  const child = spawn(program, parameters, { cwd: directory, stdio: 'ignore', env: { ...process.env, ...env } });
  const ended = once(child, 'exit').then(([code]) => {
    throw new TypeError(`${path.basename(program)} ended with ${String(code)}.`);
  });
  ended.catch(() => {}); // also rejects when it is no longer awaited
  await Promise.race([becomeReady(ready), ended]);
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGKILL');
      await ended.catch(() => {});
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function becomeReady(ready: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await ready().catch(() => false)) return;
    await sleep(100);
  }
  throw new TypeError('It was not ready within 30 s.');
}
