import type { AssentryClient } from '../../client/client.ts';
import { Problem } from '#platform/model/problem';
import { callbackFaults, callbackToken } from '#platform/text/visible-text';

/** Tokens that report results, by the client that made them: neither persons nor MCP clients may read them. */
const secrets = new WeakMap<AssentryClient, Set<string>>();
/** Limit of remembered tokens; the oldest are forgotten here, but Assentry knows them all. */
const most = 1_000;

/** Remembers the token in this callback address. */
export function keepSecret(client: AssentryClient, callbackUrl: string | null): void {
  if (callbackUrl === null) return;
  const tokens = secrets.get(client) ?? new Set();
  secrets.set(client, tokens.add(callbackToken(callbackUrl)));
  const [oldest] = tokens;
  if (tokens.size > most && oldest !== undefined) tokens.delete(oldest);
}

/** INVALID_INPUT at the name of each part that holds a callback address, in any spelling. */
export function refuseSecrets(client: AssentryClient, parts: Record<string, unknown>): void {
  const tokens = secrets.get(client);
  if (!tokens) return;
  const errors = callbackFaults(parts, (token) => tokens.has(token));
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}
