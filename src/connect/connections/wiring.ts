import * as oidc from 'openid-client';
import {
  clockTolerance,
  configure,
  isUnknownClient,
  keepMetadata,
  readMetadata,
  timeoutSeconds,
  tracedBy,
} from '#platform/http/client/oauth-client';
import { sendGuarded } from '#platform/http/client/guarded-request';
import { createReach, loopbackNetworks } from '#platform/http/client/reachable-addresses';
import { isLoopback } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { ServerOptions } from '#server/options';
import { chosenProvider, faultOfMetadata, unregistered, type RegisteredClient } from '../auto/rules.ts';
import { createRegistrar, openResources, type Registrar } from '../auto/wiring.ts';
import { openOutcomes } from '../outcomes/wiring/clients.ts';
import { autoKey } from '../providers/auto.ts';
import { valueAt } from '../providers/pointer.ts';
import type { Account, ConnectClient, ConnectProvider, OAuth, TokenSet } from '../providers/provider.ts';

/**
 * One provider of connections: authorization code with PKCE and state, and for OpenID Connect a nonce. The registrar is for one
 * that servers name themselves.
 */
export function createConnectClient(
  settings: ConnectProvider,
  now: () => number,
  timeoutMs = timeoutSeconds * 1000,
  registrar: Registrar | null = null,
): ConnectClient {
  const { oauth, clientId, clientSecret } = settings;
  if (!oauth) throw new Problem('provider-not-configured');
  const isAuto = registrar !== null;
  const send = createSend(oauth, timeoutMs);
  const fetch = tracedBy(async (url, request) => {
    const answer = await send(url, request);
    return isAuto ? withoutIdToken(answer) : plainAnswer(oauth, url, answer);
  });
  const client = { clientId: clientId ?? settings.key, clientSecret, now, isLocal: namesLoopback(oauth), fetch };
  const metadata =
    'issuer' in oauth
      ? keepMetadata(() => (isAuto ? discoverSafe : discover)(settings, oauth.issuer, client), now)
      : async () => metadataOf(oauth);
  const identify = async (server: oidc.ServerMetadata): Promise<RegisteredClient> => {
    if (!registrar) return client;
    return registrar.identify(server, client).catch((error: unknown) => {
      throw error instanceof Problem || isDown(error) ? error : unregistered(server.issuer, loggable(error));
    });
  };
  /** Runs an exchange with the provider, and makes its failure a problem. Tokens end with the client that got them. */
  async function exchange<T>(
    act: (configuration: oidc.Configuration) => Promise<T>,
    { issuer, isOfTokens = false }: { issuer?: string | undefined; isOfTokens?: boolean } = {},
  ): Promise<T> {
    try {
      const server = await metadata();
      const { method, ...identity } = await identify(server);
      const own = {
        ...(issuer !== undefined && { issuer }),
        ...(method !== undefined && { token_endpoint_auth_methods_supported: [method] }),
      };
      return await act(configure({ ...server, ...own }, { ...client, ...identity })).catch(async (error: unknown) => {
        const isLost = isUnknownClient(error) && (await registrar?.forget(identity));
        throw isLost && isOfTokens ? declined(error) : error;
      });
    } catch (error) {
      throw problemOf(settings, error);
    }
  }
  return {
    settings,
    ready: () => exchange(async () => {}),
    authorizationUrl: ({ redirectUri, state, codeVerifier, nonce, resource }, scopes) =>
      exchange(async (configuration) => {
        const offline = isAuto ? offlineScopes(configuration.serverMetadata()) : [];
        const all = [...new Set([...ownScopes(settings), ...offline, ...scopes])];
        const url = oidc.buildAuthorizationUrl(configuration, {
          ...oauth.parameters,
          redirect_uri: redirectUri,
          ...(all.length > 0 && { scope: all.join(oauth.separator) }),
          ...(offline.length > 0 && { prompt: 'consent' }), // without it OpenID Connect gives no refresh token
          ...(resource !== undefined && { resource }),
          state,
          code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(isOpenId(settings, scopes) && { nonce }),
        });
        if (!isAuto && !settings.pageHosts.includes(url.host))
          throw invalidAnswer(`people would be sent to ${url.host}`);
        return url.href;
      }),
    redeem: (returned, { redirectUri, state, nonce, codeVerifier, resource }, scopes) =>
      exchange(
        async (configuration) => {
          const callback = new URL(redirectUri); // the address that was sent, whatever a proxy makes of it
          callback.search = returned.search;
          const checks = {
            expectedState: state,
            pkceCodeVerifier: codeVerifier,
            ...(isOpenId(settings, scopes) && { expectedNonce: nonce }),
          };
          const answer = await oidc.authorizationCodeGrant(configuration, callback, checks, forResource(resource));
          const tokens = readTokens(oauth, answer, { refreshToken: null, scopes: [...scopes], resource }, now());
          if (isAuto) return { tokens, account: null };
          const account =
            oauth.account === undefined
              ? accountOf(answer.claims(), configuration.clientMetadata().client_id, now())
              : await readAccount(send, oauth.account, tokens.accessToken);
          return { tokens, account };
        },
        { issuer: ownIssuer(oauth, returned) },
      ),
    refresh: (tokens) =>
      exchange(
        async (configuration) => {
          const { refreshToken, resource } = tokens;
          if (refreshToken === null || oauth.refresh === 'none') throw declined();
          const asking = oidc.refreshTokenGrant(configuration, refreshToken, forResource(resource));
          const answer = await asking.catch((error: unknown) => {
            throw isWithdrawn(oauth, error) ? declined(error) : error;
          });
          return readTokens(oauth, answer, tokens, now());
        },
        { isOfTokens: true },
      ),
    check: (redirectUri) =>
      exchange(async (configuration) => {
        const journey = { redirect_uri: redirectUri, code_verifier: oidc.randomPKCECodeVerifier() };
        const parameters = { code: 'assentry-check', ...journey };
        await oidc.genericGrantRequest(configuration, 'authorization_code', parameters).catch((error: unknown) => {
          const isRefused = error instanceof oidc.ResponseBodyError && !isUnknown(oauth, error) && !isDown(error);
          if (!isRefused) throw error;
        });
      }),
    revoke: (tokens) =>
      exchange(
        async (configuration) => {
          const other = 'issuer' in oauth || typeof oauth.revoke === 'string' ? undefined : oauth.revoke;
          if (other) return revokeOtherwise(send, settings, other, tokens);
          if (!configuration.serverMetadata().revocation_endpoint) return false;
          await revokeToken(oauth, configuration, tokens);
          return true;
        },
        { isOfTokens: true },
      ),
  };
}

