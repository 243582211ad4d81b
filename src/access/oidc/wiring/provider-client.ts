import * as oidc from 'openid-client';
import { isLoopback } from '#platform/model/names';
import { Problem } from '#platform/model/problem/problem';
import { SignInProblem, type ProviderError } from '../../sign-in/contract/problem.ts';
import type { SignInProvider } from '../contract/identity-provider/sign-in-provider.ts';
import { sendRequest } from '#platform/http/client/outgoing-request';
import { traceHeaders } from '#platform/http/client/current-request';

/** Seconds by which the clocks of provider and database may differ. */
export const clockTolerance = 10;
/** Milliseconds for which what a provider says of itself is kept. */
const metadataLife = 300_000;
/** Seconds a provider has to answer. */
const timeoutSeconds = 5;

/** Nothing symmetric: who can check such a signature can make it. */
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Opens a configuration for one exchange, as the provider describes itself; problem `unavailable` if it does not answer. */
export type OpenConfiguration = () => Promise<oidc.Configuration>;

/**
 * What the provider says of itself is read again every five minutes. Its keys are read at each exchange, so that new ones
 * count at once.
 */
export function createConfiguration(provider: SignInProvider, now: () => number): OpenConfiguration {
  let latest: { metadata: oidc.ServerMetadata; until: number } | null = null;
  return async () => {
    if (!latest || latest.until <= now()) latest = { metadata: await discover(provider), until: now() + metadataLife };
    return configure(provider, latest.metadata, now);
  };
}

const fetchTraced: oidc.CustomFetch = (url, { headers, ...options }) =>
  sendRequest(url, { ...options, headers: { ...headers, ...traceHeaders() } } as RequestInit);

/** The library takes other spellings of an issuer; but by this one we name identities, logouts and who has a provider. */
export async function discover(provider: SignInProvider): Promise<oidc.ServerMetadata> {
  const metadata = await readMetadata(provider);
  if (metadata.issuer !== provider.issuer) throw otherIssuer(provider, metadata.issuer);
  return metadata;
}

async function readMetadata(provider: SignInProvider): Promise<oidc.ServerMetadata> {
  try {
    const execute = isLoopback(provider.issuer) ? [oidc.allowInsecureRequests] : [];
    const configuration = await oidc.discovery(
      new URL(provider.issuer),
      provider.clientId,
      provider.clientSecret,
      undefined,
      {
        execute,
        timeout: timeoutSeconds,
        [oidc.customFetch]: fetchTraced,
      },
    );
    return configuration.serverMetadata();
  } catch (cause) {
    throw isOtherIssuer(cause) ? otherIssuer(provider, cause.cause.body.issuer) : unreachable(provider, cause);
  }
}

/** What openid-client refuses, which takes two spellings of an address for one. */
const isOtherIssuer = (error: unknown): error is { cause: { body: oidc.ServerMetadata } } =>
  error instanceof oidc.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

function configure(
  { issuer, clientId, clientSecret }: SignInProvider,
  { id_token_signing_alg_values_supported: signing, ...metadata }: oidc.ServerMetadata,
  now: () => number,
): oidc.Configuration {
  const allowed = signing?.filter((name) => algorithms.includes(name));
  const server = { ...metadata, ...(allowed && { id_token_signing_alg_values_supported: allowed }) };
  const clock = { [oidc.clockSkew]: Math.round((now() - Date.now()) / 1000), [oidc.clockTolerance]: clockTolerance };
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  // Some that list both take a secret in the header only unencoded, against the standard; in the body there is one form.
  const authenticate = methods.includes('client_secret_post') ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
  const configuration = new oidc.Configuration(server, clientId, clock, authenticate(clientSecret));
  configuration.timeout = timeoutSeconds;
  configuration[oidc.customFetch] = fetchTraced;
  if (isLoopback(issuer)) oidc.allowInsecureRequests(configuration);
  oidc.enableNonRepudiationChecks(configuration); // the signature counts, not only the connection
  return configuration;
}

export const unreachable = ({ name }: SignInProvider, cause: unknown): Problem =>
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

export const invalidAnswer = (cause?: unknown): Problem =>
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
export function readName(claim: unknown): string | null {
  if (typeof claim !== 'string') return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(claim)) throw invalidAnswer();
  return claim;
}

/** Why an exchange has failed: the provider did not answer, it refused, or its answer does not hold. */
export function problemOf(provider: SignInProvider, error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof oidc.AuthorizationResponseError)
    return new SignInProblem('provider-refused', { code: 'token-invalid', cause: error, said: errorOf(error) });
  if (isUnknownClient(error)) return unknownClient(provider, error);
  return isFault(error) ? unreachable(provider, error) : invalidAnswer(error);
}

/** RFC 6749, section 5.2; with HTTP Basic a provider answers by a challenge as well. */
function isUnknownClient(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_client';
  return error instanceof oidc.WWWAuthenticateChallengeError && error.cause.some(({ scheme }) => scheme === 'basic');
}

/** A network that fails, time that runs out, and errors of the provider itself. */
function isFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.message === 'fetch failed') return true;
  const { cause } = error;
  if (cause instanceof Response) return cause.status >= 500;
  return cause instanceof Error && cause !== error && isFault(cause);
}
