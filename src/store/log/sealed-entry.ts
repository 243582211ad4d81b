import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import type { Evidence, SealedEntry } from '../../audit/evidence.ts';
import type { Query } from '../database/query.ts';

/** What a store needs to change rows: an entry describes every change. */
export interface Ledger {
  prisma: PrismaClient;
  query: Query;
  evidence: Evidence;
}

/** Bytes travel to PostgreSQL inside JSON. */
export const base64 = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString('base64');

/** Writes an entry in the transaction of the change it describes. */
export const insertEntry = (tx: Pick<Prisma.TransactionClient, '$executeRaw'>, entry: SealedEntry) =>
  tx.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, entryJson([entry])));

/** The same within a statement: writes these entries, in their JSON, once for each row of `changed`. */
export const insertEntries = (changed: Prisma.Sql, entries: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO audit_entry (id, at, type, elicitation_id, subject_id, body, leaf_hash, mac)
  SELECT entry.id, to_timestamp(entry.at / 1000.0), entry.type, entry.elicitation_id, entry.subject_id,
      decode(entry.body, 'base64'), decode(entry.leaf_hash, 'base64'), decode(entry.mac, 'base64')
    FROM ${changed}, jsonb_to_recordset(${entries}) AS entry(
      id text, at bigint, type text, elicitation_id text, subject_id text, body text, leaf_hash text, mac text)`;

/** The parameter that `insertEntries` takes. */
export const entryJson = (entries: SealedEntry[]): Prisma.Sql =>
  Prisma.sql`${JSON.stringify(entries.map(entryFields))}::jsonb`;

/** The columns of an entry in the JSON of a statement. */
export const entryFields = ({ id, at, type, elicitationId, subjectId, body, leafHash, mac }: SealedEntry) => ({
  id,
  at,
  type,
  elicitation_id: elicitationId,
  subject_id: subjectId,
  body: base64(body),
  leaf_hash: base64(leafHash),
  mac: base64(mac),
});
