import { auditEntry, type AuditEntry } from '#audit/entries/rules/entry/entry';
import { newId } from '#platform/crypto/random/random';
import type { SessionId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import { providerOf, type FederationEngine } from '../sign-in/begin-attempt.ts';

/** Ends the sessions that a provider says have ended, once for each notice; problem `token-invalid` for any other text. */
export async function takeLogoutToken(engine: FederationEngine, key: string, token: string): Promise<void> {
  const notice = await providerOf(engine, key).readLogoutToken(token);
  if (!(await engine.federation.endProviderSessions(notice, endedBy(engine, notice.issuer))))
    throw new Problem('token-invalid');
}

/** The same by the name of the provider's session, which only the provider and its browser have. */
export async function takeFrontLogout(
  engine: FederationEngine,
  key: string,
  { iss, sid }: { iss: string; sid: string },
): Promise<void> {
  const { issuer } = providerOf(engine, key).settings;
  if (iss !== issuer) throw new Problem('token-invalid');
  await engine.federation.endProviderSessions({ issuer, subject: null, sid, once: null }, endedBy(engine, issuer));
}

const endedBy =
  ({ now }: FederationEngine, provider: string) =>
  (user: UserId, sessions: SessionId[]): AuditEntry =>
    auditEntry(newId('entry'), now(), { kind: 'provider', provider }, { type: 'user.sessions-ended', user, sessions });
