import { jwtVerify, type JWTPayload } from 'jose';
import { issuerKeys, issuerUnavailable } from './ask-issuer.ts';
import { isFault } from './check-by-jwks.ts';

/** Who signs the tokens with which a service calls us, and for whom. */
interface ServiceTokens {
  issuer: string;
  audience: string;
  /** The address of the issuer's public keys. */
  jwks: string;
  /** Seconds by which the clocks may differ. */
  clockTolerance: number;
}

interface ServiceToken {
  claims: JWTPayload;
  /** What the issuer says the key may be used for, if it says so (an extension of Microsoft's). */
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
