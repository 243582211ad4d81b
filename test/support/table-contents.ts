import pg from 'pg';

/**
 * All rows of each table as one digest by its name, so that any change shows; but for what follows from entries later,
 * when someone was last seen, which nodes there are, what they plan and send, and entries that tell of no change: who was
 * refused, who read what, and who was told.
 */
export async function digestTables(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        AND relname NOT IN ('node', 'outbox_reader', 'audit_stream', 'notification', 'audit_queue', 'audit_leaf', 'audit_tile', 'audit_checkpoint')`,
    );
    const row = `(to_jsonb(t) - 'last_used_at' - 'last_seen_at')::text`;
    const digests = rows
      .map(({ name }) => pg.escapeIdentifier(name))
      .map(
        (name) => `(SELECT count(*) || ' ' || coalesce(md5(string_agg(${row}, '|' ORDER BY ${row})), '') FROM ${name} t
          WHERE coalesce(to_jsonb(t)->>'type', '') !~ '^(access|notification)[.]') AS ${name}`,
      );
    return (await client.query<Record<string, string>>(`SELECT ${digests.join(', ')}`)).rows[0] ?? {};
  } finally {
    await client.end();
  }
}
