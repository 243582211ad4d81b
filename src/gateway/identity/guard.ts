import { errorOf, rpcCodes, rpcError, type RpcError } from '../frames/frame.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { tokenCheck, type CheckedToken, type TokenSource } from '#platform/bearer/tokens';
import { faultOfSubject } from '#platform/model/identity';
import { Problem } from '#platform/model/problem';
import { localPrincipal, type Caller } from './caller.ts';

/** One address of the gateway as a protected resource of OAuth. */
interface ProtectedResource {
  /** Audience of tokens: the address that clients call (RFC 8707). */
  resource: string;
  /** Address at which clients learn who issues tokens (RFC 9728). */
  metadata: string;
  /** Scopes that a token must have. */
  scopes: readonly string[];
}

const wellKnown = '/.well-known/oauth-protected-resource';

/** Path of the metadata of the resource at this path. */
export const metadataPath = (path: string): string => wellKnown + path;

export const resourceAt = (origin: string, path: string, scopes: readonly string[] = []): ProtectedResource => ({
  resource: origin + path,
  metadata: origin + metadataPath(path),
  scopes,
});

/** The metadata of RFC 9728, by which clients find the authorization server and register there. */
export const metadataOf = ({ resource, scopes }: ProtectedResource, issuer: string): object => ({
  resource,
  authorization_servers: [issuer],
  bearer_methods_supported: ['header'],
  ...(scopes.length > 0 && { scopes_supported: scopes }),
});

/** The challenge that names where to get a token; for a sent token, it adds one fixed word about its fault. */
export function challengeOf(
  { metadata, scopes }: ProtectedResource,
  error: 'invalid_token' | 'insufficient_scope' | null,
): string {
  const facts = [
    ['error', error],
    ['scope', scopes.join(' ')],
    ['resource_metadata', metadata],
  ] as const;
  return `Bearer ${facts.flatMap(([name, value]) => (value ? [`${name}="${value}"`] : [])).join(', ')}`;
}

/** The caller, or the refusal to answer with. */
type Admission = { caller: Caller } | Refusal;

interface Refusal {
  status: number;
  headers: Record<string, string>;
  error: RpcError;
}

/** Identifies the sender of a request by its headers. Never rejects. */
export type Guard = (headers: IncomingHttpHeaders) => Promise<Admission>;

/** Without an authorization server, everyone who can reach the gateway is the user who runs it. */
export const localGuard: Guard = async () => ({ caller: { principal: localPrincipal(), token: null } });

/** Admits callers with a token of this source for this resource; tells all others where to get one. */
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

/** Admits the token's subject; a subject that Assentry could not name proves no one. */
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
