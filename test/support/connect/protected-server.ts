import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that describes itself by RFC 9728, and serves no one without a token. */
export interface ProtectedServer {
  url: string;
  /** Its metadata, by path. */
  metadata: Map<string, object>;
  /** What stands in `WWW-Authenticate` after `Bearer`. */
  challenge: string;
  /** Requests without its metadata, by path. */
  calls: string[];
  close(): Promise<void>;
}

export async function startProtectedServer(issuers: string[], path = '/mcp'): Promise<ProtectedServer> {
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', origin);
    server.calls.push(pathname);
    const metadata = server.metadata.get(pathname);
    if (metadata)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
    if (pathname !== path) return void response.writeHead(404).end();
    response.writeHead(401, { 'www-authenticate': `Bearer ${server.challenge}`.trim() }).end();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const url = `${origin}${path}`;
  const described = { resource: url, authorization_servers: issuers, scopes_supported: ['read'] };
  const server: ProtectedServer = {
    url,
    metadata: new Map([[`/.well-known/oauth-protected-resource${path}`, described]]),
    challenge: '',
    calls: [],
    async close() {
      http.close().closeAllConnections();
    },
  };
  return server;
}
