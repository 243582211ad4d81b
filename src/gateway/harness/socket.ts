import { lstatSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// Every call of a coding agent starts this: it imports nothing but Node's own modules.

/** An event of a coding agent, and what its hook knows of the place in which it runs. */
export interface AskedEvent {
  harness: string;
  /** Seconds the agent waits for the hook. */
  seconds: number;
  home: string;
  /** How this program is started again. */
  program: [string, ...string[]];
  /** The hook's environment, without Assentry's own variables. */
  variables: NodeJS.ProcessEnv;
  /** Bytes of the event, in base64. */
  event: string;
}

/** What the hook prints, and the code with which it ends. */
export interface HookAnswer {
  code: number;
  output: string;
  words: string;
}

/** Folder of the socket: only the person who runs Assentry can open it. */
export const socketFolderIn = (directory: string): string => path.join(directory, 'hook');

/** The number changes when older hooks could not read the answers. */
export const socketIn = (directory: string): string => path.join(socketFolderIn(directory), '1.sock');

/** Longest event with its environment, in bytes; the hook itself judges a longer one. */
export const longestMessage = 64 << 20;

/** Longest path of a socket on all systems, in bytes. */
const longestPath = 103;
export const hasSocket = (directory: string): boolean =>
  path.sep === '/' && Buffer.byteLength(socketIn(directory)) <= longestPath;

/** What the Assentry that runs here is asked: for the answer of a hook, or how many requests wait. */
export type SocketMessage = { hook: AskedEvent } | { status: { json: boolean } };

/**
 * Lets the Assentry that runs on the data directory answer for `hook HARNESS --timeout SECONDS --data-dir DIRECTORY` or
 * `status --data-dir DIRECTORY`, and prints its answer. Returns the exit code; null for any other command line, or if no
 * Assentry of the same person answers.
 */
export async function askRunning(
  words: readonly string[],
  here: Pick<AskedEvent, 'program' | 'variables'>,
): Promise<number | null> {
  const command = readCommand(words);
  if (command === null) return null;
  const { directory, harness, seconds } = command;
  if (harness === null) return printAnswer(await askOnce(directory, { status: { json: false } }));
  const late = setTimeout(leave, (seconds - 5) * 1000);
  const answer = await askUntilAnswered(directory, async () => {
    const event = (await readInput()).toString('base64');
    return { hook: { harness, seconds, home: homedir(), ...here, event } };
  });
  clearTimeout(late);
  return printAnswer(answer);
}

/** Null for a command line that no hook has and no status line. */
function readCommand(words: readonly string[]): { directory: string; harness: string | null; seconds: number } | null {
  const [hook, harness = '', timeout, seconds = '', ...place] = words;
  const isHook = hook === 'hook' && timeout === '--timeout' && /^\d{2,4}$/.test(seconds);
  const [option, directory = '', ...more] = isHook ? place : words.slice(1);
  if ((!isHook && hook !== 'status') || option !== '--data-dir' || more.length > 0) return null;
  return { directory, harness: isHook ? harness : null, seconds: Number(seconds) };
}

function printAnswer(answer: HookAnswer | null): number | null {
  if (answer === null) return null;
  process.stdout.write(answer.output);
  process.stderr.write(answer.words);
  return answer.code;
}

/** Null if no Assentry of the same person answers on this data directory. */
export async function askOnce(directory: string, message: SocketMessage): Promise<HookAnswer | null> {
  if (!isBelieved(directory)) return null;
  const answer = await ask(socketIn(directory), async () => message);
  return typeof answer === 'string' ? null : answer;
}

/** Standard input, which is read once. */
export const readInput = (): Promise<Buffer> => (input ??= readAll());
let input: Promise<Buffer> | undefined;

async function readAll(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Some agents run a call whose hook is late. */
function leave(): never {
  process.stderr.write('Assentry did not answer in time. Nothing was run.\n');
  process.exit(2);
}

/** A folder of another person could hold a socket that answers yes. */
function isBelieved(directory: string): boolean {
  if (!hasSocket(directory)) return false;
  const entry = lstatSync(socketFolderIn(directory), { throwIfNoEntry: false });
  return entry?.isDirectory() === true && entry.uid === process.getuid?.() && (entry.mode & 0o077) === 0;
}

/** While people are asked, another process may begin to serve in place of one that ended. */
const [pauseMs, pauses] = [500, 20];

async function askUntilAnswered(directory: string, read: () => Promise<SocketMessage>): Promise<HookAnswer | null> {
  if (!isBelieved(directory)) return null;
  let wasThere = false;
  for (let left = pauses; left > 0; left--) {
    const answer = await ask(socketIn(directory), read);
    if (typeof answer !== 'string') return answer;
    wasThere ||= answer === 'lost';
    if (!wasThere) return null;
    await sleep(pauseMs);
  }
  return null;
}

/** Null if what runs there cannot answer this hook. */
function ask(socket: string, read: () => Promise<SocketMessage>): Promise<HookAnswer | null | 'absent' | 'lost'> {
  return new Promise((resolve) => {
    let isThere = false;
    const chunks: Buffer[] = [];
    const connection = connect(socket, () => {
      isThere = true;
      void read().then((content) => {
        const message = `${JSON.stringify(content)}\n`;
        if (message.length <= longestMessage) return connection.write(message);
        resolve(null);
        return connection.destroy();
      });
    });
    connection.on('data', (chunk: Buffer) => chunks.push(chunk));
    connection.on('error', () => {}); // it is closed next
    connection.on('close', () => {
      const answer = readAnswer(chunks);
      resolve(answer === undefined ? (isThere ? 'lost' : 'absent') : answer);
    });
  });
}

/** Undefined if the connection broke before all of the answer came. */
function readAnswer(chunks: Buffer[]): HookAnswer | null | undefined {
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as HookAnswer | null;
  } catch {
    return undefined;
  }
}
