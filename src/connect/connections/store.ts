import { Prisma } from '#platform/database/generated/prisma/client';
import type { CredentialId, ElicitationId, ServerId, SessionId, UserId } from '#platform/model/id';
import { inBatches } from '#platform/database/database';
import { moment } from '#platform/database/sql';
import type { Ledger } from '#audit/entries/store/entries';
import { copy } from '#people/directory/store/directory-record';

/** Someone's way to a provider and back. */
export interface StoredJourney {
  stateHash: Uint8Array;
  /** Hash of the secret of the browser that left. */
  secretHash: Uint8Array;
  elicitation: ElicitationId;
  provider: string;
  /** The session that must still exist when they come back; null where a code proved the browser. */
  session: SessionId | null;
  expiresAt: number;
}

/** The tokens of a removed connection, sealed for its place. */
export interface Withdrawal {
  id: CredentialId;
  serverId: ServerId;
  userId: UserId | null;
  hash: Uint8Array;
  provider: string;
  sealed: Uint8Array;
  removedAt: number;
}

const milliseconds = (column: Prisma.Sql): Prisma.Sql => Prisma.sql`(extract(epoch FROM ${column}) * 1000)::float8`;

const withdrawalColumns = Prisma.sql`
  id, server_id AS "serverId", user_id AS "userId", hash, provider, sealed,
  ${milliseconds(Prisma.sql`removed_at`)} AS "removedAt"`;

export const createConnections = ({ prisma }: Ledger) => ({
  async begin({ elicitation, session, stateHash, secretHash, provider, expiresAt }: StoredJourney) {
    const hashes = { stateHash: copy(stateHash), secretHash: copy(secretHash) };
    const of = { elicitationId: elicitation, provider, sessionId: session, expiresAt: new Date(expiresAt) };
    await prisma.connectionAttempt.create({ data: { ...hashes, ...of } });
  },
  async find(stateHash: Uint8Array): Promise<StoredJourney | null> {
    const row = await prisma.connectionAttempt.findUnique({ where: { stateHash: copy(stateHash) } });
    return (
      row && {
        stateHash,
        secretHash: row.secretHash,
        elicitation: row.elicitationId as ElicitationId,
        provider: row.provider,
        session: row.sessionId as SessionId | null,
        expiresAt: row.expiresAt.getTime(),
      }
    );
  },
  /** Uses it up if its session, where it has one, still exists. Of several that race, one gets true. */
  async take(stateHash: Uint8Array, now: number): Promise<boolean> {
    const rows = await prisma.$queryRaw<unknown[]>`
      DELETE FROM connection_attempt a WHERE state_hash = ${copy(stateHash)} AND expires_at > ${moment(now)}
         AND (session_id IS NULL OR EXISTS (
           SELECT FROM session s WHERE s.id = a.session_id AND s.expires_at > ${moment(now)}))
      RETURNING 1 AS taken`;
    return rows.length === 1;
  },
  /** Lets one node renew the token of this version until then; false if another one does, or has. */
  async lease(id: CredentialId, version: number, { now, until }: { now: number; until: number }): Promise<boolean> {
    const leased = await prisma.$queryRaw<unknown[]>`
      UPDATE upstream_credential SET refresh_until = ${moment(until)}
       WHERE id = ${id} AND version = ${version} AND (refresh_until IS NULL OR refresh_until <= ${moment(now)})
      RETURNING 1 AS leased`;
    return leased.length === 1;
  },
  /** Stores the renewed tokens and ends the lease; false if the connection was removed or made again meanwhile. */
  async renew(
    id: CredentialId,
    version: number,
    { sealed, expiresAt }: { sealed: Uint8Array; expiresAt: number | null },
  ): Promise<boolean> {
    const { count } = await prisma.upstreamCredential.updateMany({
      where: { id, version },
      data: {
        sealed: copy(sealed),
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
        refreshUntil: null,
        version: version + 1,
      },
    });
    return count === 1;
  },
  /** Ends a lease whose renewal has failed. */
  async release(id: CredentialId, version: number) {
    await prisma.upstreamCredential.updateMany({ where: { id, version }, data: { refreshUntil: null } });
  },
  /** The next withdrawal, which no one else gets before then; null if none is due. */
  async nextWithdrawal({ now, until }: { now: number; until: number }): Promise<Withdrawal | null> {
    const [withdrawal] = await prisma.$queryRaw<Withdrawal[]>`
      UPDATE connection_withdrawal SET due_at = ${moment(until)} WHERE id = (
        SELECT id FROM connection_withdrawal WHERE due_at <= ${moment(now)} ORDER BY due_at LIMIT 1
           FOR UPDATE SKIP LOCKED)
      RETURNING ${withdrawalColumns}`;
    return withdrawal ?? null;
  },
  withdrawals: (): Promise<Withdrawal[]> => prisma.$queryRaw<Withdrawal[]>`
    SELECT ${withdrawalColumns} FROM connection_withdrawal ORDER BY id`,
  async rewrapWithdrawal(id: CredentialId, { was, now }: { was: Uint8Array; now: Uint8Array }) {
    await prisma.connectionWithdrawal.updateMany({ where: { id, sealed: copy(was) }, data: { sealed: copy(now) } });
  },
  async endWithdrawal(id: CredentialId) {
    await prisma.connectionWithdrawal.deleteMany({ where: { id } });
  },
  /** Deletes the ways that no one came back from. */
  prune: (now: number): Promise<number> =>
    inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM connection_attempt WHERE state_hash IN (
          SELECT state_hash FROM connection_attempt WHERE expires_at <= ${moment(now)} LIMIT ${max})`,
    ),
});
