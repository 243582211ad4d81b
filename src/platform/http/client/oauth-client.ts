import * as oidc from 'openid-client';
import { isLoopback } from '../../model/names.ts';
import { traceHeaders } from './current-request.ts';

/** Seconds by which the clocks of provider and database may differ. */
export const clockTolerance = 10;
/** Milliseconds for which what a provider says of itself is kept. */
const metadataLife = 300_000;
/** Seconds a provider has to answer. */
export const timeoutSeconds = 5;

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

type Send = (url: string, request: RequestInit) => Promise<Response>;

export interface OAuthClient {
  clientId: string;
  /** Null: the client is public. */
  clientSecret: string | null;
  now: () => number;
  /** Whether the operator has named an address of this machine, so that http is allowed. */
  isLocal: boolean;
  fetch: oidc.CustomFetch;
}

/** Requests of the library, sent by this function and with the trace of the caller. */
export const tracedBy =
  (send: Send): oidc.CustomFetch =>
  (url, { headers, ...options }) =>
    send(url, { ...options, headers: { ...headers, ...traceHeaders() } } as RequestInit);

/** Reads what an issuer says of itself. */
export async function readMetadata(
  issuer: string,
  { clientId, clientSecret, fetch }: Pick<OAuthClient, 'clientId' | 'clientSecret' | 'fetch'>,
  algorithm: 'oidc' | 'oauth2' = 'oidc',
): Promise<oidc.ServerMetadata> {
  const execute = isLoopback(issuer) ? [oidc.allowInsecureRequests] : [];
  const configuration = await oidc.discovery(new URL(issuer), clientId, clientSecret ?? undefined, undefined, {
    algorithm,
    execute,
    timeout: timeoutSeconds,
    [oidc.customFetch]: fetch,
  });
  return configuration.serverMetadata();
}

/** Keeps metadata for five minutes. Keys are read at each exchange, so that new ones count at once. */
export function keepMetadata(
  read: () => Promise<oidc.ServerMetadata>,
  now: () => number,
): () => Promise<oidc.ServerMetadata> {
  let latest: { metadata: oidc.ServerMetadata; until: number } | null = null;
  return async () => {
    if (!latest || latest.until <= now()) latest = { metadata: await read(), until: now() + metadataLife };
    return latest.metadata;
  };
}

/** Configuration of the library for one exchange. */
export function configure(
  { id_token_signing_alg_values_supported: signing, ...metadata }: oidc.ServerMetadata,
  { clientId, clientSecret, now, isLocal, fetch }: OAuthClient,
): oidc.Configuration {
  const allowed = signing?.filter((name) => algorithms.includes(name));
  const server = { ...metadata, ...(allowed && { id_token_signing_alg_values_supported: allowed }) };
  const clock = { [oidc.clockSkew]: Math.round((now() - Date.now()) / 1000), [oidc.clockTolerance]: clockTolerance };
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  // Some that list both take a secret in the header only unencoded, against the standard; in the body there is one form.
  const withSecret = methods.includes('client_secret_post') ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
  const proof = clientSecret === null ? oidc.None() : withSecret(clientSecret);
  const configuration = new oidc.Configuration(server, clientId, clock, proof);
  configuration.timeout = timeoutSeconds;
  configuration[oidc.customFetch] = fetch;
  if (isLocal) oidc.allowInsecureRequests(configuration);
  oidc.enableNonRepudiationChecks(configuration); // the signature counts, not only the connection
  return configuration;
}

/** RFC 6749, section 5.2; with HTTP Basic a provider answers by a challenge as well. */
export function isUnknownClient(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_client';
  return error instanceof oidc.WWWAuthenticateChallengeError && error.cause.some(({ scheme }) => scheme === 'basic');
}

/** A network that fails, time that runs out, and errors of the provider itself. */
export function isFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.message === 'fetch failed') return true;
  const { cause } = error;
  if (cause instanceof Response) return cause.status >= 500;
  return cause instanceof Error && cause !== error && isFault(cause);
}
