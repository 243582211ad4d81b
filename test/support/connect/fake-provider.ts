import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type ConnectProvider, type OAuth, type ProviderInput } from '#connect/providers/provider';

interface FakeAccount {
  id: number | string;
  login: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A provider of plain OAuth on this machine, with the ways of GitHub: errors of its token endpoint have the status 200. */
export interface FakeProvider {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Its description; parts replace those of `oauth`. */
  description(oauth?: Record<string, unknown>): ProviderInput;
  /** The provider as an operator sets it up. */
  settings(parts?: Partial<ConnectProvider>, oauth?: Record<string, unknown>): ConnectProvider;
  /** Follows the address as a browser does; the person consents, or declines. Resolves with the address to which they are sent back. */
  visit(address: string): Promise<URL>;
  /** The account of the person who consents from now on. */
  consentsAs(account: FakeAccount): void;
  /** Shows a page of its own, with a link to agree by, until it is called again with false. */
  showsPage(isShown?: boolean): void;
  /** The person declines until it is called again with false. */
  declines(isDeclining?: boolean): void;
  /** Refuses connections until it is called again with false. */
  isDown(isDown?: boolean): void;
  /** The person withdraws in the settings of the provider: no token or code of now is taken any more. */
  withdraw(): void;
  /** Seconds for which access tokens are valid from now on; null for no end. */
  expiresIn(seconds: number | null): void;
  /** The `iss` that comes back from now on; null for none. */
  saysIssuer(iss: string | null): void;
  /** The scopes that it grants from now on; null grants what is asked for. */
  grants(scopes: string[] | null): void;
  /** Answers a path in another way from now on; null answers as before. */
  answers(path: string, answer: Answer | null): void;
  /** Every code and token that it has ever given. */
  issued: string[];
  /** Is it a token that the provider takes? */
  isLive(token: string): boolean;
  /** Parameters of the last visit. */
  asked(): URLSearchParams;
  /** Calls by path. */
  calls: Map<string, number>;
  /** Refreshes that gave tokens. */
  refreshes(): number;
  /** Refresh tokens that were shown a second time; the whole family of their tokens ends by it. */
  reuses(): number;
  close(): Promise<void>;
}

interface Grant {
  account: FakeAccount;
  scope: string;
  challenge: string;
  redirectUri: string;
}

interface Token {
  kind: 'access' | 'refresh';
  family: string;
  grant: Grant;
  /** Milliseconds since 1970; null if it never expires. */
  until: number | null;
  isUsed: boolean;
}

export async function startFakeProvider({
  key = 'fake',
  refresh = 'rotates',
  now = () => 0,
}: { key?: string; refresh?: OAuth['refresh']; now?: () => number } = {}): Promise<FakeProvider> {
  const [clientId, clientSecret] = [`${key}-client`, `${key}-secret-${randomUUID()}`];
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, Token>();
  const calls = new Map<string, number>();
  const issued: string[] = [];
  const others = new Map<string, Answer>();
  let account: FakeAccount = { id: 583_231, login: 'octo-ada' };
  let [isDeclining, isAsking] = [false, false];
  let isClosed = false;
  let lifetime: number | null = 28_800;
  let allowance: string[] | null = null;
  let latest = new URLSearchParams();
  let [refreshes, reuses] = [0, 0];
  const http = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  let issuer: string | null = url;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    calls.set(pathname, (calls.get(pathname) ?? 0) + 1);
    if (isClosed) return void request.socket.destroy();
    const other = others.get(pathname);
    if (other) return other(request, response);
    const body = await bodyOf(request);
    const send = (status: number, content?: object): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(content === undefined ? undefined : JSON.stringify(content));
    switch (pathname) {
      case '/authorize':
        if (isAsking && !searchParams.has('agreed')) return showPage(response, `${url}${request.url}&agreed=`);
        return void response.writeHead(302, { location: authorize(searchParams) }).end();
      case '/token':
        return send(200, give(new URLSearchParams(body)));
      case '/revoke':
        return send(200, revoke(new URLSearchParams(body)));
      case `/applications/${clientId}/token`:
        return send(isBasic(request) && forget(readToken(body)) ? 204 : 404);
      case '/user': {
        const holder = live(request.headers.authorization?.replace(/^Bearer /, '') ?? '', 'access');
        return holder ? send(200, holder.grant.account) : send(401, { message: 'Bad credentials' });
      }
      default:
        return send(404, {});
    }
  }

