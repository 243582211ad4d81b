import pg from 'pg';
import { hasErrorCode } from '../../model/problem/system-error.ts';

/** Makes the database unless it exists. Several processes may try at once. */
export async function createApplicationDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (!hasErrorCode(error, '42P04', '23505')) throw error; // another process was first
  } finally {
    await client.end();
  }
}
