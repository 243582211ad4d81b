import { decodeJwt, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { isPrivateAddress } from '../../model/names.ts';
import type { ProvenWorkload } from '#access/workloads/contract';
import { sendRequest } from '../../http/client/outgoing-request.ts';
import { traceHeaders } from '../../http/client/current-request.ts';
import { issuerKeys, issuerTimeoutMs } from './ask-issuer.ts';
import { algorithms, isAccessToken, isFault } from './check-by-jwks.ts';

/** An issuer that the operator has named: only its addresses are called. */
interface WorkloadIssuer {
  issuer: string;
  /** The address of its public keys; without it, the one that the issuer's discovery document names. */
  jwks?: string | undefined;
  /** The most seconds between the issue and the end of a token. */
  longestLife: number;
}

type CheckedWorkload =
  | { state: 'valid'; token: ProvenWorkload }
  /** Why it is refused, for the log alone. */
  | { state: 'refused'; why: 'workload-issuer-unknown' | 'workload-issuer-unavailable' | 'workload-token-wrong' };

/** Seconds by which the clocks may differ. */
const clockTolerance = 10;

/** Milliseconds for which it is kept where an issuer has its keys. */
const discoveryLife = 300_000;

/** Verifies tokens of workloads by the keys of their issuers. Never rejects: what cannot be verified is refused. */
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

/** Read without any proof, only to choose among the issuers that the operator has named. */
function issuerIn(token: string): string {
  try {
    return decodeJwt(token).iss ?? '';
  } catch {
    return '';
  }
}

/** The keys are kept for ten minutes, and read again when a token names another one: at most twice a minute. */
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
