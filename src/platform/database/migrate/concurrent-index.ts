import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const statement = /^\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+"?(\w+)"?\s+ON\s/i;

/** The index that a migration of one statement builds, without its comments; null if it does something else. */
export function indexBuiltBy(sql: string): string | null {
  return statement.exec(sql.replaceAll(/^--.*$/gm, ''))?.[1] ?? null;
}

/**
 * Whether a run that was interrupted has built the index. One that it left invalid is dropped. A backend outlives the
 * program that asked it to build, so the answer waits until none builds it any more.
 */
export async function isBuilt(client: pg.Client, sql: string, wasBegun: boolean): Promise<boolean> {
  const name = indexBuiltBy(sql);
  if (name === null) return false;
  while (await isBeingBuilt(client, name)) await sleep(1_000);
  const { rows } = await client.query<{ isValid: boolean }>(
    'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)',
    [pg.escapeIdentifier(name)],
  );
  if (rows[0]?.isValid === false) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${pg.escapeIdentifier(name)}`);
  return wasBegun && rows[0]?.isValid === true;
}

async function isBeingBuilt(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT FROM pg_stat_progress_create_index WHERE datname = current_database() AND index_relid = to_regclass($1)::oid',
    [pg.escapeIdentifier(name)],
  );
  return rows.length > 0;
}
