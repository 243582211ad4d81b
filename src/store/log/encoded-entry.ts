import type { SealedEntry } from '../elicitation/row.ts';

/** Bytes travel to PostgreSQL inside JSON. */
export const base64 = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString('base64');

/** The columns of an audit entry in the JSON of a statement. */
export const entryFields = ({ id, at, type, body, leafHash }: SealedEntry) => ({
  entry_id: id,
  entry_at: at,
  entry_type: type,
  entry_body: base64(body),
  entry_leaf: base64(leafHash),
});
