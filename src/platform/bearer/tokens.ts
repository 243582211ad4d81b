import {
  jwtVerify,
  type JWTPayload,
  decodeJwt,
  errors,
  type JWTVerifyGetKey,
  createRemoteJWKSet,
  customFetch,
} from 'jose';
import { isPrivateAddress } from '../model/names.ts';
import type { ProvenWorkload } from '#access/workloads/contract';
import { sendRequest } from '../http/client/outgoing-request.ts';
import { traceHeaders } from '../http/client/current-request.ts';
import { z } from 'zod';
import { Problem } from '../model/problem.ts';

/** Signer and audience of the tokens with which a service calls us. */
interface ServiceTokens {
  issuer: string;
  audience: string;
  /** The address of the issuer's public keys. */
  jwks: string;
  /** Allowed difference of the clocks, in seconds. */
  clockTolerance: number;
}

interface ServiceToken {
  claims: JWTPayload;
  /** Uses that the issuer allows for the key, if it names any (an extension of Microsoft's). */
  endorsements: string[];
}

/** Checks a token by the public keys of its issuer; null if it is wrong, problem `unavailable` without the keys. */
export function checkServiceToken(
  { jwks, issuer, audience, clockTolerance }: ServiceTokens,
  now: () => number,
): (token: string) => Promise<ServiceToken | null> {
  const keys = issuerKeys(jwks);
  const fixed = { issuer, audience, clockTolerance, algorithms: ['RS256'], requiredClaims: ['exp'] };
  return async (token) => {
    try {
      const { payload: claims, protectedHeader } = await jwtVerify(token, keys, {
        ...fixed,
        currentDate: new Date(now()),
      });
      const key = keys.jwks()?.keys.find(({ kid }) => kid === protectedHeader.kid);
      return { claims, endorsements: endorsementsOf(key) };
    } catch (cause) {
      if (isFault(cause)) throw issuerUnavailable(cause);
      return null;
    }
  };
}

function endorsementsOf(key: object | undefined): string[] {
  const { endorsements } = (key ?? {}) as { endorsements?: unknown };
  return Array.isArray(endorsements) ? endorsements.map(String) : [];
}

/** An issuer that the operator has named: only its addresses are called. */
interface WorkloadIssuer {
  issuer: string;
  /** The address of its public keys; without it, the one that the issuer's discovery document names. */
  jwks?: string | undefined;
  /** Longest time between the issue and the end of a token, in seconds. */
  longestLife: number;
}

type CheckedWorkload =
  | { state: 'valid'; token: ProvenWorkload }
  /** Reason of the refusal, for the log alone. */
  | { state: 'refused'; why: 'workload-issuer-unknown' | 'workload-issuer-unavailable' | 'workload-token-wrong' };

/** Allowed difference of the clocks, in seconds. */
const clockTolerance = 10;

/** Milliseconds for which the address of an issuer's keys is kept. */
const discoveryLife = 300_000;

/** Verifies tokens of workloads by the keys of their issuers. Never rejects: an unverifiable token is refused. */
export function createWorkloadCheck(
  issuers: readonly WorkloadIssuer[],
  now: () => number,
): (token: string) => Promise<CheckedWorkload> {
  const sources = new Map(issuers.map((issuer) => [issuer.issuer, { issuer, keys: createKeys(issuer, now) }]));
  return async (token) => {
    const source = sources.get(issuerIn(token));
    if (!source) return { state: 'refused', why: 'workload-issuer-unknown' };
    try {
      return await verify(token, source.issuer, await source.keys(), now());
    } catch (error) {
      return { state: 'refused', why: isFault(error) ? 'workload-issuer-unavailable' : 'workload-token-wrong' };
    }
  };
}

