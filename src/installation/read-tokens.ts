import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import type { TokenSource, TokenSources } from '../config/access-tokens.ts';
import { refuseToken, type ReadToken } from '../engine/read-token.ts';
import { Problem } from '../model/problem.ts';

type Reader = (token: string) => ReturnType<ReadToken>;
type Clock = () => number;

/** Checks access tokens as configured for each server; only the configured addresses are called. */
export function createTokenReader(sources: TokenSources, now: Clock): ReadToken {
  const readers = new Map(Object.entries(sources).map(([server, source]) => [server, readerOf(source, now)]));
  return async (server, token) => (await readers.get(server)?.(token)) ?? null;
}

const readerOf = (source: TokenSource, now: Clock): Reader =>
  'jwks' in source ? readWithKeys(source, now) : askIssuer(source, now);

/** Milliseconds. */
const patience = 5_000;

/** No secret is shared with the issuer, so nothing symmetric. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

function readWithKeys({ issuer, audience, jwks }: Extract<TokenSource, { jwks: string }>, now: Clock): Reader {
  const keys = createRemoteJWKSet(new URL(jwks), { timeoutDuration: patience });
  return async (token) => {
    const checks = { issuer, audience, algorithms, requiredClaims: ['sub', 'exp'], currentDate: new Date(now()) };
    try {
      const { payload } = await jwtVerify(token, keys, checks);
      return { issuer, subject: payload.sub ?? '' };
    } catch (error) {
      if (error instanceof errors.JWTExpired) return null;
      throw isFault(error) ? unavailable(error) : refuseToken(error);
    }
  };
}

/** The keys could not be had; everything else is wrong with the token. */
const isFault = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code);

/** RFC 7662, section 2.2; what the issuer leaves out is not checked against anything else. */
const Introspection = z.object({
  active: z.boolean(),
  sub: z.string().optional(),
  iss: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  exp: z.number().optional(),
});

function askIssuer(source: Extract<TokenSource, { introspection: string }>, now: Clock): Reader {
  const { issuer, audience } = source;
  return async (token) => {
    const { active, sub, iss = issuer, aud, exp = Number.POSITIVE_INFINITY } = await introspect(source, token);
    if (!active || exp * 1000 <= now()) return null;
    if (sub === undefined || iss !== issuer || ![aud].flat().includes(audience)) throw refuseToken();
    return { issuer, subject: sub };
  };
}

async function introspect(
  { introspection, clientId, clientSecret }: Extract<TokenSource, { introspection: string }>,
  token: string,
): Promise<z.infer<typeof Introspection>> {
  const credentials = Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':')).toString('base64');
  try {
    const response = await fetch(introspection, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    });
    if (!response.ok) throw new TypeError(`The issuer answered ${response.status}.`);
    return Introspection.parse(await response.json());
  } catch (error) {
    throw unavailable(error);
  }
}

const unavailable = (cause: unknown): Problem =>
  new Problem('unavailable', { detail: 'Try again later: the issuer of the access tokens cannot be reached.', cause });
