/** One address of the gateway as a protected resource of OAuth. */
export interface ProtectedResource {
  /** For whom tokens are issued: the address that clients call (RFC 8707). */
  resource: string;
  /** Where clients learn who issues them (RFC 9728). */
  metadata: string;
  /** What a token must allow. */
  scopes: readonly string[];
}

const wellKnown = '/.well-known/oauth-protected-resource';

/** Where the metadata of the resource at this path is. */
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

/** The challenge that names where to get a token; of one it has sent, only a fixed word of what is wrong with it. */
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
