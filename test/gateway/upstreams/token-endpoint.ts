import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A token endpoint, which gives a new token each time, and what was sent to it. */
export interface TokenEndpoint {
  url: string;
  asked: Record<string, string>[];
  /** What it answers from now on; without a body, a token. */
  answer(status: number, body?: object): void;
  close(): Promise<void>;
}

export async function startTokenEndpoint(secret: string): Promise<TokenEndpoint> {
  const forms: Record<string, string>[] = [];
  let fixed: { status: number; body?: object | undefined } = { status: 200 };
  const credentials = `Basic ${Buffer.from(`gate:${secret}`).toString('base64')}`;
  const http = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      forms.push(form);
      const isKnown = request.headers.authorization === credentials;
      const { status, body } = isKnown ? fixed : { status: 401, body: { error: 'invalid_client' } };
      const issued = { access_token: `issued-${forms.length}`, token_type: 'Bearer', expires_in: 300 };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? issued));
    })();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/token`,
    asked: forms,
    answer: (status, body) => void (fixed = { status, body }),
    close: async () => void http.close().closeAllConnections(),
  };
}
