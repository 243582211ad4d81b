import { z } from 'zod';
import { askIssuer, issuerUnavailable } from './ask-issuer.ts';
import { scopesIn, type CheckToken, type IntrospectedSource } from './token-source.ts';

/** RFC 7662, section 2.2; what the issuer leaves out is not checked against anything else. */
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
export function checkByIntrospection(source: IntrospectedSource, now: () => number): CheckToken {
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