const forResource = (resource: string | undefined): Record<string, string> =>
  resource === undefined ? {} : { resource };

/** What gives a refresh token, where an issuer knows it. */
const offlineScopes = ({ scopes_supported: scopes }: oidc.ServerMetadata): string[] =>
  scopes?.includes('offline_access') ? ['offline_access'] : [];

type Send = (url: string, request: RequestInit) => Promise<Response>;
type Described = Exclude<OAuth, { issuer: string }>;
type OtherRevocation = Exclude<Described['revoke'], string | undefined>;

/** Sends requests to public addresses, and to this machine if the operator has named it. A busy provider does not answer. */
function createSend(oauth: OAuth, timeoutMs: number): Send {
  const mayReach = createReach(namesLoopback(oauth) ? loopbackNetworks : []);
  return async (url, request) => {
    const answer = await sendGuarded(new URL(url), request, { mayReach, timeoutMs });
    const { status } = answer;
    if (status === 429 || status >= 500 || (status >= 300 && status < 400))
      throw new Problem('unavailable', { detail: `The answer is ${status}.` });
    return answer;
  };
}

/** Has the operator described a provider on this machine, for a trial? */
const namesLoopback = (oauth: OAuth): boolean => addressesOf(oauth).some(isLoopback);

function addressesOf(oauth: OAuth): string[] {
  const account = oauth.account ? [oauth.account.url] : [];
  if ('issuer' in oauth) return [oauth.issuer, ...account];
  const revoke = typeof oauth.revoke === 'string' ? oauth.revoke : oauth.revoke?.url;
  return [oauth.authorize, oauth.token, ...(revoke === undefined ? [] : [revoke]), ...account];
}

type Settings = Pick<ConnectProvider, 'oauth' | 'isAuto'>;

