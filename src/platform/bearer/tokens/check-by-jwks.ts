import { errors, jwtVerify } from 'jose';
import { issuerKeys, issuerUnavailable } from './ask-issuer.ts';
import { scopesIn, type CheckToken, type JwksSource } from './token-source.ts';

/** No secret is shared with the issuer, so nothing symmetric. */
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

/** RFC 9068, and what most issuers write; a type of its own says that it is another kind of token. */
export const isAccessToken = (type: string | undefined): boolean =>
  type === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(type);

/** The keys could not be had; everything else is wrong with the token. */
export const isFault = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code);
