import { Prisma } from '#platform/database/generated/prisma/client';
import { elicitationTable } from './elicitation.ts';
import { rowFrom, type ElicitationRow } from './row.ts';

/** What every reading statement selects, from `elicitation e JOIN server s`. */
export const selection = Prisma.sql`${elicitationTable.selection('e')}, s.name AS "serverName"`;

/** A row of such a statement. Only the transactor writes it, so the types of its columns are assumed. */
export interface SelectedElicitation {
  id: ElicitationRow['id'];
  serverName: string;
}

export const openSelected = (selected: SelectedElicitation): ElicitationRow =>
  rowFrom(elicitationTable.read(selected), selected.serverName);
