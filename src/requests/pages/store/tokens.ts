import type { ElicitationId, ServerId } from '#platform/model/id';
import { type Database, inBatches } from '#platform/database/database';
import type { AuditEntry } from '#audit/entries/rules/entry';
import { Prisma } from '#platform/database/generated/prisma/client';
import { changeWithEntry, type Ledger } from '#audit/entries/store/entries';
import { moment } from '#platform/database/sql';

interface StoredToken {
  serverId: ServerId;
  /** Null until its question is asked. */
  elicitationId: ElicitationId | null;
}

interface Joining {
  opening: ElicitationId;
  joined: ElicitationId;
  serverId: ServerId;
  expiresAt: number;
}

/** Tokens made before their elicitation, found by the hash of their nonce. */
export const createTokens = ({ prisma }: Pick<Database, 'prisma'>) => ({
  async add({ nonceHash, serverId, expiresAt }: { nonceHash: Uint8Array; serverId: ServerId; expiresAt: number }) {
    await prisma.token.create({ data: { nonceHash: copy(nonceHash), serverId, expiresAt: new Date(expiresAt) } });
  },
  async find(nonceHash: Uint8Array): Promise<StoredToken | null> {
    const row = await prisma.token.findUnique({ where: { nonceHash: copy(nonceHash) } });
    if (!row) return null;
    return { serverId: row.serverId as ServerId, elicitationId: row.elicitationId as ElicitationId | null };
  },
  /** Binds it to this elicitation permanently, and keeps it until then. If several race for different ones, one gets true. */
  async bind(nonceHash: Uint8Array, elicitation: ElicitationId, until: number): Promise<boolean> {
    const bound = await prisma.$queryRaw<unknown[]>`
      UPDATE token SET elicitation_id = ${elicitation}, expires_at = greatest(expires_at, ${new Date(until)})
       WHERE nonce_hash = ${copy(nonceHash)} AND (elicitation_id IS NULL OR elicitation_id = ${elicitation})
      RETURNING 1 AS bound`;
    return bound.length === 1;
  },
  /** Remembers that the opening that would have become one request joined another; what is remembered stays. */
  async addJoining({ opening, joined, serverId, expiresAt }: Joining) {
    const nonceHash = copy(Buffer.from(opening));
    const data = { nonceHash, serverId, elicitationId: joined, expiresAt: new Date(expiresAt) };
    await prisma.token.createMany({ data, skipDuplicates: true });
  },
  /** The request that this opening joined instead of becoming one; null if it is not remembered. */
  async joinedBy(opening: ElicitationId): Promise<ElicitationId | null> {
    const row = await prisma.token.findUnique({ where: { nonceHash: copy(Buffer.from(opening)) } });
    return (row?.elicitationId ?? null) as ElicitationId | null;
  },
  /** Deletes it. If several race, one gets true. */
  async take(nonceHash: Uint8Array): Promise<boolean> {
    const { count } = await prisma.token.deleteMany({ where: { nonceHash: copy(nonceHash) } });
    return count === 1;
  },
  /** Deletes those that expired before this time; what is bound to an open request stays. */
  prune: (before: number): Promise<number> =>
    inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM token WHERE nonce_hash IN (
          SELECT nonce_hash FROM token t WHERE expires_at < ${new Date(before)} AND NOT EXISTS (
            SELECT FROM elicitation e WHERE e.id = t.elicitation_id AND e.closed_at IS NULL)
           ORDER BY expires_at LIMIT ${max})`,
    ),
});

/** Prisma needs bytes with a separate ArrayBuffer. */
const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);

/** A service's report on a request that was not taken, sealed under the request's key. */
interface UntakenReport {
  elicitation: ElicitationId;
  /** The keyed hash of what it says: the same again is one report. */
  hash: Uint8Array;
  /** The request had ended. */
  isLate: boolean;
  body: Uint8Array;
  at: number;
}

/** A request on which a service reported what no call got. */
interface UntakenOn {
  elicitation: ElicitationId;
  tool: string;
  serverName: string;
  isLate: boolean;
}

/** It came late, or no later one that fits was taken. */
const isUntaken = Prisma.sql`(r.is_late OR e.status <> 'accepted')`;

/** Reports that are kept of one request; more change nothing. */
const most = 20;

export const createCallbackReports = ({ prisma, evidence }: Ledger) => ({
  /** Keeps a report with its entry, in one statement; false if the same one is kept, or too many are. */
  add({ elicitation, hash, isLate, body, at }: UntakenReport, entry: AuditEntry): Promise<boolean> {
    const change = Prisma.sql`
      INSERT INTO callback_report (elicitation_id, report_hash, is_late, body, at)
      SELECT ${elicitation}, ${hash}, ${isLate}, ${body}, ${moment(at)}
       WHERE (SELECT count(*) FROM callback_report WHERE elicitation_id = ${elicitation}) < ${most}
      ON CONFLICT DO NOTHING
      RETURNING 1`;
    return changeWithEntry(prisma, change, evidence.seal(entry, {}));
  },
  /** Reports on one request, oldest first. */
  of: (elicitation: ElicitationId): Promise<Pick<UntakenReport, 'body' | 'isLate'>[]> =>
    prisma.$queryRaw`
      SELECT body, is_late AS "isLate" FROM callback_report WHERE elicitation_id = ${elicitation} ORDER BY at`,
  /** The requests on which some came since then that no call got, once for each kind. */
  untaken: (since: number): Promise<UntakenOn[]> =>
    prisma.$queryRaw`
      SELECT DISTINCT e.id AS elicitation, e.tool, s.name AS "serverName", r.is_late AS "isLate"
        FROM callback_report r JOIN elicitation e ON e.id = r.elicitation_id JOIN server s ON s.id = e.server_id
       WHERE r.at > ${moment(since)} AND ${isUntaken}`,
  /** Number of reports since then on requests that did not end with an accept, and the time of the first. */
  async lost(since: number): Promise<{ reports: number; first: number | null }> {
    const [lost] = await prisma.$queryRaw<{ reports: number; first: Date | null }[]>`
      SELECT count(*)::int AS reports, min(r.at) AS first
        FROM callback_report r JOIN elicitation e ON e.id = r.elicitation_id
       WHERE r.at > ${moment(since)} AND ${isUntaken}`;
    return { reports: lost?.reports ?? 0, first: lost?.first?.getTime() ?? null };
  },
});
