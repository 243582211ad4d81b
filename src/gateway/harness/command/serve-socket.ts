import { chmod, mkdir, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { z } from 'zod';
import { joinOrchestrator } from '#cli/join';
import { formatDocument, formatSentences } from '#cli/output';
import { harnesses, type Harness } from '../adapters/harness.ts';
import {
  hasSocket,
  longestMessage,
  socketFolderIn,
  socketIn,
  type AskedEvent,
  type HookAnswer,
  type SocketMessage,
} from '../socket.ts';

const Asked = z.object({
  harness: z.enum(harnesses),
  seconds: z.int().min(60).max(9_999),
  home: z.string(),
  program: z.tuple([z.string()], z.string()),
  variables: z.record(z.string(), z.string()),
  event: z.base64(),
}) satisfies z.ZodType<AskedEvent>;
const Message = z.union([
  z.object({ hook: Asked }),
  z.object({ status: z.object({ json: z.boolean() }) }),
]) satisfies z.ZodType<SocketMessage>;

/** Requests that wait for people. */
export interface Waiting {
  count: number;
  /** Seconds since the oldest was opened. */
  oldest: number;
}

interface Serving {
  /** Data directory. */
  directory: string;
  url: string;
  /** Absent if this process does not know. */
  readWaiting?: (() => Promise<Waiting>) | undefined;
}

/**
 * Answers hooks of this machine on a socket in the data directory, which the person who runs Assentry alone can open. It tells
 * what Assentry decides, as the hook itself would; it approves nothing. The returned function stops it, and hooks that wait
 * then ask for themselves.
 */
export async function serveSocket(serving: Serving): Promise<() => Promise<void>> {
  const { directory } = serving;
  if (!hasSocket(directory)) return async () => {};
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    socket.on('error', () => {}); // it is closed next
    void answer(socket, serving);
  });
  await mkdir(socketFolderIn(directory), { recursive: true, mode: 0o700 });
  await chmod(socketFolderIn(directory), 0o700);
  await rm(socketIn(directory), { force: true }); // of a process that was killed
  server.listen(socketIn(directory));
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of waiting) socket.destroy();
    await closed;
  };
}

async function answer(socket: Socket, serving: Serving): Promise<void> {
  const leaving = new AbortController();
  socket.once('close', () => leaving.abort());
  const message = await readMessage(socket);
  if (socket.destroyed) return;
  if (message === null) return void socket.end('null');
  const { signal } = leaving;
  const reply = 'hook' in message ? answerHook(message.hook, serving, signal) : answerStatus(message.status, serving);
  socket.end(JSON.stringify(await reply.catch(() => null)));
}

async function answerHook(
  { event, ...hook }: AskedEvent & { harness: Harness },
  { directory }: Serving,
  signal: AbortSignal,
) {
  const { answerEvent } = await import('./answer.ts');
  const client = joinOrchestrator(directory, hook.harness);
  return answerEvent({ ...hook, bytes: Buffer.from(event, 'base64'), directory, client, signal });
}

async function answerStatus({ json }: { json: boolean }, { url, readWaiting }: Serving): Promise<HookAnswer> {
  const waiting = (await readWaiting?.()) ?? null;
  const output = json ? formatDocument({ url, waiting }) : formatSentences([formatStatus(url, waiting)]);
  return { code: 0, output, words: '' };
}

export function formatStatus(url: string, waiting: Waiting | null): string {
  if (waiting === null) return `Assentry runs at ${url}`;
  const { count, oldest } = waiting;
  if (count === 0) return 'Assentry: nothing waits';
  const since = oldest < 60 ? 'less than a minute' : `${Math.floor(oldest / 60)} min`;
  return `Assentry: ${count} waiting, the first for ${since}`;
}

/** The line of the hook, which keeps the connection open as long as it waits. Null if this version cannot read it. */
async function readMessage(socket: Socket): Promise<z.output<typeof Message> | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise((resolve) => {
    socket.on('data', (chunk) => {
      length += chunk.length;
      if (length > longestMessage) return void socket.destroy();
      chunks.push(chunk);
      if (chunk.at(-1) === lineEnd) resolve(null);
    });
    socket.once('close', resolve);
  });
  try {
    return Message.safeParse(JSON.parse(Buffer.concat(chunks).toString())).data ?? null;
  } catch {
    return null;
  }
}

const lineEnd = 10;
