import { afterAll, expect, test } from '@jest/globals';
import { connectClient } from '#platform/database/connection';
import { until } from '../../support/poll.ts';
import { openTestStore } from '../../support/databases/rows.ts';

const store = await openTestStore();
const owner = await connectClient({ connectionString: store.url });
afterAll(async () => {
  await owner.end();
  await store.close();
});
const now = 1_700_000_000_000;
const limits = { now, memoryMs: 60_000, free: 10, maxDelayMs: 5_000 };

test.each([
  ['the tenth', 9],
  ['the first', 0],
])('an attempt that waits while %s is counted is told to wait, not made', async (_, before) => {
  const key = Buffer.from([before, 1]);
  for (let at = 0; at < before; at += 1) expect(await store.users.takeAttempt(key, limits)).toBe(0);
  await owner.query('BEGIN');
  await owner.query(
    `INSERT INTO sign_in_budget (key, failures, at, next_at) VALUES ($1, 10, $2, $3)
       ON CONFLICT (key) DO UPDATE SET failures = 10, next_at = excluded.next_at`,
    [key, new Date(now), new Date(now + 3_000)],
  );
  const waiting = store.users.takeAttempt(key, limits);
  const locks = 'SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid';
  await until(async () => (await owner.query(locks)).rowCount === 1);
  await owner.query('COMMIT');
  expect(await waiting).toBe(1_000); // the shortest wait: its statement cannot see the longer one
  expect(await store.users.takeAttempt(key, limits)).toBe(3_000);
  const { rows } = await owner.query('SELECT failures FROM sign_in_budget WHERE key = $1', [key]);
  expect(rows).toEqual([{ failures: 10 }]);
});
