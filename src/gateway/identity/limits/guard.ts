import type { IncomingHttpHeaders } from 'node:http';
import { tokenCheck } from '#platform/bearer/tokens/check-token';
import type { CheckedToken, TokenSource } from '#platform/bearer/tokens/token-source';
import { faultOfSubject } from '#platform/model/identity';
import { Problem } from '#platform/model/problem/problem';
import { errorOf, rpcCodes, rpcError, type RpcError } from '../../frames/frame/frame.ts';
import { challengeOf, type ProtectedResource } from './protected-resource.ts';
import { localPrincipal, type Caller } from '../caller.ts';

/** The caller, or the refusal to answer with. */
type Admission = { caller: Caller } | Refusal;

interface Refusal {
  status: number;
  headers: Record<string, string>;
  error: RpcError;
}

/** Says who sends a request with these headers. Never rejects. */
export type Guard = (headers: IncomingHttpHeaders) => Promise<Admission>;

/** Without an authorization server, everyone who can reach the gateway is the user who runs it. */
export const localGuard: Guard = async () => ({ caller: { principal: localPrincipal(), token: null } });

/** Lets in who has a token of this source for this resource; everyone else is told where to get one. */
export function tokenGuard(source: TokenSource, resource: ProtectedResource, now: () => number): Guard {
  const check = tokenCheck(source, now);
  return async ({ authorization }) => {
    const [, token] = bearer.exec(authorization ?? '') ?? [];
    if (token === undefined) return refuse(resource, authorization === undefined ? null : 'invalid_token');
    try {
      return admit(resource, token, await check(token));
    } catch (error) {
      return { status: error instanceof Problem ? 503 : 500, headers: {}, error: errorOf(error) };
    }
  };
}

/** RFC 6750, section 2.1. */
const bearer = /^Bearer +([\w.~+/-]+=*)$/i;

/** A token of someone whom Assentry could not name proves no one. */
function admit(resource: ProtectedResource, token: string, checked: CheckedToken): Admission {
  if (checked.state !== 'valid' || faultOfSubject(checked.subject) !== null) return refuse(resource, 'invalid_token');
  const { issuer, subject, scopes } = checked;
  if (!resource.scopes.every((scope) => scopes.includes(scope))) return refuse(resource, 'insufficient_scope');
  return { caller: { principal: { issuer, subject, verified: true }, token } };
}

const refuse = (resource: ProtectedResource, error: Parameters<typeof challengeOf>[1]): Refusal => ({
  status: error === 'insufficient_scope' ? 403 : 401,
  headers: { 'www-authenticate': challengeOf(resource, error) },
  error: unauthenticated,
});

const unauthenticated = rpcError(
  rpcCodes.invalidRequest,
  'unauthenticated',
  'Get an access token for this address from its authorization server, and send it.',
);