/** Needed to name the account, and to renew its tokens. */
const ownScopes = ({ oauth, isAuto }: Settings): string[] =>
  oauth && 'issuer' in oauth && !oauth.account && !isAuto ? ['openid', ...oauth.ownScopes] : (oauth?.ownScopes ?? []);

/** Only an issuer that describes itself says by which keys its ID tokens are verified. The account of `auto` has no name. */
const isOpenId = (settings: Settings, scopes: readonly string[]): boolean =>
  settings.oauth !== undefined &&
  'issuer' in settings.oauth &&
  !settings.isAuto &&
  [...ownScopes(settings), ...scopes].includes('openid');

/** By OpenID Connect, or by RFC 8414 if the issuer does not know that. Its name is compared letter by letter. */
async function discover(
  { key, label }: ConnectProvider,
  issuer: string,
  client: Parameters<typeof readMetadata>[1],
): Promise<oidc.ServerMetadata> {
  const metadata = await readMetadata(issuer, client).catch((error: unknown) => {
    if (isDown(error)) throw error;
    return readMetadata(issuer, client, 'oauth2');
  });
  if (metadata.issuer === issuer) return metadata;
  throw new Problem('token-invalid', {
    detail: `Give the issuer of "${key}" in ASSENTRY_PROVIDERS as ${label} writes it.`,
  });
}

/** In the order of MCP, with PKCE, and at addresses to which a person and a code may be sent. */
async function discoverSafe(
  _settings: ConnectProvider,
  issuer: string,
  client: Parameters<typeof readMetadata>[1],
): Promise<oidc.ServerMetadata> {
  const other = (read: () => Promise<oidc.ServerMetadata | null>) => (error: unknown) => {
    if (isDown(error)) throw error;
    return read();
  };
  const metadata = await readMetadata(issuer, client, 'oauth2')
    .catch(other(() => readMetadata(issuer, client)))
    .catch(other(async () => null));
  const fault = faultOfMetadata(metadata, issuer);
  if (metadata && fault === null) return metadata;
  const place = 'among the "issuers" of "auto" in ASSENTRY_PROVIDERS';
  throw new Problem('provider-not-configured', {
    detail: `Ask an operator to look at "${issuer}" ${place}: ${fault}.`,
  });
}

/** The metadata that an issuer would publish. */
const metadataOf = ({ authorize, token, revoke, authentication, iss }: Described): oidc.ServerMetadata => ({
  issuer: iss ?? new URL(authorize).origin,
  authorization_endpoint: authorize,
  token_endpoint: token,
  ...(typeof revoke === 'string' && { revocation_endpoint: revoke }),
  authorization_response_iss_parameter_supported: iss !== null,
  token_endpoint_auth_methods_supported: [`client_secret_${authentication}`],
});

/**
 * The `iss` that came back, if the description names none and this one is of the provider's own origin. Providers begin to send it
 * without notice; one of another provider is refused either way.
 */
function ownIssuer(oauth: OAuth, { searchParams }: URL): string | undefined {
  const iss = searchParams.get('iss');
  if ('issuer' in oauth || oauth.iss !== null || iss === null || !URL.canParse(iss)) return undefined;
  return new URL(iss).origin === new URL(oauth.authorize).origin ? iss : undefined;
}

/** The answer of a token endpoint as RFC 6749 has it, where a provider has its own form; other answers stay as they are. */
async function plainAnswer(oauth: OAuth, url: string, answer: Response): Promise<Response> {
  if ('issuer' in oauth || url !== oauth.token) return answer;
  const body = await readObject(answer.clone());
  if (body === null) return answer;
  if (answer.ok && typeof body['error'] === 'string') return Response.json({ error: body['error'] }, { status: 400 });
  if (!answer.ok) return answer;
  const { id_token: _unverified, ...tokens } = nestedTokens(oauth, body);
  return Response.json({ token_type: 'bearer', ...tokens }); // some leave it out
}

/** No one reads the ID token of an issuer that servers name, so none has to hold. */
async function withoutIdToken(answer: Response): Promise<Response> {
  const body = answer.ok ? await readObject(answer.clone()) : null;
  if (body?.['id_token'] === undefined) return answer;
  const { id_token: _unread, ...rest } = body;
  return Response.json(rest);
}

