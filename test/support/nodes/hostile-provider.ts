import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import type { SignInProvider } from '#access/oidc/contract/identity-provider';

/** An identity provider that says and signs whatever a test wants. */
export interface HostileProvider {
  issuer: string;
  settings(parts?: Partial<SignInProvider>): SignInProvider;
  /** What the token endpoint answers from now on; it takes any code. */
  answerWith(idToken: string): void;
  /** The secrets that it was shown, as they were sent. */
  shownSecrets: string[];
  /** What its UserInfo endpoint says from now on; before, it has none. */
  sayMore(claims: JWTPayload): void;
  /** How often each path was called. */
  calls: Map<string, number>;
  /** Of each call. */
  traces: unknown[];
  /** Claims as a provider in order would make them; `nonce` is that of the sign-in. */
  claims(parts?: JWTPayload): JWTPayload;
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
  unsigned(claims: JWTPayload): string;
  /** As one who knows the secret of the client, which is no key of the provider. */
  signBySecret(claims: JWTPayload): Promise<string>;
  /** From now on there is another key, by another name or by this one. */
  rotateKey(kid?: string): Promise<void>;
  /** Refuses connections until it is called again with false. */
  goDown(isDown: boolean): void;
  /** Accepts no client secret until it is called again with false; with a challenge as RFC 6749 asks for, or without. */
  refuseClient(isRefusing: boolean, headers?: Record<string, string>): void;
  /** From now on it takes what is asked and answers nothing. */
  hang(): void;
  close(): Promise<void>;
}

export const clientId = 'assentry';
export const clientSecret = 'a-secret-that-client-and-provider-share';

export async function startHostileProvider(key = 'acme', now: () => number = Date.now): Promise<HostileProvider> {
  const calls = new Map<string, number>();
  const traces: unknown[] = [];
  const shownSecrets: string[] = [];
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  let signing = await newKey('first');
  let idToken = '';
  let more: JWTPayload | null = null;
  let isDown = false;
  let refusal: Record<string, string> | null = null;
  let isHanging = false;
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(more && { userinfo_endpoint: `${issuer}/more` }),
      end_session_endpoint: `${issuer}/end`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    }),
    '/more': () => more,
    '/keys': () => ({ keys: [signing.jwk] }),
    '/token': () => ({ access_token: 'opaque', token_type: 'Bearer', id_token: idToken }),
  };
  http.on('request', (request: IncomingMessage, response) => {
    const { pathname } = new URL(request.url ?? '', issuer);
    traces.push(request.headers['traceparent']);
    calls.set(pathname, (calls.get(pathname) ?? 0) + 1);
    if (pathname === '/token') {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () =>
        shownSecrets.push(request.headers.authorization ?? new URLSearchParams(body).get('client_secret') ?? ''),
      );
    }
    if (isDown) return request.socket.destroy();
    if (refusal && pathname === '/token')
      return response
        .writeHead(401, { 'content-type': 'application/json', ...refusal })
        .end('{"error":"invalid_client"}');
    if (isHanging) return;
    const answer = answers[pathname]?.();
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  });
  return {
    issuer,
    settings: (parts) => ({
      key,
      name: key.toUpperCase(),
      issuer,
      clientId,
      clientSecret,
      scopes: ['openid', 'email'],
      multiFactor: { acr: ['mfa'], amr: [] },
      newPeople: null,
      groups: null,
      scim: null,
      ...parts,
    }),
    answerWith: (token) => void (idToken = token),
    sayMore: (claims) => void (more = claims),
    calls,
    traces,
    shownSecrets,
    claims: (parts) => {
      const iat = Math.floor(now() / 1000);
      return { iss: issuer, sub: 'ada-7', aud: clientId, iat, exp: iat + 60, auth_time: iat, ...parts };
    },
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: signing.kid, ...header }).sign(signing.privateKey),
    unsigned: (claims) => new UnsecuredJWT(claims).encode(),
    signBySecret: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(clientSecret)),
    async rotateKey(kid = 'second') {
      signing = await newKey(kid);
    },
    goDown: (next) => void (isDown = next),
    refuseClient: (isRefusing, headers = {}) => void (refusal = isRefusing ? headers : null),
    hang: () => void (isHanging = true),
    async close() {
      http.close().closeAllConnections();
    },
  };
}

async function newKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}
