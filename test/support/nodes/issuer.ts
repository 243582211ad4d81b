import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';

/** An authorization server: its keys at /jwks, its word about opaque tokens at /introspect. */
export interface Issuer {
  url: string;
  issuer: string;
  /** A token of this person for this audience, for an hour, unless told otherwise. */
  sign(claims: JWTPayload, header?: { typ?: string }): Promise<string>;
  /** Signs with a key that is not published. */
  forge(claims: JWTPayload): Promise<string>;
  /** What introspection answers, by token. */
  opaque: Map<string, object>;
  /** Of each introspection. */
  traces: unknown[];
  /** Answers 500 from now on, or serves again. */
  fail(isFailing: boolean): void;
  close(): Promise<void>;
}

export const audience = 'https://mcp.example.com';

export async function startIssuer(): Promise<Issuer> {
  const issuer = 'https://id.example.com';
  const [own, foreign] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
  const keys = [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }];
  const opaque = new Map<string, object>();
  const traces: unknown[] = [];
  let isFailing = false;
  const http = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('token') ?? '';
      if (request.url === '/introspect') traces.push(request.headers['traceparent']);
      const isKnown =
        request.headers.authorization === `Basic ${Buffer.from('assentry:s%C3%A9cret').toString('base64')}`;
      const body = request.url === '/jwks' ? { keys } : (opaque.get(token) ?? { active: false });
      const isRefused = isFailing || (request.url === '/introspect' && !isKnown);
      response.writeHead(isRefused ? 500 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const hour = () => Math.floor(Date.now() / 1000) + 3600;
  const signed =
    (key: typeof own.privateKey) =>
    (claims: JWTPayload, header: { typ?: string } = {}) =>
      new SignJWT({ iss: issuer, aud: audience, exp: hour(), ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
        .sign(key);
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    issuer,
    sign: signed(own.privateKey),
    forge: signed(foreign.privateKey),
    opaque,
    traces,
    fail: (failing) => void (isFailing = failing),
    close: async () => void http.close().closeAllConnections(),
  };
}
