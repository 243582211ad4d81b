/** What checks access tokens: the keys of their issuer, or the issuer itself. */
export type TokenSource = JwksSource | IntrospectedSource;

interface Tokens {
  issuer: string;
  /** For whom they are: one of these. */
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

/** What is wrong or right with a token. */
export type CheckedToken =
  | { state: 'valid'; issuer: string; subject: string; scopes: readonly string[] }
  /** It was valid once. */
  | { state: 'ended' }
  /** It was not issued by this issuer for this audience. */
  | { state: 'wrong'; cause?: unknown };

/** Rejects with the problem `unavailable` if that cannot be found out now. */
export type CheckToken = (token: string) => Promise<CheckedToken>;

/** The scopes in a claim or an answer: one text, or as some issuers have it, a list. */
export const scopesIn = (scope: unknown): string[] =>
  [scope].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));

export const isByKeys = (source: TokenSource): source is JwksSource => 'jwks' in source;