async function verify(
  token: string,
  { issuer, longestLife }: WorkloadIssuer,
  keys: JWTVerifyGetKey,
  at: number,
): Promise<CheckedWorkload> {
  const limits = { clockTolerance, maxTokenAge: longestLife, currentDate: new Date(at) };
  const fixed = { issuer, algorithms, requiredClaims: ['sub', 'aud', 'exp', 'iat'], ...limits };
  const { payload, protectedHeader } = await jwtVerify(token, keys, fixed);
  const { sub, aud = [], exp = 0, iat = 0, cnf } = payload;
  // The sender of a bound token must prove that it is theirs, and nothing here checks such a proof.
  if (typeof sub !== 'string' || cnf !== undefined || !isAccessToken(protectedHeader.typ) || exp - iat > longestLife)
    return { state: 'refused', why: 'workload-token-wrong' };
  const proven = { issuer, subject: sub, audience: [aud].flat(), claims: payload, expiresAt: exp * 1000 };
  return { state: 'valid', token: proven };
}

/** Issuer in a token, read without any proof, only to choose among the issuers that the operator has named. */
function issuerIn(token: string): string {
  try {
    return decodeJwt(token).iss ?? '';
  } catch {
    return '';
  }
}

/** Keys of an issuer, kept for ten minutes and read again when a token names an unknown one: at most twice a minute. */
function createKeys({ issuer, jwks }: WorkloadIssuer, now: () => number): () => Promise<JWTVerifyGetKey> {
  if (jwks !== undefined) {
    const keys = issuerKeys(jwks);
    return async () => keys;
  }
  let latest: { address: string; keys: JWTVerifyGetKey; until: number } | null = null;
  return async () => {
    if (latest && now() < latest.until) return latest.keys;
    const address = await discover(issuer);
    const keys = latest?.address === address ? latest.keys : issuerKeys(address);
    latest = { address, keys, until: now() + discoveryLife };
    return keys;
  };
}

async function discover(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const headers = { accept: 'application/json', ...traceHeaders() };
  const response = await sendRequest(address, { headers }, { timeoutMs: issuerTimeoutMs });
  const { issuer: written, jwks_uri: jwks } = (await response.json()) as Record<string, unknown>;
  if (!response.ok || written !== issuer || typeof jwks !== 'string' || !isPrivateAddress(jwks))
    throw new errors.JWKSInvalid('The discovery document names another issuer, or no keys over https.');
  return jwks;
}

/** Asymmetric algorithms only, because no secret is shared with the issuer. */
export const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Checks tokens that the issuer has signed, by its public keys. */
export function checkByJwks({ issuer, audience, jwks }: JwksSource, now: () => number): CheckToken {
  const keys = issuerKeys(jwks);
  const fixed = { issuer, audience: [...audience], algorithms, requiredClaims: ['sub', 'exp'] };
  return async (token) => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, { ...fixed, currentDate: new Date(now()) });
      const { sub, scope, scp, cnf } = payload;
      // The sender of a bound token must prove that it is theirs, and nothing here checks such a proof.
      if (typeof sub !== 'string' || cnf !== undefined || !isAccessToken(protectedHeader.typ))
        return { state: 'wrong' };
      return { state: 'valid', issuer, subject: sub, scopes: scopesIn(scope ?? scp) };
    } catch (cause) {
      if (cause instanceof errors.JWTExpired) return { state: 'ended' };
      if (isFault(cause)) throw issuerUnavailable(cause);
      return { state: 'wrong', cause };
    }
  };
}

/** Types of RFC 9068 and of most issuers; any other type marks another kind of token. */
const isAccessToken = (type: string | undefined): boolean =>
  type === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(type);

/** Did it fail to get the keys? Every other error is a fault of the token. */
export const isFault = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code);

/** Answer of RFC 7662, section 2.2; members that the issuer leaves out are not checked. */
const Introspection = z.object({
  active: z.boolean(),
  sub: z.string().optional(),
  iss: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  exp: z.number().optional(),
  nbf: z.number().optional(),
  scope: z.string().optional(),
  token_type: z.string().optional(),
  cnf: z.unknown().optional(),
});

