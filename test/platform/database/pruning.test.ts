import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { watchStatements } from '../../bench/statement-watch.ts';
import { openTestStore, type TestStore } from '../../support/databases/rows.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const many = 20_001;
const at = 'to_timestamp(1000 + n / 1000)';

const tables = [
  [
    'token',
    () => `SELECT n::text::bytea, '${store.serverId}', NULL, ${at}, ${at}`,
    () => store.tokens.prune(1_000_000_000),
  ],
  ['chat_delivery', () => `SELECT n::text::bytea, ${at}`, () => store.chat.prune(1_000_000_000)],
  [
    'session',
    () => `SELECT n::text::bytea, 'ses_' || n, '', '', '${user}', ${at}, ${at}, ${at}, ${at}`,
    () => store.users.pruneSessions(1_000_000_000),
  ],
] as const;
const columns: Record<string, string> = {
  token: 'nonce_hash, server_id, elicitation_id, expires_at, created_at',
  chat_delivery: 'hash, at',
  session: 'hash, id, agent, address, user_id, created_at, last_seen_at, authenticated_at, expires_at',
};
let user: string;
beforeAll(async () => {
  user = await store.newUser();
});

test.each(tables)(
  'what is over in %s is deleted in parts, so that none outlasts its time limit',
  async (table, rows, prune) => {
    const owner = new pg.Client({ connectionString: store.url });
    await owner.connect();
    await owner.query(`INSERT INTO ${table} (${columns[table]}) ${rows()} FROM generate_series(1, ${many}) AS n`);
    const statements = watchStatements();
    await prune();
    const deleting = statements().filter(({ text }) => text.includes(`DELETE FROM ${table}`));
    expect(deleting).toHaveLength(3);
    expect((await owner.query(`SELECT count(*)::int AS count FROM ${table}`)).rows).toEqual([{ count: 0 }]);
    await owner.end();
  },
);
