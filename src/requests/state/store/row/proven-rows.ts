import { Prisma } from '#platform/database/generated/prisma/client';
import type { ToolCallId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { epochColumns, type Epoch } from '#platform/database/epochs';
import { latestEntry, proofColumns, proofFrom, type StoredProof } from '#audit/entries/store/entries';
import type { Ledger } from '#audit/entries/store/entries';
import { elicitationTable } from './elicitation.ts';
import { selection, type SelectedElicitation } from './selected.ts';
import { rowFrom, type ElicitationRow } from './row.ts';

/** A row with its latest log entry. */
type StoredWithProof = SelectedElicitation & StoredProof;

export const inOrder = Prisma.sql`ORDER BY e.opened_at, e.id`;

/** The only way to read rows on which code decides or delivers. */
export function createProvenRows({ query, evidence }: Ledger) {
  const select = <T extends StoredWithProof>(where: Prisma.Sql, order = Prisma.empty, more = Prisma.empty) =>
    query<T>(Prisma.sql`
      SELECT ${selection}, ${proofColumns} ${more} FROM elicitation e JOIN server s ON s.id = e.server_id
        ${latestEntry(Prisma.sql`a.elicitation_id = e.id AND a.type LIKE 'elicitation.%'`)} WHERE ${where} ${order}`);
  const openIfSound = (stored: StoredWithProof): ElicitationRow | null => {
    const columns = elicitationTable.read(stored);
    const isSound = evidence.proves(proofFrom(stored), columns.id, elicitationTable.digest(columns));
    return isSound ? rowFrom(columns, stored.serverName) : null;
  };
  const open = (stored: StoredWithProof): ElicitationRow => {
    const row = openIfSound(stored);
    if (!row) throw new Problem('unproven');
    return row;
  };
  return {
    select: (where: Prisma.Sql, order?: Prisma.Sql): Promise<StoredWithProof[]> => select(where, order),
    /** With the epochs at the moment of the statement. */
    selectNow: (where: Prisma.Sql): Promise<(StoredWithProof & Epoch)[]> =>
      select<StoredWithProof & Epoch>(where, Prisma.empty, Prisma.sql`, ${epochColumns}`),
    /** Problem `unproven` if the row does not match the log. */
    open,
    /** The rows that match the log. */
    openSound: (all: StoredWithProof[]): ElicitationRow[] => all.flatMap((stored) => openIfSound(stored) ?? []),
    /** All questions of a call, or problem `unproven`: a missing one may be the one that was declined. */
    async ofCall(id: ToolCallId): Promise<ElicitationRow[]> {
      const where = Prisma.sql`e.tool_call_id = ${id}`;
      const rows = await select<StoredWithProof & { questions: number }>(where, inOrder, questionsInCall);
      if (rows.some(({ questions }) => questions !== rows.length)) {
        evidence.report(id);
        throw new Problem('unproven');
      }
      return rows.map(open);
    },
  };
}

export type ProvenRows = ReturnType<typeof createProvenRows>;

/** How many questions the call has asked, from the log. */
const questionsInCall = Prisma.sql`, (
  SELECT count(*)::int FROM audit_entry o WHERE o.subject_id = e.tool_call_id AND o.type = 'elicitation.opened') AS questions`;
