import type { CallAuthorization } from '../question/incoming-call.ts';

/** Who the caller is, as far as this server knows. */
export interface Principal {
  subject: string;
  /** True only where the subject comes from a validated access token. */
  verified: boolean;
}

/** The author's own word on who calls; a bare subject is unverified. */
export type PrincipalOption<Context> = (context: Context) => string | Principal;

export interface PrincipalFacts {
  authInfo?: { clientId: string; extra?: Record<string, unknown> } | undefined;
  clientName?: string | undefined;
}

/**
 * The subject of the access token where there is one; else the client's own name, which proves nothing:
 * without authorization all callers by one client count as one principal, and join each other's equal calls.
 */
export function identifyCaller({ authInfo, clientName }: PrincipalFacts): Principal {
  if (!authInfo) return { subject: `client:${clientName ?? 'unknown'}`, verified: false };
  const subject = authInfo.extra?.['sub'];
  return { subject: typeof subject === 'string' && subject !== '' ? subject : authInfo.clientId, verified: true };
}

/** What is known of the caller's access token; never the token itself. */
export function authorizationOf(authInfo: CallAuthorization | undefined): CallAuthorization | undefined {
  if (!authInfo) return undefined;
  const { clientId, scopes, extra } = authInfo;
  return { clientId, scopes: [...scopes], extra };
}
