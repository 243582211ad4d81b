import { tokenCheck } from '#platform/bearer/tokens';
import type { CheckToken } from '#platform/bearer/tokens';
import type { TokenSources } from '#platform/config/serving';
import { refuseToken, type ReadToken } from '#access/tokens/verbs/read-token';

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
