import { checkByJwks } from './check-by-jwks.ts';
import { checkByIntrospection } from './check-by-introspection.ts';
import { isByKeys, type CheckToken, type TokenSource } from './token-source.ts';

/** Checks the access tokens of this source: who issued them, for whom, to whom and for which time. */
export const tokenCheck = (source: TokenSource, now: () => number): CheckToken =>
  isByKeys(source) ? checkByJwks(source, now) : checkByIntrospection(source, now);
