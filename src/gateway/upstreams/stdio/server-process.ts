import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#platform/model/problem/problem';

export interface ServerCommand {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A server that runs as a child of this process and speaks over its standard streams. */
export interface ServerProcess extends Pick<Child, 'stdin' | 'stdout' | 'stderr'> {
  /** Resolves with the exit code when it has ended and everything it wrote is read. */
  ended: Promise<number>;
  /** Ends its input; if it does not stop by that, ends it by signals. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Milliseconds it has to stop after its input has ended, and after each signal. */
const grace = 1_500;

/** Starts the server; problem `config-invalid` if there is no such command. */
export async function startProcess({ command, args, env }: ServerCommand): Promise<ServerProcess> {
  const isGroup = process.platform !== 'win32';
  // A group of its own: what npx and the like start ends with them, and Ctrl-C reaches the server through us.
  const child: Child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: isGroup });
  // Kept until someone reads it: Node.js discards what a process has written before it ended and no one had read.
  const [stdout, stderr] = [child.stdout.pipe(new PassThrough()), child.stderr.pipe(new PassThrough())];
  const isRead = Promise.allSettled([finished(stdout), finished(stderr)]);
  const closed = once(child, 'close').then(([code]) => isRead.then(() => (typeof code === 'number' ? code : 1)));
  closed.catch(() => {});
  try {
    await once(child, 'spawn');
  } catch (cause) {
    throw new Problem('config-invalid', { detail: `Check the command: ${command} cannot be started.`, cause });
  }
  child.stdin.on('error', () => {}); // it has ended, which shows by itself
  const { stdin } = child;
  return { stdin, stdout, stderr, ended: closed, stop: () => stop(child, closed, isGroup) };
}

async function stop(child: Child, closed: Promise<number>, isGroup: boolean): Promise<void> {
  child.stdin.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await isOver(closed)) return;
    signalTo(child, signal, isGroup);
  }
  await isOver(closed);
}

async function isOver(closed: Promise<number>): Promise<boolean> {
  const waiting = new AbortController();
  const tired = sleep(grace, false, waiting).catch(() => false);
  const isClosed = await Promise.race([closed.then(() => true), tired]);
  waiting.abort();
  return isClosed;
}

function signalTo({ pid = 0 }: Child, signal: NodeJS.Signals, isGroup: boolean): void {
  try {
    process.kill(isGroup ? -pid : pid, signal);
  } catch {
    // it has ended meanwhile
  }
}
