import type { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { SessionId, UserId } from '#platform/model/id';
import type { LogoutNotice } from './contract/identity-provider.ts';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { inBatches } from '#platform/database/database';
import { copy } from '#people/directory/store/directory-record';

/** A person's identity at a provider. Times are milliseconds since 1970. */
export interface StoredIdentity {
  issuer: string;
  subject: string;
  userId: UserId;
  createdAt: number;
  lastUsedAt: number | null;
}

const attemptPurposes = ['sign-in', 'confirm', 'connect'] as const;
export type AttemptPurpose = (typeof attemptPurposes)[number];

/** A sign-in at a provider that has begun. */
export interface StoredAttempt {
  hash: Uint8Array;
  /** The key of the provider. */
  provider: string;
  purpose: AttemptPurpose;
  /** The session that is proven again, or whose person connects the provider. */
  sessionId: SessionId | null;
  returnTo: string;
  createdAt: number;
  expiresAt: number;
}

/** Identities, sign-in attempts and logouts of identity providers. */
export const createFederation = ({ prisma, evidence }: Ledger) => ({
  /** The person of an identity; `isDisabled` if they may not sign in. Null for no one. */
  async identity({
    issuer,
    subject,
  }: Pick<StoredIdentity, 'issuer' | 'subject'>): Promise<{ userId: UserId; isDisabled: boolean } | null> {
    const where = { issuer_subject: { issuer, subject } };
    const row = await prisma.federatedIdentity.findUnique({
      where,
      include: { user: { select: { disabledAt: true } } },
    });
    return row && { userId: row.userId as UserId, isDisabled: row.user.disabledAt !== null };
  },
  /** Identities of one person, the oldest first. */
  async identitiesOf(userId: UserId): Promise<StoredIdentity[]> {
    const rows = await prisma.federatedIdentity.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } });
    return rows.map((row) => ({
      issuer: row.issuer,
      subject: row.subject,
      userId: row.userId as UserId,
      createdAt: row.createdAt.getTime(),
      lastUsedAt: row.lastUsedAt?.getTime() ?? null,
    }));
  },
  /** Notes the sign-in's value of the claim by which SCIM identifies people. */
  async noteClaim({ issuer, subject }: Pick<StoredIdentity, 'issuer' | 'subject'>, scimClaim: string) {
    // The directory in memory reads a person again only if their row was written.
    await prisma.$executeRaw`
      WITH noted AS (
        UPDATE federated_identity SET scim_claim = ${scimClaim}
         WHERE issuer = ${issuer} AND subject = ${subject} AND scim_claim IS DISTINCT FROM ${scimClaim}
        RETURNING user_id)
      UPDATE app_user SET email = email WHERE id = (SELECT user_id FROM noted)`;
  },
  async beginAttempt({ hash, createdAt, expiresAt, ...attempt }: StoredAttempt) {
    const times = { createdAt: new Date(createdAt), expiresAt: new Date(expiresAt) };
    await prisma.signInAttempt.create({ data: { hash: copy(hash), ...attempt, ...times } });
  },
  /** Uses it up; of several who race, one gets it. Null if there is none, or it is too old. */
  async takeAttempt(hash: Uint8Array, now: number): Promise<StoredAttempt | null> {
    const [row] = await prisma.$queryRaw<AttemptRow[]>`
      DELETE FROM sign_in_attempt WHERE hash = ${copy(hash)} AND expires_at > ${new Date(now)}
      RETURNING provider, purpose, session_id, return_to, created_at, expires_at`;
    return row
      ? {
          hash,
          provider: row.provider,
          purpose: row.purpose,
          sessionId: row.session_id,
          returnTo: row.return_to,
          createdAt: row.created_at.getTime(),
          expiresAt: row.expires_at.getTime(),
        }
      : null;
  },
  /**
   * Ends the sessions that a provider has ended, with an entry for each person. False, and nothing is done, if the notice
   * has come before.
   */
  endProviderSessions: (
    notice: LogoutNotice,
    entryOf: (user: UserId, ended: SessionId[]) => AuditEntry,
  ): Promise<boolean> => prisma.$transaction((tx) => endSessions(tx, evidence, notice, entryOf)),
  prune: (now: number) => prune(prisma, new Date(now)),
});

/** Within the transaction that stores the notice. */
async function endSessions(
  tx: Prisma.TransactionClient,
  evidence: Ledger['evidence'],
  { issuer, subject, sid, once }: LogoutNotice,
  entryOf: (user: UserId, ended: SessionId[]) => AuditEntry,
): Promise<boolean> {
  if (once) {
    const data = [{ issuer, id: once.id, expiresAt: new Date(once.until) }];
    const { count } = await tx.logoutNotice.createMany({ data, skipDuplicates: true });
    if (count === 0) return false;
  }
  // A session without a sid may be the one that ended, so it ends.
  const where = {
    providerIssuer: issuer,
    ...(subject !== null && { providerSubject: subject }),
    ...(sid !== null &&
      (subject === null ? { providerSid: sid } : { OR: [{ providerSid: sid }, { providerSid: null }] })),
  };
  const ended = await tx.session.findMany({ where, select: { id: true, userId: true }, orderBy: { id: 'asc' } });
  await tx.session.deleteMany({ where: { id: { in: ended.map((session) => session.id) } } });
  for (const user of new Set(ended.map(({ userId }) => userId))) {
    const ids = ended.filter(({ userId }) => userId === user).map((session) => session.id as SessionId);
    await insertEntry(tx, evidence.seal(entryOf(user as UserId, ids), {}));
  }
  return true;
}

async function prune(prisma: Ledger['prisma'], at: Date): Promise<void> {
  await inBatches(
    (max) => prisma.$executeRaw`
        DELETE FROM sign_in_attempt WHERE hash IN (
          SELECT hash FROM sign_in_attempt WHERE expires_at <= ${at} LIMIT ${max})`,
  );
  await inBatches(
    (max) => prisma.$executeRaw`
        DELETE FROM logout_notice WHERE (issuer, id) IN (
          SELECT issuer, id FROM logout_notice WHERE expires_at <= ${at} LIMIT ${max})`,
  );
}

interface AttemptRow {
  provider: string;
  purpose: AttemptPurpose;
  session_id: SessionId | null;
  return_to: string;
  created_at: Date;
  expires_at: Date;
}
