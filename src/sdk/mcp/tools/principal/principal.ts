import { codePoint } from '#platform/text/hidden-characters';
import { maxSubjectLength } from '#platform/model/identity';
import type { CallAuthorization } from '../../question/call/incoming-call.ts';

/** Who the caller is, as far as this server has established. */
export interface Principal {
  /** An identifier of printable ASCII, like a subject of OpenID Connect; an email address must be alone. */
  subject: string;
  /** The `iss` of the access token. */
  issuer?: string | undefined;
  /** True only if issuer and subject come from a validated access token. */
  verified: boolean;
}

/** The author's own statement about the caller; a bare subject is unverified. */
export type PrincipalOption<Context> = (context: Context) => string | Principal;

interface PrincipalFacts {
  authInfo?: { clientId: string; extra?: Record<string, unknown> } | undefined;
  clientName?: string | undefined;
}

/**
 * Issuer and subject of the access token, from the server's own check in `extra`. Without a subject only the client is
 * known, and a client is not a person: its name proves nothing, and all callers of one client count as one principal
 * and join each other's equal calls.
 */
export function identifyCaller({ authInfo, clientName }: PrincipalFacts): Principal {
  const { sub, iss } = authInfo?.extra ?? {};
  if (typeof sub !== 'string' || sub === '')
    return { subject: plainSubject('client', authInfo?.clientId ?? clientName ?? 'unknown'), verified: false };
  return { subject: sub, ...(typeof iss === 'string' && { issuer: iss }), verified: true };
}

/** The known fields of the author's result; others are dropped. */
export function readPrincipal(caller: string | Principal): Principal {
  if (typeof caller === 'string') return { subject: caller, verified: false };
  const { subject, issuer, verified } = caller;
  return { subject, ...(issuer !== undefined && { issuer }), verified };
}

/** A subject for a name that may be anything: plain text of this kind, and no address. */
export const plainSubject = (kind: 'client' | 'local', name: string): string =>
  `${kind}:${name.trim().replaceAll(/[^!#-'*-;=?A-~ ]| (?= )/gu, (character) => `{${codePoint(character)}}`)}`
    .slice(0, maxSubjectLength)
    .trimEnd();

/** The token itself, for the orchestrator alone and only if the author lets it be sent. */
export const tokenToSend = (
  { sendAccessToken }: { sendAccessToken: boolean },
  authInfo: { token: string } | undefined,
): { accessToken?: string } => (sendAccessToken && authInfo ? { accessToken: authInfo.token } : {});

/** Facts from the caller's access token; never the token itself. */
export function authorizationOf(authInfo: CallAuthorization | undefined): CallAuthorization | undefined {
  if (!authInfo) return undefined;
  const { clientId, scopes, extra } = authInfo;
  return { clientId, scopes: [...scopes], extra };
}
