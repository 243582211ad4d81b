import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { compiled, shippedProgram } from '../support/compiled.ts';
import { newFolder } from '../support/new-folder.ts';
import { until } from '../support/poll.ts';

export interface ProcessOptions {
  env?: Record<string, string>;
  input?: string;
  /** Where it runs: in the repository, unless told. */
  cwd?: string;
  /** In a process group of its own, as a terminal would start it. */
  asGroup?: boolean;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface AssentryProcess {
  child: ChildProcess;
  /** What it has written so far. */
  said: { stdout: string; stderr: string };
  ended: Promise<Ended>;
}

export interface ServingProcess extends AssentryProcess {
  url: string;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
}

const running = new Set<ChildProcess>();
/** So that no test comes near the Assentry of the person who runs it. */
const home = newFolder('home');

/** Starts a program of the repository in an environment of its own: nothing of ours but PATH. */
export function startProgram(
  [source = '', ...words]: string[],
  { env = {}, input = '', asGroup = false, cwd }: ProcessOptions = {},
): AssentryProcess {
  const child = spawn(process.execPath, [compiled(source), ...words], {
    env: { PATH: process.env.PATH ?? '', HOME: home, ASSENTRY_ENVIRONMENT: 'trial', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: asGroup,
    ...(cwd !== undefined && { cwd }),
  });
  running.add(child);
  const run = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (run.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (run.stderr += text));
  child.stdin.on('error', () => {}); // it may end without reading what it is given
  child.stdin.end(input);
  const ended = once(child, 'close').then(([code]): Ended => {
    running.delete(child);
    return { code: code as number | null, ...run };
  });
  return { child, said: run, ended };
}

/** One command to its end. */
export const runAssentry = (words: string[], options: ProcessOptions = {}): Promise<Ended> =>
  startProgram([shippedProgram, ...words], options).ended;

/** A server process, once it says that it is ready; on any free port unless the environment names one. */
export async function serveAssentry(
  env: Record<string, string>,
  words = [shippedProgram],
  options: string[] = [],
): Promise<ServingProcess> {
  const started = startProgram([...words, 'serve', ...options], {
    env: { ASSENTRY_PORT: '0', ASSENTRY_SHUTDOWN_GRACE: '0', ...env },
  });
  let end: Ended | undefined;
  void started.ended.then((ended) => (end = ended));
  const url = await until(() => end ?? /^Assentry is ready at (\S+)\n/.exec(started.said.stdout)?.[1]);
  if (typeof url !== 'string') throw new Error(`The server did not start: ${JSON.stringify(url)}`);
  return {
    ...started,
    url,
    end: (signal) => {
      started.child.kill(signal);
      return started.ended;
    },
  };
}

/** For the end of a test: whatever still runs is killed. */
export async function killProcesses(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      return closed;
    }),
  );
}

/** The sentences in a serving process's log, of which every line is JSON. */
export const sentencesOf = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