  function showPage(response: ServerResponse, answer: string): void {
    const link = answer.replaceAll('&', '&amp;');
    const title = `<!doctype html><html lang="en"><title>Authorize</title><h1>Authorize</h1>`;
    const page = `${title}<a href="${link}yes">Agree</a> <a href="${link}no">Decline</a>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  }

  function authorize(parameters: URLSearchParams): string {
    latest = parameters;
    const back = new URL(parameters.get('redirect_uri') ?? '');
    back.searchParams.set('state', parameters.get('state') ?? '');
    if (issuer !== null) back.searchParams.set('iss', issuer);
    if (isDeclining || parameters.get('agreed') === 'no' || parameters.get('client_id') !== clientId) {
      back.searchParams.set('error', 'access_denied');
      return back.href;
    }
    const code = randomUUID();
    issued.push(code);
    codes.set(code, {
      account,
      scope: allowance?.join(',') ?? parameters.get('scope') ?? '',
      challenge: parameters.get('code_challenge') ?? '',
      redirectUri: back.origin + back.pathname,
    });
    back.searchParams.set('code', code);
    return back.href;
  }

  function give(form: URLSearchParams): object {
    if (!isClient(form)) return { error: 'incorrect_client_credentials' };
    return form.get('grant_type') === 'refresh_token' ? renew(form) : redeem(form);
  }

  function redeem(form: URLSearchParams): object {
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.challenge !== challenge) return { error: 'bad_verification_code' };
    if (grant.redirectUri !== form.get('redirect_uri')) return { error: 'redirect_uri_mismatch' };
    return newTokens(grant, randomUUID());
  }

  function renew(form: URLSearchParams): object {
    const text = form.get('refresh_token') ?? '';
    const shown = tokens.get(text);
    if (shown?.kind !== 'refresh') return { error: 'bad_refresh_token' };
    if (shown.isUsed) {
      reuses += 1;
      endFamily(shown.family);
      return { error: 'bad_refresh_token' };
    }
    refreshes += 1;
    shown.isUsed = refresh === 'rotates';
    return newTokens(shown.grant, shown.family, refresh === 'rotates');
  }

  function newTokens(grant: Grant, family: string, hasRefresh = refresh !== 'none'): object {
    const until = lifetime === null ? null : now() + lifetime * 1000;
    const keep = (kind: Token['kind'], end: number | null): string => {
      const text = `${kind}-${randomUUID()}`;
      issued.push(text);
      tokens.set(text, { kind, family, grant, until: end, isUsed: false });
      return text;
    };
    return {
      access_token: keep('access', until),
      token_type: 'bearer',
      scope: grant.scope,
      ...(lifetime !== null && { expires_in: lifetime }),
      ...(hasRefresh && { refresh_token: keep('refresh', null) }),
    };
  }

  function revoke(form: URLSearchParams): object {
    if (!isClient(form)) return { error: 'invalid_client' };
    forget(form.get('token') ?? '');
    return {};
  }

  function forget(text: string): boolean {
    const shown = tokens.get(text);
    if (shown?.kind === 'refresh') endFamily(shown.family);
    return tokens.delete(text);
  }

  function endFamily(family: string): void {
    for (const [text, token] of tokens) if (token.family === family) tokens.delete(text);
  }

  function live(text: string, kind: Token['kind']): Token | undefined {
    const token = tokens.get(text);
    return token?.kind === kind && (token.until === null || now() < token.until) ? token : undefined;
  }

  const isClient = (form: URLSearchParams): boolean =>
    form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
  const isBasic = ({ headers }: IncomingMessage): boolean =>
    headers.authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

  function description(oauth: Record<string, unknown> = {}): ProviderInput {
    const described = {
      authorize: `${url}/authorize`,
      token: `${url}/token`,
      revoke: `${url}/revoke`,
      separator: ',' as const,
      refresh,
      withdrawn: ['bad_refresh_token'],
      unknownClient: ['incorrect_client_credentials'],
      iss: url,
      account: { url: `${url}/user`, id: '/id', label: '/login' },
      ...oauth,
    };
    const { host } = new URL(url);
    return { label: 'Fake', pageHosts: [host], apiHosts: [host], oauth: described };
  }

  return {
    url,
    clientId,
    clientSecret,
    description,
    settings: (parts, oauth) => ({
      ...Provider.parse(description(oauth)),
      key,
      clientId,
      clientSecret,
      scopes: ['repo', 'read:user'],
      servers: ['shop'],
      ...parts,
    }),
    async visit(address) {
      const answer = await fetch(address, { redirect: 'manual' });
      await answer.body?.cancel();
      return new URL(answer.headers.get('location') ?? '');
    },
    consentsAs: (next) => void (account = next),
    showsPage: (next = true) => void (isAsking = next),
    declines: (next = true) => void (isDeclining = next),
    isDown: (next = true) => void (isClosed = next),
    withdraw() {
      codes.clear();
      tokens.clear();
    },
    expiresIn: (seconds) => void (lifetime = seconds),
    saysIssuer: (iss) => void (issuer = iss),
    grants: (scopes) => void (allowance = scopes),
    answers: (path, answer) => void (answer ? others.set(path, answer) : others.delete(path)),
    issued,
    isLive: (token) => (live(token, 'access') ?? live(token, 'refresh')) !== undefined,
    asked: () => latest,
    calls,
    refreshes: () => refreshes,
    reuses: () => reuses,
    close: async () => void http.close().closeAllConnections(),
  };
}

function readToken(body: string): string {
  const { access_token: token } = JSON.parse(body) as { access_token?: string };
  return token ?? '';
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
