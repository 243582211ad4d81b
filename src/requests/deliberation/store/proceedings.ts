import type { ElicitationId, RemarkId, UserId } from '#platform/model/id';
import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import { changeWithEntry, type Ledger } from '#audit/entries/store/entries';
import { breakGlassTable, lookBackTable, type RemarkKind } from './tables.ts';
import { breakGlassDigest, lookBackDigest } from '../../state/store/row.ts';

export interface StoredRemark {
  id: RemarkId;
  kind: RemarkKind;
  userId: UserId | null;
  replyTo: RemarkId | null;
  body: Uint8Array;
  at: number;
}

export interface StoredRevision {
  revision: number;
  digest: string;
  policy: string;
  payload: Uint8Array;
  userId: UserId;
  at: number;
}

export interface StoredBreakGlass {
  userId: UserId;
  reason: Uint8Array;
  at: number;
  reviewDueAt: number;
  review: { reviewerId: UserId; at: number; finding: Uint8Array } | null;
}

/** An allowed request that was drawn for a later look. */
export interface StoredLookBack {
  at: number;
  review: StoredBreakGlass['review'];
}

export interface ListedLookBack {
  elicitation: ElicitationId;
  server: string;
  tool: string;
  policy: string;
  at: number;
  reviewedAt: number | null;
}

interface ListedBreakGlass {
  elicitation: ElicitationId;
  server: string;
  tool: string;
  userId: UserId;
  at: number;
  reviewDueAt: number;
  reviewedAt: number | null;
}

/** Actions on one elicitation other than voting, oldest first. */
export function createProceedings(ledger: Ledger) {
  const { prisma, evidence } = ledger;
  return {
    async remarks(elicitationId: ElicitationId): Promise<StoredRemark[]> {
      const rows = await prisma.remark.findMany({ where: { elicitationId }, orderBy: [{ at: 'asc' }, { id: 'asc' }] });
      return rows.map(({ id, kind, userId, replyTo, body, at }) => ({
        id: id as RemarkId,
        kind: kind as RemarkKind,
        userId: userId as UserId | null,
        replyTo: replyTo as RemarkId | null,
        body,
        at: at.getTime(),
      }));
    },
    /** The questions that edits replaced. */
    async revisions(elicitationId: ElicitationId): Promise<StoredRevision[]> {
      const rows = await prisma.revision.findMany({ where: { elicitationId }, orderBy: { revision: 'asc' } });
      return rows.map(({ elicitationId: _same, at, userId, ...rest }) => ({
        ...rest,
        userId: userId as UserId,
        at: at.getTime(),
      }));
    },
    async breakGlass(elicitationId: ElicitationId): Promise<StoredBreakGlass | null> {
      const row = await prisma.breakGlass.findUnique({ where: { elicitationId } });
      return row && toBreakGlass(row);
    },
    /** Overrides without a review first; at most 200. */
    listBreakGlass: async (): Promise<ListedBreakGlass[]> => {
      const rows = await prisma.$queryRaw<ListedRow[]>`
        SELECT b.elicitation_id, s.name AS server, e.tool, b.user_id, b.at, b.review_due_at, b.reviewed_at
          FROM break_glass b JOIN elicitation e ON e.id = b.elicitation_id JOIN server s ON s.id = e.server_id
         ORDER BY b.reviewed_at IS NOT NULL, b.at, b.elicitation_id LIMIT 200`;
      return rows.map(toListed);
    },
    /** Stores nothing and returns false if someone else was first. */
    async reviewBreakGlass(
      id: ElicitationId,
      broken: StoredBreakGlass,
      review: { reviewerId: UserId; at: number; finding: Uint8Array },
      entry: AuditEntry,
    ): Promise<boolean> {
      const { review: _none, ...override } = broken;
      const next = { elicitationId: id, ...override, ...reviewedBy(review) };
      const sealed = evidence.seal(entry, breakGlassDigest(next));
      const change = Prisma.sql`
        UPDATE break_glass SET ${breakGlassTable.set(next, 'reviewerId', 'reviewedAt', 'finding')}
         WHERE elicitation_id = ${id} AND reviewed_at IS NULL RETURNING elicitation_id`;
      return changeWithEntry(prisma, change, sealed);
    },
    ...lookBacksIn(ledger),
  };
}

