import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase, type Database } from '#server/store/database/database';
import { missingProtections, needlessRights, protections } from '#server/store/database/protections';
import { freshDatabase, type FreshDatabase } from '../../support/databases/database.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { nodeUrl } from '../../support/databases/node-login.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  owner = new pg.Client({ connectionString: fresh.url });
  await owner.connect();
  database = openDatabase(nodeUrl(fresh.url));
});
afterAll(async () => {
  await database?.close();
  await owner?.end();
  await fresh?.drop();
});

test('a migrated database has every trigger, and no other; the role of nodes may not change the log', async () => {
  expect(await missingProtections(database.prisma)).toEqual([]);
  expect(await needlessRights(database.prisma)).toEqual([]);
  const { rows } = await owner.query('SELECT tgname FROM pg_trigger WHERE NOT tgisinternal');
  expect(rows.map(({ tgname }) => tgname as string).sort()).toEqual(protections.map(({ trigger }) => trigger).sort());
});

test('no trigger needs a table of what its statement has changed, which few imitations of PostgreSQL have', async () => {
  const { rows } = await owner.query(
    'SELECT tgname FROM pg_trigger WHERE tgnewtable IS NOT NULL OR tgoldtable IS NOT NULL',
  );
  expect(rows).toEqual([]);
});

test.each(protections)('without $trigger no node starts, and the refusal names it', async ({ table, trigger }) => {
  await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
  const sentence = `The trigger ${trigger} of the table ${table} is missing or out of force.`;
  expect(await missingProtections(database.prisma)).toEqual([sentence]);
  await owner.query(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`);
});

test('a start is refused, not only a check', async () => {
  await owner.query('ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_queue');
  await expect(startTestServer({ databaseUrl: fresh.url })).rejects.toMatchObject({
    code: 'migration-failed',
    message: expect.stringContaining('audit_entry_queue'),
  });
  await owner.query('ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_queue');
});

test('a function that does nothing any more is no protection', async () => {
  const { rows } = await owner.query(`SELECT prosrc FROM pg_proc WHERE proname = 'refuse_change'`);
  const define = (body: string) =>
    owner.query(`CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $x$${body}$x$`);
  await define('BEGIN RETURN NEW; END;');
  expect(await missingProtections(database.prisma)).toEqual([
    'The function refuse_change is not the one that the migrations made.',
  ]);
  await define((rows[0] as { prosrc: string }).prosrc);
  expect(await missingProtections(database.prisma)).toEqual([]);
});

test('rights that no node needs are named', async () => {
  await owner.query('GRANT UPDATE ON vote TO assentry_app');
  expect(await needlessRights(database.prisma)).toEqual(['The role test_node may change or empty the table vote.']);
  await owner.query('REVOKE UPDATE ON vote FROM assentry_app');
});
