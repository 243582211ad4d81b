import * as oidc from 'openid-client';
import {
  type IdentityProvider,
  type ProvenIdentity,
  verifiedByOf,
  type SignInProvider,
  type LogoutNotice,
} from './contract/identity-provider.ts';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';
import { sendRequest } from '#platform/http/client/outgoing-request';
import { isLoopback } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { SignInProblem, type ProviderError } from '../sign-in/contract/problem.ts';
import {
  algorithms,
  clockTolerance,
  configure,
  isFault,
  isUnknownClient,
  keepMetadata,
  readMetadata,
  tracedBy,
  type OpenConfiguration,
} from '#platform/http/client/oauth-client';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { ServerOptions } from '#server/options';

/** One provider by OpenID Connect: authorization code with PKCE, state and nonce. */
export function createIdentityProvider(settings: SignInProvider, now: () => number): IdentityProvider {
  const open = createConfiguration(settings, now);
  return {
    settings,
    async discover() {
      await discover(settings);
    },
    async authorizationUrl({ redirectUri, state, nonce, codeVerifier, maxAge, ...request }) {
      const acr = request.acr === undefined ? settings.multiFactor.acr : [request.acr];
      const parameters = {
        redirect_uri: redirectUri,
        scope: settings.scopes.join(' '),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        max_age: String(maxAge),
        ...(maxAge === 0 && { prompt: 'login' }),
        ...(acr.length > 0 && { acr_values: acr.join(' ') }),
      };
      return oidc.buildAuthorizationUrl(await open(), parameters).href;
    },
    async redeem(callback, { state, nonce, codeVerifier }) {
      const configuration = await open();
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
        const tokens = await oidc.authorizationCodeGrant(configuration, callback, checks);
        const claims = tokens.claims();
        if (!claims || (claims.azp !== undefined && claims.azp !== settings.clientId)) throw invalidAnswer();
        // The library compares it with the past alone.
        if (claims.iat * 1000 > now() + clockTolerance * 1000) throw invalidAnswer();
        const more = lacksClaims(settings, claims)
          ? await readMore(configuration, settings, tokens.access_token, claims.sub)
          : {};
        return provenBy(settings, claims, more);
      } catch (error) {
        throw problemOf(settings, error);
      }
    },
    async endSessionUrl(returnTo) {
      const configuration = await open();
      if (!configuration.serverMetadata().end_session_endpoint) return null;
      return oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
    },
    readLogoutToken: createLogoutTokens(settings, open, now),
  };
}

/** Is there something to ask for that the ID token does not say? Some providers answer only programs of their own. */
function lacksClaims({ newPeople, groups }: SignInProvider, claims: oidc.IDToken): boolean {
  const people = newPeople === null ? [] : ['email', newPeople.verifiedBy, ...Object.keys(newPeople.claims)];
  return [...people, ...(groups === null ? [] : [groups.claim])].some((name) => claims[name] === undefined);
}

/** Some providers put addresses and groups only where they are asked for separately. */
async function readMore(
  configuration: oidc.Configuration,
  { newPeople, groups }: SignInProvider,
  accessToken: string,
  subject: string,
): Promise<Record<string, unknown>> {
  if (!(newPeople || groups) || !configuration.serverMetadata().userinfo_endpoint) return {};
  return { ...(await oidc.fetchUserInfo(configuration, accessToken, subject)) };
}

/** Claims of both places, the token first; an address is verified only by the place that names it. */
function joinClaims(verifiedBy: string, claims: oidc.IDToken, more: Record<string, unknown>): Record<string, unknown> {
  const all = { ...more, ...claims };
  const source = claims['email'] === undefined ? more : claims;
  return claims['email'] === more['email'] ? all : { ...all, [verifiedBy]: source[verifiedBy] };
}

