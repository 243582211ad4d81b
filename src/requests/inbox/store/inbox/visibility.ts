import type { ElicitationId, UserId } from '#platform/model/id';
import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { RowOf } from '#platform/database/sql';
import { entryJson, insertEntries, type Ledger } from '#audit/entries/store/entries';
import { lookTable } from '../../../deliberation/store/tables.ts';
import { lookDigest } from '../../../state/store/row/row-digests.ts';
import { moment } from '#platform/database/sql';

/** What is stored about one person and one request. */
interface StoredVisibility {
  owns: boolean;
  tookPart: boolean;
  looked: boolean;
  mayBreakGlass: boolean;
}

/** One reading of a request by an administrator or reviewer, with their sealed reason. */
type NewLook = RowOf<typeof lookTable.columns>;

export const createVisibility = ({ prisma, evidence }: Ledger) => ({
  /** For each existing request; a reading counts if it is later than `since`. */
  async read(user: UserId, ids: ElicitationId[], since: number): Promise<Map<ElicitationId, StoredVisibility>> {
    const rows = await prisma.$queryRaw<(StoredVisibility & { id: ElicitationId })[]>`
      SELECT e.id, s.owner_id IS NOT DISTINCT FROM a.id AS owns, a.may_break_glass AS "mayBreakGlass",
        EXISTS (SELECT FROM vote v WHERE v.elicitation_id = e.id AND a.id IN (v.user_id, v.for_id))
          OR EXISTS (SELECT FROM revision r WHERE r.elicitation_id = e.id AND r.user_id = a.id) AS "tookPart",
        EXISTS (SELECT FROM look l WHERE l.elicitation_id = e.id AND l.user_id = a.id
          AND l.at > ${moment(since)}) AS looked
        FROM elicitation e JOIN server s ON s.id = e.server_id JOIN app_user a ON a.id = ${user}
       WHERE e.id = ANY(${ids}::text[])`;
    return new Map(rows.map(({ id, ...visibility }) => [id, visibility]));
  },
  async addLook(look: NewLook, entry: AuditEntry) {
    const sealed = evidence.seal(entry, lookDigest(look));
    await prisma.$executeRaw`
      WITH added AS (
        ${lookTable.insertion(look)}
        ON CONFLICT DO NOTHING RETURNING at
      ) ${insertEntries(Prisma.sql`added`, entryJson([sealed]))}`;
  },
});