/** Checks tokens that only the issuer can read, by asking it. */
function checkByIntrospection(source: IntrospectedSource, now: () => number): CheckToken {
  const { issuer, audience } = source;
  return async (token) => {
    const answer = await introspect(source, token);
    const {
      active,
      sub,
      iss = issuer,
      aud,
      exp = Number.POSITIVE_INFINITY,
      nbf = 0,
      scope,
      token_type: type = 'Bearer',
      cnf,
    } = answer;
    if (!active || exp * 1000 <= now()) return { state: 'ended' };
    const isForUs = [aud].flat().some((name) => name !== undefined && audience.includes(name));
    // The sender of a bound token must prove that it is theirs, and nothing here checks such a proof.
    if (cnf !== undefined || type.toLowerCase() === 'dpop') return { state: 'wrong' };
    if (sub === undefined || iss !== issuer || !isForUs || nbf * 1000 > now()) return { state: 'wrong' };
    return { state: 'valid', issuer, subject: sub, scopes: scopesIn(scope) };
  };
}

async function introspect(
  { introspection, ...client }: IntrospectedSource,
  token: string,
): Promise<z.infer<typeof Introspection>> {
  const { isOk, status, body } = await askIssuer(introspection, client, { token, token_type_hint: 'access_token' });
  const { data } = Introspection.safeParse(body);
  if (isOk && data) return data;
  throw issuerUnavailable(new TypeError(`The issuer answered ${status}, which is no introspection.`));
}

/** Way to check access tokens: by the keys of their issuer, or by asking it. */
export type TokenSource = JwksSource | IntrospectedSource;

interface Tokens {
  issuer: string;
  /** Audiences of the tokens; one of these is enough. */
  audience: readonly string[];
}

export interface JwksSource extends Tokens {
  /** The address of the issuer's public keys. */
  jwks: string;
}

export interface IntrospectedSource extends Tokens {
  /** The address at which the issuer says whose token it is (RFC 7662). */
  introspection: string;
  clientId: string;
  clientSecret: string;
}

/** State of a token. */
export type CheckedToken =
  | { state: 'valid'; issuer: string; subject: string; scopes: readonly string[] }
  /** It was valid once. */
  | { state: 'ended' }
  /** It was not issued by this issuer for this audience. */
  | { state: 'wrong'; cause?: unknown };

/** Rejects with the problem `unavailable` if the check is impossible now. */
export type CheckToken = (token: string) => Promise<CheckedToken>;

/** The scopes in a claim or an answer: one text, or as some issuers have it, a list. */
const scopesIn = (scope: unknown): string[] =>
  [scope].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));

const isByKeys = (source: TokenSource): source is JwksSource => 'jwks' in source;

/** Milliseconds an issuer has to answer. */
const issuerTimeoutMs = 5_000;

/** Credentials of the client that asks. */
interface IssuerClient {
  clientId: string;
  clientSecret: string;
}

export interface IssuerAnswer {
  isOk: boolean;
  status: number;
  body: unknown;
}

/** The public keys of an issuer at this address. */
const issuerKeys = (address: string) =>
  createRemoteJWKSet(new URL(address), {
    timeoutDuration: issuerTimeoutMs,
    [customFetch]: sendRequest,
  });

/** Posts a form to an issuer as this client; problem `unavailable` if it gives no JSON. No redirect is followed. */
export async function askIssuer(
  address: string,
  { clientId, clientSecret }: IssuerClient,
  form: Record<string, string>,
): Promise<IssuerAnswer> {
  const credentials = Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':')).toString('base64');
  try {
    const headers = { authorization: `Basic ${credentials}`, accept: 'application/json', ...traceHeaders() };
    const request = { method: 'POST', headers, body: new URLSearchParams(form) };
    const response = await sendRequest(address, request, { timeoutMs: issuerTimeoutMs });
    return { isOk: response.ok, status: response.status, body: await response.json() };
  } catch (error) {
    throw issuerUnavailable(error);
  }
}

const issuerUnavailable = (cause: unknown): Problem =>
  new Problem('unavailable', { detail: 'Try again later: the issuer of the access tokens cannot be reached.', cause });

/** Checks the access tokens of this source: issuer, audience, subject and times. */
export const tokenCheck = (source: TokenSource, now: () => number): CheckToken =>
  isByKeys(source) ? checkByJwks(source, now) : checkByIntrospection(source, now);
