import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

interface Registration {
  registration_client_uri: string;
  registration_access_token: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An authorization server of others' making, as MCP servers stand behind: it registers clients, and its tokens are for one resource. */
export interface IssuerOfServers {
  issuer: string;
  /** Follows the address as a browser does; the person consents. Resolves with the address to which they are sent back. */
  visit(address: string): Promise<URL>;
  /** Is it a token that is valid now, for this resource? */
  isLive(token: string, resource: string): Promise<boolean>;
  /** Answers a path in another way from now on; null answers as before. */
  answers(path: string, answer: Answer | null): void;
  /** Forgets all clients. */
  forgetsClients(): Promise<void>;
  /** The seconds for which access tokens are valid from now on. */
  expiresIn(seconds: number): void;
  /** Forms that were posted, by path. */
  posted: Map<string, URLSearchParams[]>;
  /** Every secret and token that it has ever given. */
  issued: string[];
  close(): Promise<void>;
}

export async function startIssuerOfServers(configuration: Configuration = {}): Promise<IssuerOfServers> {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const others = new Map<string, Answer>();
  const posted = new Map<string, URLSearchParams[]>();
  const issued: string[] = [];
  const clients: Registration[] = [];
  let lifetime = 600;
  const provider = new Provider(issuer, {
    scopes: ['openid', 'offline_access', 'read', 'write'],
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    cookies: { keys: ['only-for-tests'] },
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    ...configuration,
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      registrationManagement: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, audience) => ({
          scope: 'read write',
          audience,
          accessTokenFormat: 'opaque',
          accessTokenTTL: lifetime,
        }),
      },
      ...configuration.features,
    },
  });
  const serve = provider.callback();

  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '', issuer);
    const other = others.get(pathname);
    if (other) return other(request, response);
    if (pathname.startsWith('/sign-in/')) return void consent(provider, request, response);
    record(pathname, request);
    remember(pathname, response);
    void serve(request, response);
  });

  function record(pathname: string, request: IncomingMessage): void {
    const chunks: Buffer[] = [];
    if (request.method !== 'POST') return;
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      posted.set(pathname, [...(posted.get(pathname) ?? []), form]);
    });
  }

  /** Keeps the secrets in its answers. */
  function remember(pathname: string, response: ServerResponse): void {
    const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
    response.end = ((body?: unknown) => {
      const text = typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : '';
      if (['/token', '/reg'].includes(pathname) && response.statusCode < 300) issued.push(...secretsIn(text));
      if (pathname === '/reg' && response.statusCode < 300) clients.push(JSON.parse(text) as Registration);
      return end(body);
    }) as ServerResponse['end'];
  }

  return {
    issuer,
    visit: (address) => browse(address, issuer),
    async isLive(token, resource) {
      const live = await provider.AccessToken.find(token);
      return live !== undefined && [live.aud].flat().includes(resource);
    },
    answers: (path, answer) => void (answer ? others.set(path, answer) : others.delete(path)),
    async forgetsClients() {
      for (const { registration_client_uri: address, registration_access_token: token } of clients.splice(0))
        await fetch(address, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
    },
    expiresIn: (seconds) => void (lifetime = seconds),
    posted,
    issued,
    async close() {
      http.close().closeAllConnections();
    },
  };
}

function secretsIn(text: string): string[] {
  const answer = JSON.parse(text) as Record<string, unknown>;
  return ['client_secret', 'registration_access_token', 'access_token', 'refresh_token'].flatMap((name) =>
    typeof answer[name] === 'string' ? [answer[name]] : [],
  );
}

/** The person at the browser is ada, and consents to all. */
async function consent(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params, grantId } = await provider.interactionDetails(request, response);
  const [accountId, clientId] = ['ada', String(params['client_id'])];
  const grant = (grantId && (await provider.Grant.find(grantId))) || new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(String(params['scope']));
  grant.addResourceScope(String(params['resource']), 'read write');
  const saved = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { login: { accountId }, consent: saved });
}

async function browse(address: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  for (let hop = 0; hop < 20 && url.origin === issuer; hop += 1) {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(key, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`No way on from ${url}: ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
}
