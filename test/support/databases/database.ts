import { randomUUID } from 'node:crypto';
import pg from 'pg';

export interface FreshDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A database of one's own, migrated and empty. Drop it when done; connections still open are cut. */
export async function freshDatabase({ template = 'template_assentry' } = {}): Promise<FreshDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const url = serverUrl();
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl().href });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

function serverUrl(): URL {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined) throw new Error('The run has no database: jest.config.mjs names test/support/setup.ts.');
  return new URL(url);
}
