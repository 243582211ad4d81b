import { Prisma, type PrismaClient } from '#platform/database/generated/prisma/client';
import type { Evidence, SealedEntry } from '../../rules/evidence/evidence.ts';
import type { Query } from '#platform/database/connection/query';
import { entryTable } from './entry.ts';

/** What a store needs to change rows: an entry describes every change. */
export interface Ledger {
  prisma: PrismaClient;
  query: Query;
  evidence: Evidence;
}

/** Writes an entry in the transaction of the change it describes. */
export const insertEntry = (tx: Pick<Prisma.TransactionClient, '$executeRaw'>, entry: SealedEntry) =>
  tx.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, entryJson([entry])));

/** The same within a statement: writes these entries, in their JSON, once for each row of `changed`. */
export const insertEntries = (changed: Prisma.Sql, entries: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO audit_entry (${entryTable.list})
  SELECT ${entryTable.values('entry')}
    FROM ${changed}, jsonb_to_recordset(${entries}) AS entry(${entryTable.definition})`;

/** Makes a change that returns its row, with its entry, in one statement; false, and no entry, if it returns none. */
export async function changeWithEntry(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  change: Prisma.Sql,
  entry: SealedEntry,
): Promise<boolean> {
  const changed = await tx.$queryRaw<unknown[]>`
    WITH changed AS (${change}), entry AS (${insertEntries(Prisma.sql`changed`, entryJson([entry]))})
    SELECT true FROM changed`;
  return changed.length === 1;
}

/** The parameter that `insertEntries` takes. */
export const entryJson = (entries: SealedEntry[]): Prisma.Sql =>
  Prisma.sql`${JSON.stringify(entries.map(entryTable.toJson))}::jsonb`;
