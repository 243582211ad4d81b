import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '#platform/model/problem/problem';
import type { Witness, WitnessAnswer } from './witness.ts';

/** Bytes: a checkpoint with 32 signatures and 63 hashes needs less. */
const maxBodyBytes = 64 * 1024;
/** Milliseconds for a whole request. */
const timeoutMs = 10_000;
/** Milliseconds a connection is kept for the next request: longer than proxies keep theirs. */
const keepAliveTimeout = 75_000;

/** Serves the witness; only the log's own signatures decide, so no caller is asked who they are. */
export async function serveWitness(
  witness: Witness,
  { host, port, onError }: { host: string; port: number; onError: (error: unknown) => void },
): Promise<{ url: string; stop(): Promise<void> }> {
  const http = createServer({ requestTimeout: timeoutMs, keepAliveTimeout }, (request, response) => {
    void answer(witness, request)
      .catch((error: unknown): WitnessAnswer => {
        onError(error);
        return { status: 500, body: '' };
      })
      .then(({ status, type, body }) => response.writeHead(status, type ? { 'content-type': type } : {}).end(body));
  });
  await listen(http, host, port);
  const { address, family, port: own } = http.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      http.keepAliveTimeout = 1; // from here on a connection ends with the answer in progress
      http.close(() => resolve());
    });
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${own}`, stop };
}

async function answer(witness: Witness, request: IncomingMessage): Promise<WitnessAnswer> {
  const { pathname } = new URL(request.url ?? '/', 'http://witness');
  if (pathname === '/add-checkpoint') {
    if (request.method !== 'POST') return { status: 405, body: '' };
    const body = await readBody(request);
    return body === null ? { status: 413, body: '' } : witness.addCheckpoint(body);
  }
  const hash = /^\/([0-9a-f]{64})\/checkpoint$/.exec(pathname)?.[1];
  return hash !== undefined && request.method === 'GET' ? witness.checkpoint(hash) : { status: 404, body: '' };
}

/** Null if it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    parts.push(part as Buffer);
    length += (part as Buffer).length;
    if (length > maxBodyBytes) return null;
  }
  return Buffer.concat(parts).toString('utf8');
}

function listen(http: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause: NodeJS.ErrnoException) => {
      const detail = `Give the witness another --host or --port: it cannot listen on ${host}:${port} (${cause.code}).`;
      reject(new Problem('config-invalid', { detail, cause }));
    });
    http.listen(port, host, () => resolve());
  });
}
