import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import pg from 'pg';
import { isNight } from '../runs.ts';

/** Reads tables on one connection, with one statement that PostgreSQL plans once. */
export interface Tables {
  read(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** The digests of `openTableDigests`, read once. */
export async function digestTables(url: string): Promise<Record<string, string>> {
  const tables = await openTableDigests(url);
  return tables.read().finally(tables.close);
}

/**
 * All rows of each table as one digest by its name, so that any change shows; but for what follows from entries later,
 * when someone was last seen, which nodes there are, what they plan and send, and entries that tell of no change: who was
 * refused, who read what, who was told, and that the log was verified.
 */
export function openTableDigests(url: string): Promise<Tables> {
  const row = `(to_jsonb(t) - 'last_used_at' - 'last_seen_at')::text`;
  const digest = `count(*) || ' ' || coalesce(md5(string_agg(${row}, '|' ORDER BY ${row})), '')`;
  return openTables(url, digest, [...derived, 'node', 'outbox_reader', 'audit_stream']);
}

/**
 * How many rows each table has, by its name; but for what follows from entries and changes later, and for entries that
 * tell of no change: who was refused, who read what, who was told, and that the log was verified.
 */
export const openRowCounts = (url: string): Promise<Tables> => openTables(url, 'count(*)', derived);

const derived = ['audit_queue', 'audit_leaf', 'audit_tile', 'audit_checkpoint', 'notification', 'insight_*'];

async function openTables(url: string, expression: string, without: readonly string[]): Promise<Tables> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      AND NOT relname LIKE ANY ($1)`,
    [without.map((name) => name.replaceAll('_', '\\_').replace('*', '%'))],
  );
  const columns = rows
    .map(({ name }) => pg.escapeIdentifier(name))
    .map(
      (name) => `(SELECT ${expression} FROM ${name} t
        WHERE coalesce(to_jsonb(t)->>'type', '') !~ '^(access|notification|log)[.]') AS ${name}`,
    );
  const statement = { name: 'tables', text: `SELECT ${columns.join(', ')}` };
  return {
    read: async () => (await client.query<Record<string, string>>(statement)).rows[0] ?? {},
    close: () => client.end(),
  };
}

/** Every row of every table as JSON, in one text. */
export async function readEverything(url: string): Promise<string> {
  const tables = await openTables(url, `coalesce(json_agg(to_jsonb(t))::text, '')`, []);
  return JSON.stringify(await tables.read().finally(tables.close));
}

/**
 * The tests of this group leave every table as it was: by night after each of them, by day after all, as to read all tables
 * takes longer than a request.
 */
export function expectNoWrites(tables: Tables): void {
  let before: Record<string, string>;
  beforeAll(async () => {
    before = await tables.read();
  });
  const after = isNight ? afterEach : afterAll;
  after(async () => expect(await tables.read()).toEqual(before));
}