const lookBacksIn = ({ prisma, evidence }: Ledger) => ({
  async lookBack(elicitationId: ElicitationId): Promise<StoredLookBack | null> {
    const row = await prisma.lookBack.findUnique({ where: { elicitationId } });
    return row && { at: row.at.getTime(), review: toReview(row) };
  },
  /** Unreviewed requests first, then the newest; at most 200, and none whose content was erased. */
  listLookBacks: (): Promise<ListedLookBack[]> => prisma.$queryRaw<ListedLookBack[]>`
    SELECT l.elicitation_id AS elicitation, s.name AS server, e.tool, e.policy, ${inMilliseconds('l.at')} AS at,
           ${inMilliseconds('l.reviewed_at')} AS "reviewedAt"
      FROM look_back l JOIN elicitation e ON e.id = l.elicitation_id JOIN server s ON s.id = e.server_id
     WHERE e.data_key IS NOT NULL
     ORDER BY l.reviewed_at IS NOT NULL, l.at DESC, l.elicitation_id LIMIT 200`,
  /** Stores nothing and returns false if someone else was first. */
  async reviewLookBack(
    id: ElicitationId,
    drawn: StoredLookBack,
    review: { reviewerId: UserId; at: number; finding: Uint8Array },
    entry: AuditEntry,
  ): Promise<boolean> {
    const next = { elicitationId: id, at: drawn.at, ...reviewedBy(review) };
    const sealed = evidence.seal(entry, lookBackDigest(next));
    const change = Prisma.sql`
      UPDATE look_back SET ${lookBackTable.set(next, 'reviewerId', 'reviewedAt', 'finding')}
       WHERE elicitation_id = ${id} AND reviewed_at IS NULL RETURNING elicitation_id`;
    return changeWithEntry(prisma, change, sealed);
  },
});

interface ListedRow {
  elicitation_id: ElicitationId;
  server: string;
  tool: string;
  user_id: UserId;
  at: Date;
  review_due_at: Date;
  reviewed_at: Date | null;
}

const toListed = (row: ListedRow): ListedBreakGlass => ({
  elicitation: row.elicitation_id,
  server: row.server,
  tool: row.tool,
  userId: row.user_id,
  at: row.at.getTime(),
  reviewDueAt: row.review_due_at.getTime(),
  reviewedAt: row.reviewed_at?.getTime() ?? null,
});

/** The columns of a review. */
const reviewedBy = ({ reviewerId, at, finding }: NonNullable<StoredBreakGlass['review']>) => ({
  reviewerId,
  reviewedAt: at,
  finding,
});

interface BreakGlassRow {
  userId: string;
  reason: Uint8Array;
  at: Date;
  reviewDueAt: Date;
  reviewerId: string | null;
  reviewedAt: Date | null;
  finding: Uint8Array | null;
}

const toBreakGlass = (row: BreakGlassRow): StoredBreakGlass => ({
  userId: row.userId as UserId,
  reason: row.reason,
  at: row.at.getTime(),
  reviewDueAt: row.reviewDueAt.getTime(),
  review: toReview(row),
});

function toReview({
  reviewerId,
  reviewedAt,
  finding,
}: Pick<BreakGlassRow, 'reviewerId' | 'reviewedAt' | 'finding'>): StoredBreakGlass['review'] {
  const isReviewed = reviewerId !== null && reviewedAt !== null && finding !== null;
  return isReviewed ? { reviewerId: reviewerId as UserId, at: reviewedAt.getTime(), finding } : null;
}

const inMilliseconds = (time: string): Prisma.Sql => Prisma.raw(`round(extract(epoch FROM ${time}) * 1000)::float8`);
