import { Prisma } from '#platform/database/generated/prisma/client';
import type { Ledger } from '#audit/entries/store/entries';
import { createProvenRows, type ElicitationRow } from '../../state/store/row.ts';
import { moment } from '#platform/database/sql';

/** The latest requests of a kind, newest first, without those that do not match the log. Each read is bounded and has an index. */
export function createPastRequests(ledger: Ledger) {
  const proven = createProvenRows(ledger);
  const latest = async (where: Prisma.Sql, limit: number) =>
    proven.openSound(await proven.select(where, Prisma.sql`ORDER BY e.closed_at DESC, e.id DESC LIMIT ${limit}`));
  return {
    /** Approved ones of this tool and server that still have their content; of a closed request, those that ended before it. */
    approvedLike: (
      { tool, serverId, closedAt }: Pick<ElicitationRow, 'tool' | 'serverId' | 'closedAt'>,
      limit: number,
    ): Promise<ElicitationRow[]> =>
      latest(
        Prisma.sql`e.tool = ${tool} AND e.server_id = ${serverId} AND e.status = 'accepted' AND e.data_key IS NOT NULL
          AND e.closed_at IS NOT NULL ${closedAt === null ? Prisma.empty : Prisma.sql`AND e.closed_at < ${moment(closedAt)}`}`,
        limit,
      ),
    endedOfTool: (
      { tool, serverId }: Pick<ElicitationRow, 'tool' | 'serverId'>,
      limit: number,
    ): Promise<ElicitationRow[]> =>
      latest(Prisma.sql`e.tool = ${tool} AND e.server_id = ${serverId} AND e.closed_at IS NOT NULL`, limit),
    endedOfRequester: (hash: Uint8Array, limit: number): Promise<ElicitationRow[]> =>
      latest(Prisma.sql`e.requester_hash = ${hash} AND e.closed_at IS NOT NULL`, limit),
    /** Requests of one requester, open or ended, opened between these moments; the oldest first. */
    async openedBetween(hash: Uint8Array, from: number, until: number, limit: number): Promise<ElicitationRow[]> {
      const isBetween = Prisma.sql`e.requester_hash = ${hash}
        AND e.opened_at >= ${moment(from)} AND e.opened_at <= ${moment(until)}`;
      // Requests opened after a moment also ended after it, so that an index bounds both reads.
      const [open, ended] = await Promise.all([
        proven.select(
          Prisma.sql`${isBetween} AND e.status = 'open'`,
          Prisma.sql`ORDER BY e.opened_at, e.id LIMIT ${limit}`,
        ),
        proven.select(
          Prisma.sql`${isBetween} AND e.closed_at >= ${moment(from)}`,
          Prisma.sql`ORDER BY e.closed_at, e.id LIMIT ${limit}`,
        ),
      ]);
      return proven.openSound([...open, ...ended]).sort((first, other) => first.openedAt - other.openedAt);
    },
  };
}
