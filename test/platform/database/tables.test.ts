import { afterAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { defineTable, later, text } from '#platform/database/sql';
import {
  adminTokenTable,
  delegationTable,
  provisionedGroupTable,
  provisionedUserTable,
  scimTokenTable,
  serverTable,
  userTable,
  workloadTable,
} from '#people/directory/store/tables';
import { elicitationTable } from '#requests/state/store/row';
import { entryTable } from '#audit/entries/store/entries';
import { passkeyTable, totpTable } from '#access/factors/store/factors';
import { grantTable } from '#requests/grants/store/tables';
import { policyTable, policyVersionTable } from '#policies/store/tables';
import {
  breakGlassTable,
  lookBackTable,
  lookTable,
  remarkTable,
  revisionTable,
  voteTable,
} from '#requests/deliberation/store/tables';
import { stopTable } from '#requests/stops/store';
import { toolCallTable } from '#requests/claims/store';
import { freshDatabase } from '../../support/databases/database.ts';

interface AnyTable {
  name: string;
  names: readonly string[];
  columns: object;
  selection(table: string): { sql: string };
  definition: { sql: string };
  read(selected: object): object;
  digest(row: never): string;
}

const proven: AnyTable[] = [
  elicitationTable,
  voteTable,
  remarkTable,
  revisionTable,
  breakGlassTable,
  lookBackTable,
  lookTable,
  toolCallTable,
  grantTable,
  stopTable,
];

/** Prisma writes these. */
const whole: AnyTable[] = [
  userTable,
  serverTable,
  scimTokenTable,
  adminTokenTable,
  workloadTable,
  provisionedUserTable,
  provisionedGroupTable,
  delegationTable,
  policyTable,
  policyVersionTable,
  passkeyTable,
  totpTable,
];

/** Columns that no digest covers; each says why in its table. */
const uncoveredColumns: Record<string, string[]> = {
  elicitation: ['wakeAt', 'owner', 'dataKey', 'alsoBy'],
  app_user: ['epoch'],
  scim_token: ['lastUsedAt'],
  admin_token: ['lastUsedAt'],
  workload: ['lastUsedAt'],
  passkey: ['counter', 'usedAt'],
  totp: ['sealed', 'lastStep', 'usedCodes'],
};

/** Rows that the version before wrote, as JSON, with the digests that its entries hold of them. */
const rowsBefore = JSON.parse(readFileSync('test/platform/database/rows-of-0.1.json', 'utf8')) as Record<
  string,
  { digest: string; row: object }[]
>;

const database = await freshDatabase();
const client = new pg.Client({ connectionString: database.url });
afterAll(async () => {
  await client.end();
  await database.drop();
});
await client.connect();

async function readBefore({ name, selection, read }: AnyTable): Promise<Record<string, unknown>[]> {
  const rows = JSON.stringify(rowsBefore[name]?.map(({ row }) => row));
  const selected = await client.query<object>(
    `SELECT ${selection('t').sql} FROM jsonb_populate_recordset(NULL::${name}, $1) AS t`,
    [rows],
  );
  return selected.rows.map((row) => read(row) as Record<string, unknown>);
}

describe.each([...proven, ...whole, entryTable as AnyTable].map((table) => [table.name, table] as const))(
  '%s',
  (name, table) => {
    test('has the columns of the database, and no other', async () => {
      const { rows } = await client.query<{ column: string }>(
        `SELECT column_name AS column FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1 AND coalesce(column_default, '') NOT LIKE 'nextval%' ORDER BY 1`,
        [name],
      );
      expect([...table.names].toSorted()).toEqual(rows.map(({ column }) => column));
    });
  },
);

describe.each([...proven, ...whole].map((table) => [table.name, table] as const))('the digest of %s', (name, table) => {
  test('of a row that the version before wrote is the one that its entry holds', async () => {
    const rows = await readBefore(table);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => table.digest(row as never))).toEqual(rowsBefore[name]?.map(({ digest }) => digest));
  });

  test('covers every column but those that say why not', async () => {
    const [row] = await readBefore(table);
    const own = table.digest(row as never);
    const open = Object.keys(table.columns).filter(
      (property) => table.digest({ ...row, [property]: 'another' } as never) === own,
    );
    expect(open).toEqual(uncoveredColumns[name] ?? []);
  });
});

test('a value that came later is not taken for that of another column', () => {
  const table = defineTable('t', {
    id: text(),
    first: later(text<string | null>()),
    second: later(text<string | null>()),
  });
  const digests = [
    table.digest({ id: 'a', first: null, second: null }),
    table.digest({ id: 'a', first: 'x', second: null }),
    table.digest({ id: 'a', first: null, second: 'x' }),
  ];
  expect(new Set(digests).size).toBe(3);
});

describe('no statement of the store', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('platform/database/generated'))
    .map((file) => ({ file, text: readFileSync(path.join('src', file), 'utf8') }));
  const names = [...proven.map(({ name }) => name), entryTable.name].join('|');
  const listed = (pattern: RegExp) =>
    sources.flatMap(({ file, text }) => [...text.matchAll(pattern)].map((match) => ({ file, match })));

  test('inserts a column that is not in its table', () => {
    const inserts = listed(new RegExp(`INSERT INTO (?:${names}) ?(?:AS \\w+ )?\\(([^)]*)\\)`, 'g'));
    expect(inserts.length).toBeGreaterThan(7);
    expect(inserts.filter(({ match }) => !/^\$\{\w+\.list\}$/.test(match[1] ?? ''))).toEqual([]);
  });

  test('changes a column that a digest covers but through its table, or by the version', () => {
    const updates = listed(new RegExp(`UPDATE (${names})(?: AS)?(?: \\w+)? SET ([\\s\\S]*?)\\s(?:FROM|WHERE)\\s`, 'g'));
    expect(updates.length).toBeGreaterThan(8);
    const free = new Set(['wake_at', 'owner', 'data_key']);
    const changed = updates.flatMap(({ file, match: [, table, assignments = ''] }) =>
      assignments
        .replaceAll(/\$\{\w+\.(?:set|assignments|assignmentsIfAny)\([^)]*\)\}/g, '')
        .split(/,\s*/)
        .map((assignment) => assignment.trim())
        .filter((text) => text !== '' && text !== 'version = e.version + 1')
        .filter((text) => table !== 'elicitation' || !free.has(text.split(' ')[0] ?? ''))
        .map((text) => `${file}: ${table}: ${text}`),
    );
    expect(changed).toEqual([]);
  });

  test('writes one of these tables through Prisma', () => {
    const models = 'elicitation|vote|remark|revision|breakGlass|lookBack|look|toolCall|grant|stop|auditEntry';
    const writes = listed(new RegExp(`\\.(?:${models})\\.(?:create|update|upsert|delete)\\w*\\(`, 'g'));
    expect(writes.map(({ file, match }) => `${file}: ${match[0]}`)).toEqual([]);
  });
});