function provenBy(
  { multiFactor, newPeople }: SignInProvider,
  claims: oidc.IDToken,
  more: Record<string, unknown>,
): ProvenIdentity {
  const { iss, sub, sid, acr, auth_time: time } = claims;
  const methods: unknown[] = Array.isArray(claims['amr']) ? claims['amr'] : [];
  const isMultiFactor =
    multiFactor.always === true ||
    (typeof acr === 'string' && multiFactor.acr.includes(acr)) ||
    multiFactor.amr.some((name) => methods.includes(name));
  return {
    issuer: iss,
    subject: readName(sub) ?? sub,
    sid: readName(sid),
    assurance: isMultiFactor ? 'multi-factor' : 'single-factor',
    acr: readName(acr),
    authenticatedAt: time === undefined ? null : time * 1000,
    claims: joinClaims(verifiedByOf({ newPeople }), claims, more),
  };
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Seconds a notice may be old. */
const maxAgeSeconds = 300;
/** Milliseconds between two looks for a key that was exchanged under its name: anyone can send a wrong signature. */
const minReloadMs = 30_000;

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** Reads logout tokens as OpenID Connect Back-Channel Logout 1.0, section 2.6, has them checked. */
function createLogoutTokens(
  provider: SignInProvider,
  open: OpenConfiguration,
  now: () => number,
): (token: string) => Promise<LogoutNotice> {
  const { issuer, clientId: audience } = provider;
  const verify = createVerify(now);
  let keys: { address: string; find: Keys } | null = null;
  return async (token) => {
    const { jwks_uri: address } = (await open()).serverMetadata();
    if (!address) throw unreachable(provider, new TypeError('The provider names no keys.'));
    if (keys?.address !== address)
      keys = { address, find: createRemoteJWKSet(new URL(address), { [customFetch]: sendRequest }) };
    const limits = { clockTolerance, maxTokenAge: maxAgeSeconds, currentDate: new Date(now()) };
    const fixed = { issuer, audience, algorithms, requiredClaims: ['jti', 'exp'], ...limits };
    const { payload, protectedHeader } = await verify(token, keys.find, fixed).catch((cause: unknown) => {
      throw invalidAnswer(cause);
    });
    if (!isLogoutToken(protectedHeader.typ, payload)) throw invalidAnswer();
    const { sub, sid, jti, iat = 0 } = payload;
    const once = { id: readName(jti) ?? '', until: (iat + maxAgeSeconds + clockTolerance) * 1000 };
    return { issuer, subject: readName(sub), sid: readName(sid), once };
  };
}

/** Verifies a token; after a wrong signature once more, by the keys as they are then: a name may have got another key. */
function createVerify(now: () => number) {
  let lookedAt = -Infinity;
  return async (token: string, find: Keys, limits: JWTVerifyOptions): Promise<JWTVerifyResult> => {
    try {
      return await jwtVerify(token, find, limits);
    } catch (error) {
      const mayBeExchanged = error instanceof errors.JWSSignatureVerificationFailed;
      if (!mayBeExchanged || now() - lookedAt < minReloadMs) throw error;
      lookedAt = now();
      await find.reload();
      return jwtVerify(token, find, limits);
    }
  };
}

/** No other token of this provider can be taken for one: it names the event, and no nonce. */
function isLogoutToken(type: string | undefined, { events, nonce, sub, sid }: JWTPayload): boolean {
  const isOfType = type === undefined || /^(?:application\/)?(?:logout\+)?jwt$/i.test(type);
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[logoutEvent] : null;
  const isOfEvent = typeof event === 'object' && event !== null;
  return isOfType && isOfEvent && nonce === undefined && (sub !== undefined || typeof sid === 'string');
}

/**
 * The provider's metadata is read again every five minutes. Its keys are read at each exchange, so that new ones count
 * at once.
 */
export function createConfiguration(provider: SignInProvider, now: () => number): OpenConfiguration {
  const { clientId, clientSecret, issuer } = provider;
  const metadata = keepMetadata(() => discover(provider), now);
  const client = { clientId, clientSecret, now, isLocal: isLoopback(issuer), fetch: fetchTraced };
  return async () => configure(await metadata(), client);
}

const fetchTraced = tracedBy(sendRequest);

/** The library takes other spellings of an issuer; but by this one we name identities, logouts and who has a provider. */
async function discover(provider: SignInProvider): Promise<oidc.ServerMetadata> {
  const metadata = await readOwnMetadata(provider);
  if (metadata.issuer !== provider.issuer) throw otherIssuer(provider, metadata.issuer);
  return metadata;
}

async function readOwnMetadata(provider: SignInProvider): Promise<oidc.ServerMetadata> {
  try {
    return await readMetadata(provider.issuer, { ...provider, fetch: fetchTraced });
  } catch (cause) {
    throw isOtherIssuer(cause) ? otherIssuer(provider, cause.cause.body.issuer) : unreachable(provider, cause);
  }
}

/** Error of openid-client about another issuer; it takes two spellings of an address for one. */
const isOtherIssuer = (error: unknown): error is { cause: { body: oidc.ServerMetadata } } =>
  error instanceof oidc.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

const unreachable = ({ name }: SignInProvider, cause: unknown): Problem =>
  new SignInProblem('provider-down', {
    code: 'unavailable',
    detail: `Try again in a moment: ${name} does not answer.`,
    cause,
  });

/** People are known by the issuer in their tokens, letter by letter: under another spelling no one would be found again. */
const otherIssuer = ({ key, issuer }: SignInProvider, written: string): Problem =>
  new SignInProblem('provider-answer-invalid', {
    code: 'config-invalid',
    detail: `Set "${key}.issuer" in ASSENTRY_SIGN_IN_PROVIDERS to ${written}, as the provider writes it, instead of ${issuer}.`,
  });

const unknownClient = ({ key }: SignInProvider, cause: unknown): Problem =>
  new SignInProblem('provider-answer-invalid', {
    code: 'token-invalid',
    detail: `Check "clientId" and the client secret of "${key}" in ASSENTRY_SIGN_IN_PROVIDERS: the provider does not accept them.`,
    cause,
    said: errorOf(cause),
  });

const invalidAnswer = (cause?: unknown): Problem =>
  new SignInProblem('provider-answer-invalid', { code: 'token-invalid', cause, said: errorOf(cause) });

/** Characters of it that the log keeps. */
const maxErrorLength = 500;

/** The error that the provider named; null if it named none. */
function errorOf(cause: unknown): ProviderError | null {
  const isNamed = cause instanceof oidc.AuthorizationResponseError || cause instanceof oidc.ResponseBodyError;
  if (!isNamed) return null;
  const { error, error_description: description } = cause;
  return { error: error.slice(0, maxErrorLength), description: description?.slice(0, maxErrorLength) ?? null };
}

/**
 * A claim by which something is found again; null if the token has none as text. OpenID Connect limits subjects to 255 characters of
 * ASCII, and the database cannot keep a NUL.
 */
function readName(claim: unknown): string | null {
  if (typeof claim !== 'string') return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(claim)) throw invalidAnswer();
  return claim;
}

/** Why an exchange has failed: the provider did not answer, it refused, or its answer does not hold. */
function problemOf(provider: SignInProvider, error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof oidc.AuthorizationResponseError)
    return new SignInProblem('provider-refused', { code: 'token-invalid', cause: error, said: errorOf(error) });
  if (isUnknownClient(error)) return unknownClient(provider, error);
  return isFault(error) ? unreachable(provider, error) : invalidAnswer(error);
}

/** Providers for sign-ins; no provider is called before someone signs in. */
export const openSignIn = (
  { signInProviders = [], passwords = 'allowed' }: Pick<ServerOptions, 'signInProviders' | 'passwords'>,
  now: () => number,
): Pick<Engine, 'providers' | 'passwords'> => ({
  providers: signInProviders.map((settings) => createIdentityProvider(settings, now)),
  passwords,
});
