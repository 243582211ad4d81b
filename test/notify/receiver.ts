import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { certificate } from './certificate.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

/** A program on this machine that is told of requests over TLS, and keeps what it is told. */
export interface Receiver {
  /** Under the name that its certificate is for. */
  url: string;
  port: number;
  received: Received[];
  /** The next deliveries are answered so. */
  answer(status: number, times: number, headers?: Record<string, string>): void;
  /** The next deliveries arrive, and the sender never hears so. */
  silence(times?: number): void;
  stop(): Promise<void>;
}

/** What a node needs to reach it. */
export const reach = { networks: ['127.0.0.0/8', '::1/128'], ca: certificate.cert };

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: { status: number; headers: Record<string, string> }[] = [];
  let silent = 0;
  const server = createServer(certificate, (request, response) => {
    void buffer(request).then((bytes) => {
      received.push({ path: request.url ?? '', headers: request.headers, body: bytes.toString(), bytes });
      const { status, headers } = answers.shift() ?? { status: 204, headers: {} };
      if (silent > 0) silent -= 1;
      else response.writeHead(status, headers).end();
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}/told?by=assentry`,
    port,
    received,
    answer: (status, times, headers = {}) =>
      void answers.push(...Array.from({ length: times }, () => ({ status, headers }))),
    silence: (times = 1) => void (silent = times),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
