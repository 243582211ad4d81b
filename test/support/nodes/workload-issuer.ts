import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';

/** A cluster or a CI service that signs tokens for what runs there. */
export interface WorkloadIssuer {
  url: string;
  sign(claims?: Record<string, unknown>, header?: object): Promise<string>;
  /** Signs with a key that it does not publish, or by any other means. */
  other: Awaited<ReturnType<typeof generateKeyPair>>;
  publicPem: string;
  server: Server;
}

/** `usual` are the claims of a token, unless `sign` is told others. */
export async function startWorkloadIssuer(usual: (issuer: string) => JWTPayload): Promise<WorkloadIssuer> {
  const kid = 'one';
  const own = await generateKeyPair('RS256', { extractable: true });
  const keys = [{ ...(await exportJWK(own.publicKey)), kid, alg: 'RS256', use: 'sig' }];
  const server = createServer((request, response) => {
    const isDocument = request.url === '/.well-known/openid-configuration';
    const body = isDocument ? { issuer: url, jwks_uri: `${url}/keys` } : { keys };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    server,
    other: await generateKeyPair('RS256'),
    publicPem: await exportSPKI(own.publicKey),
    sign: (claims, header) =>
      new SignJWT({ ...usual(url), ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, ...header })
        .sign(own.privateKey),
  };
}
