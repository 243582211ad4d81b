import { Problem } from '#platform/model/problem/problem';
import { connectClient } from '#platform/database/connection/connect-client';
import { requireProgram, runProgram, type Target } from './client-program.ts';

/** Restores the dump in this open file into an empty database, completely or not at all. */
export async function restoreDump(target: Target, file: number): Promise<void> {
  const { tables, server } = await lookAt(target.ownerUrl);
  if (tables > 0) {
    const detail = `Give an empty database as DATABASE_URL, or an empty ASSENTRY_DATA_DIR: this one has ${tables} tables.`;
    throw new Problem('already-exists', { detail });
  }
  await requireProgram('pg_restore', target, server);
  await runProgram('pg_restore', target, ['--no-owner', '--no-privileges', '--single-transaction'], file);
}

async function lookAt(ownerUrl: string): Promise<{ tables: number; server: number }> {
  const client = await connectClient({ connectionString: ownerUrl, application_name: 'assentry restore' });
  try {
    const { rows } = await client.query<{ tables: number; server: number }>(
      `SELECT (SELECT count(*)::int FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')) AS tables,
              current_setting('server_version_num')::int / 10000 AS server`,
    );
    return rows[0] ?? { tables: 0, server: 0 };
  } finally {
    await client.end();
  }
}
