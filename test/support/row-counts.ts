import pg from 'pg';

/**
 * Says how many rows each table has, by name, on one connection of its own; but for what follows from entries and
 * changes later, and for entries that tell of no change: who was refused, who read what, and who was told.
 */
export async function openRowCounter(url: string): Promise<{ count(): Promise<unknown>; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        AND relname NOT IN ('audit_queue', 'audit_leaf', 'audit_tile', 'audit_checkpoint', 'notification')`,
  );
  const counts = rows
    .map(({ name }) => pg.escapeIdentifier(name))
    .map(
      (name) =>
        `(SELECT count(*) FROM ${name} t WHERE coalesce(to_jsonb(t)->>'type', '') !~ '^(access|notification)[.]') AS ${name}`,
    );
  return {
    count: async () => (await client.query(`SELECT ${counts.join(', ')}`)).rows[0],
    close: () => client.end(),
  };
}
