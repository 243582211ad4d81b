import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';

/** An authorization server of others' making: clients register themselves, and tokens are for the resource they name. */
export interface AuthorizationServer {
  issuer: string;
  jwks: string;
  close(): Promise<void>;
}

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    scopes: ['openid', 'offline_access', 'mcp'],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, audience) => ({ scope: 'mcp', audience, accessTokenFormat: 'jwt' }),
      },
    },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
  });
  const serve = provider.callback();
  http.on('request', (request, response) => {
    void (request.url?.startsWith('/sign-in/') ? signIn(provider, request, response) : serve(request, response));
  });
  return {
    issuer,
    jwks: `${issuer}/jwks`,
    async close() {
      http.close().closeAllConnections();
    },
  };
}

/** The header by which a test says who sits at the browser. */
const personHeader = 'x-person';

/** A person is who they say, and consents. */
async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params, grantId } = await provider.interactionDetails(request, response);
  const accountId = String(request.headers[personHeader]);
  const clientId = String(params['client_id']);
  const grant = grantId ? await provider.Grant.find(grantId) : new provider.Grant({ accountId, clientId });
  grant?.addOIDCScope(String(params['scope']));
  grant?.addResourceScope(String(params['resource']), 'mcp');
  const consent = { grantId: await grant?.save() };
  await provider.interactionFinished(request, response, { login: { accountId }, consent });
}

/** The OAuth of one client program, at which this person sits. */
export interface Person extends OAuthClientProvider {
  /** Where the client program sent the browser: signs in there, and returns what comes back. */
  signIn(): Promise<URLSearchParams>;
  /** What the client program has got. */
  accessToken(): string;
}

/** Where the client program waits for the code. */
const redirectUrl = 'http://127.0.0.1:1/callback';

/** A client program as the SDK has it, without anything that it knows of the server beforehand. */
export function personAt(name: string): Person {
  const kept: Record<string, unknown> = {};
  const provider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none', client_name: 'agent' },
    clientInformation: () => kept['client'],
    saveClientInformation: (client: unknown) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens: unknown) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url: URL) => void (kept['url'] = url),
    saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'],
    signIn: () => signInAt(kept['url'] as URL, name),
    accessToken: () => (kept['tokens'] as { access_token: string }).access_token,
  };
  return provider as unknown as Person;
}

/** A browser: follows redirects and keeps cookies, until it is sent back to the client. */
async function signInAt(start: URL, name: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let hop = 0; hop < 20; hop += 1) {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie, [personHeader]: name } });
    for (const set of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(key, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`No way on from ${url}: ${await response.text()}`);
    url = new URL(location, url);
    if (url.href.startsWith(redirectUrl)) return url.searchParams.has('code') ? url.searchParams : refused(url);
  }
  return refused(url);
}

function refused(url: URL): never {
  throw new Error(`The authorization server sent no code: ${url.search}`);
}
