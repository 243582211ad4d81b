import { tokenCheck } from '#gateway/bearer/check-token';
import type { CheckToken } from '#gateway/bearer/token-source';
import type { TokenSources } from '../config/access-tokens.ts';
import { refuseToken, type ReadToken } from '../engine/read-token.ts';

/** Checks access tokens as configured for each server; only the configured addresses are called. */
export function createTokenReader(sources: TokenSources, now: () => number): ReadToken {
  const checks = new Map(Object.entries(sources).map(([server, source]) => [server, tokenCheck(source, now)]));
  return async (server, token) => {
    const check = checks.get(server);
    return check ? readBy(check, token) : null;
  };
}

async function readBy(check: CheckToken, token: string): ReturnType<ReadToken> {
  const checked = await check(token);
  if (checked.state === 'wrong') throw refuseToken(checked.cause);
  return checked.state === 'valid' ? { issuer: checked.issuer, subject: checked.subject } : null;
}
