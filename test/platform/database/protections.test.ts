import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Prisma } from '#platform/database/generated/prisma/client';
import { openDatabase, type Database } from '#platform/database/database';
import { missingProtections, needlessRights, protections, changedViews } from '#platform/database/rights';
import { freshDatabase } from '../../support/databases/database.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { nodeUrl } from '../../support/databases/node-login.ts';

const fresh = await freshDatabase();
const owner = new pg.Client({ connectionString: fresh.url });
await owner.connect();
const database = openDatabase(nodeUrl(fresh.url));
const superuser = openDatabase(fresh.url);
afterAll(async () => {
  await database.close();
  await superuser.close();
  await owner.end();
  await fresh.drop();
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

const diversions: [string, string[], RegExp][] = [
  [
    'a trigger that fires only for replicas',
    ['ALTER TABLE vote ENABLE REPLICA TRIGGER vote_no_change'],
    /^The trigger vote_no_change of/,
  ],
  [
    'a trigger of the same name under a condition that never holds',
    [
      'DROP TRIGGER vote_no_change ON vote',
      `CREATE TRIGGER vote_no_change BEFORE UPDATE OR DELETE ON vote FOR EACH ROW WHEN (false) EXECUTE FUNCTION refuse_change()`,
    ],
    /^The trigger vote_no_change of/,
  ],
  [
    'a trigger of the same name that fires at one event less',
    [
      'DROP TRIGGER vote_no_change ON vote',
      `CREATE TRIGGER vote_no_change BEFORE DELETE ON vote FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    ],
    /^The trigger vote_no_change of/,
  ],
  [
    'a trigger that swallows entries',
    [
      `CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $x$BEGIN RETURN NULL; END;$x$`,
      `CREATE TRIGGER swallow BEFORE INSERT ON audit_entry FOR EACH ROW WHEN (NEW.type = 'access.read') EXECUTE FUNCTION swallow()`,
    ],
    /^The trigger swallow of the table audit_entry is none of the migrations/,
  ],
  [
    'a rule',
    ['CREATE RULE hush AS ON INSERT TO audit_entry DO INSTEAD NOTHING'],
    /^The table audit_entry .* the rule hush/,
  ],
  [
    'row-level security',
    ['ALTER TABLE vote ENABLE ROW LEVEL SECURITY', 'CREATE POLICY hidden ON vote USING (false)'],
    /^The table vote .* row-level security/,
  ],
  ['a table that inherits', ['CREATE TABLE more_votes () INHERITS (vote)'], /^The table vote .* the table more_votes/],
  [
    'an entry that is read as another one',
    [
      `CREATE OR REPLACE FUNCTION audit.entry(body bytea) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
       AS $x$ SELECT replace(convert_from(body, 'UTF8'), 'declined', 'accepted')::jsonb $x$`,
    ],
    /^The function audit.entry is not/,
  ],
  [
    'a second function of the same name',
    [`CREATE FUNCTION audit.could_approve(request text, really boolean) RETURNS int LANGUAGE sql AS 'SELECT 1'`],
    /^The function audit.could_approve is not/,
  ],
];

const undo = new TypeError('nothing of this stays');

/** What is found in a transaction of which nothing stays. */
async function undone<T>(by: Database, find: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  const results: T[] = [];
  await by.prisma
    .$transaction(async (tx) => {
      results.push(await find(tx));
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return results[0] as T;
}

test.each(diversions)('%s is named', async (_what, statements, sentence) => {
  const faults = await undone(superuser, async (tx) => {
    for (const statement of statements) await tx.$executeRawUnsafe(statement);
    return missingProtections(tx);
  });
  expect(faults.filter((fault) => sentence.test(fault))).toHaveLength(1);
});

describe('the views of reviewers', () => {
  const views = () => undone(database, changedViews);

  test('are those of the migrations, also as a dump writes them', async () => {
    expect(await views()).toEqual([]);
    const { rows } = await owner.query<{ name: string; definition: string }>(
      `SELECT oid::regclass::text AS name, pg_get_viewdef(oid) AS definition FROM pg_class
        WHERE relkind = 'v' AND relnamespace = 'audit'::regnamespace`,
    );
    expect(rows.length).toBeGreaterThan(15);
    for (const { name, definition } of rows) await owner.query(`CREATE OR REPLACE VIEW ${name} AS ${definition}`);
    expect(await views()).toEqual([]);
  });

  test('leave a trace of no comparison', async () => {
    await views();
    const { rows } = await owner.query(`SELECT relname FROM pg_class WHERE relname LIKE 'expected_%'`);
    expect(rows).toEqual([]);
  });

  test.each(['audit.votes', 'audit.people', 'audit_log'])(
    '%s that leaves out a row for someone is named, with the migration that makes it',
    async (name) => {
      const faults = await undone(superuser, async (tx) => {
        const [view] = await tx.$queryRawUnsafe<{ list: string; as: string }[]>(
          `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS list, pg_get_viewdef('${name}'::regclass) AS as
             FROM pg_attribute WHERE attrelid = '${name}'::regclass AND attnum > 0`,
        );
        const all = view?.as.replace(/;\s*$/, '');
        await tx.$executeRawUnsafe(
          `CREATE OR REPLACE VIEW ${name} AS SELECT ${view?.list} FROM (${all}) a WHERE session_user <> 'grace'`,
        );
        return changedViews(tx);
      });
      expect(faults).toEqual([
        expect.stringMatching(`^The view ${name} is not the one that the migrations made: .* prisma/migrations/\\d+_`),
      ]);
    },
  );

  test('cannot be compared by a login that may make no temporary view', async () => {
    const name = new URL(fresh.url).pathname.slice(1);
    await owner.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
    expect(await views()).toBeNull();
    await owner.query(`GRANT TEMPORARY ON DATABASE ${name} TO PUBLIC`);
  });
});

test('rights that no node needs are named', async () => {
  await owner.query('GRANT UPDATE ON vote TO assentry_app');
  expect(await needlessRights(database.prisma)).toEqual(['The role test_node may change or empty the table vote.']);
  await owner.query('REVOKE UPDATE ON vote FROM assentry_app');
});