function nestedTokens({ tokens: place }: Described, body: JsonObject): JsonObject {
  if (place === undefined) return body;
  const nested = valueAt(body, place);
  return { ...(isObject(nested) ? nested : body), token_type: 'bearer' };
}

function readTokens(
  { refresh, separator }: OAuth,
  answer: oidc.TokenEndpointResponse,
  before: Pick<TokenSet, 'refreshToken' | 'scopes' | 'resource'>,
  now: number,
): TokenSet {
  const { access_token: accessToken, refresh_token: next, expires_in: seconds, scope } = answer;
  if (answer.token_type !== 'bearer') throw invalidAnswer(`its tokens are of the type ${answer.token_type}`);
  const scopes = scope === undefined ? before.scopes : scope.split(separator === ' ' ? / +/ : /[, ]+/);
  return {
    accessToken,
    refreshToken: refresh === 'none' ? null : (next ?? before.refreshToken),
    expiresAt: seconds === undefined ? null : now + seconds * 1000,
    scopes: scopes.filter((name) => name !== ''),
    ...forResource(before.resource),
  };
}

/** The account that the ID token names. */
function accountOf(claims: oidc.IDToken | undefined, clientId: string, now: number): Account {
  if (!claims || (claims.azp !== undefined && claims.azp !== clientId))
    throw invalidAnswer('its ID token is of another');
  // The library compares it with the past alone.
  if (claims.iat * 1000 > now + clockTolerance * 1000) throw invalidAnswer('its ID token is of the future');
  const label = [claims['email'], claims['preferred_username'], claims['name']].find(
    (claim) => labelOf(claim) !== null,
  );
  return nameAccount(claims.sub, label);
}

/** The account as the provider names it to the holder of the token. */
async function readAccount(
  send: Send,
  { url, id, label }: NonNullable<OAuth['account']>,
  token: string,
): Promise<Account> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const answer = await send(url, { headers });
  const body = answer.ok ? await readObject(answer) : null;
  if (body === null) throw invalidAnswer(`it names no account, and answers ${answer.status}`);
  return nameAccount(valueAt(body, id), valueAt(body, label));
}

function nameAccount(id: unknown, label: unknown): Account {
  const name = Number.isSafeInteger(id) ? String(id) : id;
  if (typeof name !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(name)) throw invalidAnswer('the account has no id');
  return { id: name, label: labelOf(label) ?? name };
}

/** Text for people; null if they would not see all of it. */
const labelOf = (text: unknown): string | null =>
  typeof text === 'string' && text !== '' && text.length <= 255 && !hasHiddenCharacters(text) ? text : null;

/** By RFC 7009: the refresh token, and the access token, which not every provider ends with it. */
async function revokeToken(
  oauth: OAuth,
  configuration: oidc.Configuration,
  { refreshToken, accessToken }: TokenSet,
): Promise<void> {
  const first = refreshToken === null ? [] : [['refresh_token', refreshToken] as const];
  for (const [hint, token] of [...first, ['access_token', accessToken] as const])
    await oidc.tokenRevocation(configuration, token, { token_type_hint: hint }).catch((error: unknown) => {
      const isLast = hint === 'access_token' && refreshToken !== null;
      if (!isGone(oauth, error, isLast)) throw error;
    });
}

/** Is the token no longer valid anyway? Of two tokens, a provider may let only the refresh token be revoked. */
const isGone = (oauth: OAuth, error: unknown, isLast: boolean): boolean =>
  error instanceof oidc.ResponseBodyError &&
  (isWithdrawn(oauth, error) ||
    error.error === 'invalid_token' ||
    (isLast && error.error === 'unsupported_token_type'));

