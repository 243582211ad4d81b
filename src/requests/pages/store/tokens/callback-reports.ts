import type { AuditEntry } from '#audit/entries/rules/entry';
import type { ElicitationId } from '#platform/model/id';
import { Prisma } from '#platform/database/generated/prisma/client';
import { changeWithEntry, type Ledger } from '#audit/entries/store/entries';
import { moment } from '#platform/database/sql';

/** What a service reported on a request and was not taken, sealed under the request's key. */
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
  /** Those of one request, oldest first. */
  of: (elicitation: ElicitationId): Promise<Pick<UntakenReport, 'body' | 'isLate'>[]> =>
    prisma.$queryRaw`
      SELECT body, is_late AS "isLate" FROM callback_report WHERE elicitation_id = ${elicitation} ORDER BY at`,
  /** The requests on which some came since then that no call got, once for each kind. */
  untaken: (since: number): Promise<UntakenOn[]> =>
    prisma.$queryRaw`
      SELECT DISTINCT e.id AS elicitation, e.tool, s.name AS "serverName", r.is_late AS "isLate"
        FROM callback_report r JOIN elicitation e ON e.id = r.elicitation_id JOIN server s ON s.id = e.server_id
       WHERE r.at > ${moment(since)} AND ${isUntaken}`,
  /** How many came since then on requests that did not end with an accept, and when the first of them did. */
  async lost(since: number): Promise<{ reports: number; first: number | null }> {
    const [lost] = await prisma.$queryRaw<{ reports: number; first: Date | null }[]>`
      SELECT count(*)::int AS reports, min(r.at) AS first
        FROM callback_report r JOIN elicitation e ON e.id = r.elicitation_id
       WHERE r.at > ${moment(since)} AND ${isUntaken}`;
    return { reports: lost?.reports ?? 0, first: lost?.first?.getTime() ?? null };
  },
});
