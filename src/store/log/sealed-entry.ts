import { Prisma } from '../../generated/prisma/client.ts';
import type { AuditEntry } from '../../audit/entry.ts';

/** What a transaction says about itself in the log. */
export type SealedEntry = AuditEntry;

/** Bytes travel to PostgreSQL inside JSON. */
export const base64 = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString('base64');

/** Writes an entry in the transaction of what it tells of. */
export const insertEntry = (tx: Pick<Prisma.TransactionClient, '$executeRaw'>, entry: SealedEntry) =>
  tx.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, entryJson([entry])));

/** The same within a statement: writes these entries, in their JSON, once for each row of `changed`. */
export const insertEntries = (changed: Prisma.Sql, entries: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO audit_entry (id, at, type, elicitation_id, body, leaf_hash)
  SELECT entry.id, to_timestamp(entry.at / 1000.0), entry.type, entry.elicitation_id, decode(entry.body, 'base64'),
      decode(entry.leaf_hash, 'base64')
    FROM ${changed}, jsonb_to_recordset(${entries}) AS entry(
      id text, at bigint, type text, elicitation_id text, body text, leaf_hash text)`;

/** The parameter that `insertEntries` takes. */
export const entryJson = (entries: SealedEntry[]): Prisma.Sql =>
  Prisma.sql`${JSON.stringify(entries.map(entryFields))}::jsonb`;

/** The columns of an entry in the JSON of a statement. */
export const entryFields = ({ id, at, type, elicitationId, body, leafHash }: SealedEntry) => ({
  id,
  at,
  type,
  elicitation_id: elicitationId,
  body: base64(body),
  leaf_hash: base64(leafHash),
});
