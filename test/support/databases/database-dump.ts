import pg from 'pg';

/** Everything the database holds, as texts to search: each value as it is, bytes also in hex and base64. */
export async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const texts: string[] = [];
    for (const { name } of rows) {
      const result = await client.query<unknown[]>({
        text: `SELECT * FROM ${pg.escapeIdentifier(name)}`,
        rowMode: 'array',
      });
      texts.push(...result.rows.flat().flatMap(textsOf));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

function textsOf(value: unknown): string[] {
  if (!Buffer.isBuffer(value)) return [typeof value === 'string' ? value : JSON.stringify(value)];
  return [value.toString('utf8'), value.toString('latin1'), value.toString('hex'), value.toString('base64')];
}
