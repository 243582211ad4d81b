import type { Identity } from '#platform/model/identity';
import { Problem } from '#platform/model/problem';

/**
 * Who an access token of this server's callers was issued to. Null if the server has no issuer configured, or the token
 * is no longer valid: then only the server's word is known. Problems: `INVALID_INPUT` if it was not issued by that
 * issuer for this server, `unavailable` if that cannot be found out now.
 */
export type ReadToken = (server: string, token: string) => Promise<Required<Identity> | null>;

/** Every fault of a token gets the same answer. */
export const refuseToken = (cause?: unknown): Problem => {
  const message = 'Send the access token of this requester, issued for this server by its issuer.';
  return new Problem('INVALID_INPUT', { errors: [{ path: ['accessToken'], message }], cause });
};
