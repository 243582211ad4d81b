import { bytes, defineTable, text, time } from '#platform/database/sql/columns';

/** An entry of the log. Its MAC covers the body, which says everything that the other columns say. */
export const entryTable = defineTable('audit_entry', {
  id: text(),
  at: time(),
  type: text(),
  elicitationId: text<string | null>(),
  subjectId: text<string | null>(),
  body: bytes(),
  leafHash: bytes(),
  mac: bytes(),
  /** What searches ask for, empty where it has none; null in entries of a version that found them in the body. */
  person: text(),
  digest: text(),
  client: text(),
});
