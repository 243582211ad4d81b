import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of one claim on its way; `pass` sends it to the server and resolves with the answer, not yet passed back. */
type OnClaim = (pass: () => Promise<IncomingMessage>, response: ServerResponse) => Promise<void>;

export interface HeldClaim {
  /** Resolves when the claim is held. */
  reached: Promise<void>;
  letGo(): void;
}

export interface ClaimProxy {
  url: string;
  /** Holds the next claim back, before the server gets it or before its answer goes back. */
  hold(part: 'request' | 'response'): HeldClaim;
  /** From now on, claims end like this. */
  answer(onClaim: OnClaim | null): void;
  stop(): Promise<void>;
}

/** What stands before a node, and disturbs nothing but claims, or calls of another path that ends so. */
export async function startClaimProxy(node: string, ending = '/claim'): Promise<ClaimProxy> {
  let onClaim: OnClaim | null = null;
  const server = createServer(async (request, response) => {
    const isClaim = request.url?.endsWith(ending) === true;
    const chunks = request.method === 'POST' ? await request.toArray() : [];
    const pass = () => forward(node, request, Buffer.concat(chunks as Buffer[]));
    response.on('error', () => {});
    if (isClaim && onClaim) return onClaim(pass, response).catch(() => response.destroy());
    const answer = await pass().catch(() => null);
    if (!answer) return response.destroy();
    response.once('close', () => answer.destroy());
    passBack(answer, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(part) {
      let letGo = (): void => {};
      const released = new Promise<void>((resolve) => (letGo = resolve));
      const reached = new Promise<void>((resolve) => {
        onClaim = async (pass, response) => {
          onClaim = null;
          if (part === 'request') {
            resolve();
            await released;
          }
          const answer = await pass();
          if (part === 'response') {
            resolve();
            await released;
          }
          passBack(answer, response);
        };
      });
      return { reached, letGo };
    },
    answer: (answer) => void (onClaim = answer),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function forward(
  node: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const { host: _host, 'transfer-encoding': _encoding, ...rest } = headers;
  const more = body.length > 0 ? { 'content-length': String(body.length) } : {};
  const sent = send(new URL(url ?? '/', node), { method, headers: { ...rest, ...more }, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer.on('error', () => {});
}

function passBack(answer: IncomingMessage, response: ServerResponse): void {
  const { 'transfer-encoding': _encoding, connection: _connection, ...headers } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, headers);
  answer.pipe(response);
  response.flushHeaders();
}