/** True: the provider no longer takes the token. */
async function revokeOtherwise(
  send: Send,
  { clientId: id, clientSecret: secret, oauth }: ConnectProvider,
  { url, method, authentication, member }: OtherRevocation,
  { accessToken }: TokenSet,
): Promise<true> {
  const [clientId, clientSecret] = [id ?? '', secret ?? ''];
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const answer = await send(url.replace('{clientId}', encodeURIComponent(clientId)), {
    method,
    headers: {
      accept: 'application/json',
      authorization: authentication === 'basic' ? `Basic ${basic}` : `Bearer ${accessToken}`,
      ...(member !== undefined && { 'content-type': 'application/json' }),
    },
    ...(member !== undefined && { body: JSON.stringify({ [member]: accessToken }) }),
  });
  const error = (await readObject(answer))?.['error'];
  const isUnknown = answer.status === 404 || answer.status === 422 || (oauth?.withdrawn ?? []).includes(String(error));
  if (isUnknown || (answer.ok && error === undefined)) return true;
  throw invalidAnswer(`it revokes nothing, and answers ${answer.status}`);
}

/** Does the provider say that the refresh token is no longer valid? */
const isWithdrawn = ({ withdrawn }: OAuth, error: unknown): boolean =>
  error instanceof oidc.ResponseBodyError && ['invalid_grant', ...withdrawn].includes(error.error);

type JsonObject = Record<string, unknown>;

async function readObject(answer: Response): Promise<JsonObject | null> {
  const body: unknown = await answer.json().catch(() => null);
  return isObject(body) ? body : null;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why an exchange has failed: the provider did not answer, it refused, or its answer does not hold. */
function problemOf({ key, label, oauth, isAuto, clientId }: ConnectProvider, error: unknown): Problem {
  const cause = loggable(error);
  if (isDown(error)) return new Problem('provider-unavailable', { cause });
  if (error instanceof Problem) return error;
  if (error instanceof oidc.AuthorizationResponseError) return new Problem('connection-declined', { cause });
  const detail =
    isUnknown(oauth, error) && clientId !== null
      ? `Check "clientId" and the client secret of "${isAuto ? autoKey : key}" in ASSENTRY_PROVIDERS: ${label} does not accept them.`
      : `Start again: the answer of ${label} does not hold.`;
  return new Problem('token-invalid', { detail, cause });
}

/** Does the provider not know the client, or not by this secret? */
const isUnknown = (oauth: OAuth | undefined, error: unknown): boolean =>
  isUnknownClient(error) ||
  (error instanceof oidc.ResponseBodyError && (oauth?.unknownClient ?? []).includes(error.error));

/** Did the provider not answer, or say that it cannot now? */
function isDown(error: unknown): boolean {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
    return ['server_error', 'temporarily_unavailable'].includes(error.error);
  if (error instanceof Problem) return error.code === 'unavailable';
  return error instanceof Error && isDown(error.cause);
}

const declined = (error?: unknown): Problem => new Problem('connection-declined', { cause: loggable(error) });

const invalidAnswer = (finding: string): Problem => new Problem('token-invalid', { cause: new Error(finding) });

/**
 * The failure for the log: names and codes. Errors of the library hold the address with the code, or the answer with the tokens, and
 * one of JSON repeats its text.
 */
function loggable(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'error' in error ? error.error : 'code' in error ? error.code : undefined;
  const message = error instanceof SyntaxError ? 'no JSON' : error.message;
  const isName = typeof code === 'string' && /^[A-Za-z_]{1,64}$/.test(code); // no token or code, which has digits
  return new Error(`${error.name}${isName ? ` ${code}` : ''}: ${message}`, {
    cause: loggable(error.cause),
  });
}

/** Providers at which people connect accounts, pay and sign; no provider is called before someone does. */
export function openConnect(
  { connectProviders = [], outcomeProviders = [] }: Pick<ServerOptions, 'connectProviders' | 'outcomeProviders'>,
  engine: Pick<Engine, 'registeredClients' | 'ring' | 'now' | 'publicUrl'>,
): Pick<Engine, 'connect' | 'connectChosen' | 'outcomes' | 'readResource'> {
  const open = (settings: ConnectProvider): ConnectClient =>
    createConnectClient(settings, engine.now, undefined, settings.isAuto ? createRegistrar(engine, settings) : null);
  const chosen = new Map<string, ConnectClient>();
  return {
    connect: connectProviders.map(open),
    connectChosen(issuer) {
      const client = chosen.get(issuer) ?? open(chosenProvider(issuer));
      chosen.set(issuer, client);
      return client;
    },
    readResource: openResources(connectProviders, engine.now),
    outcomes: openOutcomes({ outcomeProviders }, engine.now),
  };
}
