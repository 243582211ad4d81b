import { chmod, mkdir, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { z } from 'zod';
import { joinOrchestrator } from '#cli/join';
import { harnesses } from '../adapters/harness.ts';
import { hasSocket, longestMessage, socketFolderIn, socketIn, type AskedEvent } from '../socket.ts';

const Asked = z.object({
  harness: z.enum(harnesses),
  seconds: z.int().min(60).max(9_999),
  home: z.string(),
  program: z.tuple([z.string()], z.string()),
  variables: z.record(z.string(), z.string()),
  event: z.base64(),
}) satisfies z.ZodType<AskedEvent>;

/**
 * Answers hooks of this machine on a socket in the data directory, which the person who runs Assentry alone can open. It tells
 * what Assentry decides, as the hook itself would; it approves nothing. The returned function stops it, and hooks that wait
 * then ask for themselves.
 */
export async function serveHooks(directory: string): Promise<() => Promise<void>> {
  if (!hasSocket(directory)) return async () => {};
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    socket.on('error', () => {}); // it is closed next
    void answer(socket, directory);
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

async function answer(socket: Socket, directory: string): Promise<void> {
  const leaving = new AbortController();
  socket.once('close', () => leaving.abort());
  const message = await readAsked(socket);
  if (socket.destroyed) return;
  if (message === null) return void socket.end('null');
  const { answerEvent } = await import('./answer.ts');
  const { event, ...more } = message;
  const client = joinOrchestrator(directory, message.harness);
  const bytes = Buffer.from(event, 'base64');
  socket.end(JSON.stringify(await answerEvent({ ...more, bytes, directory, client, signal: leaving.signal })));
}

/** The line that the hook sends; it then keeps the connection open as long as it waits. Null if this version cannot read it. */
async function readAsked(socket: Socket): Promise<z.output<typeof Asked> | null> {
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
    return Asked.safeParse(JSON.parse(Buffer.concat(chunks).toString())).data ?? null;
  } catch {
    return null;
  }
}

const lineEnd = 10;
