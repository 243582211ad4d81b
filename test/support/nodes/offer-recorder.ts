import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Stands between nodes and a witness, and keeps what the witness took: each offer with the cosignature added to it. */
export async function recordOffers(witness: string): Promise<OfferRecorder> {
  const offers: string[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const offer = await text(request);
    const init = request.method === 'POST' ? { method: 'POST', body: offer } : {};
    const answer = await fetch(`${witness}${request.url}`, init).catch(() => new Response('', { status: 502 }));
    const cosignature = await answer.text();
    if (init.body && answer.ok) offers.push(offer + cosignature);
    response.setHeader('content-type', answer.headers.get('content-type') ?? 'text/plain');
    response.writeHead(answer.status).end(cosignature);
  };
  const server = createServer((request, response) => void pass(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url, offers, stop };
}

export interface OfferRecorder {
  url: string;
  offers: readonly string[];
  stop(): void;
}
