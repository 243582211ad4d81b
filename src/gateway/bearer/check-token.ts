import { checkByKeys } from './check-by-keys.ts';
import { checkByWord } from './check-by-word.ts';
import { isByKeys, type CheckToken, type TokenSource } from './token-source.ts';

/** Checks the access tokens of this source: who issued them, for whom, to whom and for which time. */
export const tokenCheck = (source: TokenSource, now: () => number): CheckToken =>
  isByKeys(source) ? checkByKeys(source, now) : checkByWord(source, now);
