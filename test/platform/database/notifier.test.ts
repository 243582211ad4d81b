import { afterAll, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '#platform/database/database';
import { listen, createSpacing, startNotifier } from '#platform/database/notifier';
import { freshDatabase } from '../../support/databases/database.ts';
import { until } from '../../support/poll.ts';

let heard = 0;

const errors: unknown[] = [];

const fresh = await freshDatabase();
const database = openDatabase(fresh.url);
const onError = (error: unknown): void => void errors.push(error);
const notifier = await startNotifier(database, fresh.url, { onWake: () => {}, onError });
const listening = await listen(fresh.url, 'assentry', { onPayload: () => (heard += 1) });
afterAll(async () => {
  await notifier.close();
  await listening.close();
  await database.close();
  await fresh.drop();
});

test('the first commit is announced at once, and those that follow closely share one notification', async () => {
  for (let commits = 0; commits < 50; commits += 1) notifier.announce();
  await until(() => heard === 2);
  await database.prisma.$executeRaw`SELECT pg_notify('assentry', 'last')`;
  await until(() => heard > 2);
  expect([heard, errors]).toEqual([3, []]);
});

test('a later commit is announced again', async () => {
  const before = heard;
  notifier.announce();
  expect(await until(() => heard > before)).toBe(true);
});

test('a notification waits for no disk, and no later commit goes without', async () => {
  const sent: string[] = [];
  const query: Database['query'] = (statement) => {
    sent.push(statement.text);
    return single.query(statement);
  };
  const single = openDatabase(fresh.url, { poolSize: 1 });
  await single.pool.query('SET synchronous_commit = on');
  const own = await startNotifier({ query }, fresh.url, {
    onWake: () => {},
    onError: (error) => void errors.push(error),
  });
  own.announce();
  await own.close();
  const { rows } = await single.pool.query('SHOW synchronous_commit');
  await single.close();
  expect([sent, rows, errors]).toEqual([
    [expect.stringContaining(`set_config('synchronous_commit', 'off', true)`)],
    [{ synchronous_commit: 'on' }],
    [],
  ]);
});

test('ten notifications go at once, and from then on one in each ten milliseconds', () => {
  const waitFor = createSpacing({ burst: 10, spacingMs: 10 });
  const atOnce = Array.from({ length: 10 }, () => waitFor(1_000));
  const after = Array.from({ length: 3 }, () => waitFor(1_000));
  expect([atOnce, after]).toEqual([Array(10).fill(0), [10, 20, 30]]);
});

test('one that comes twelve milliseconds after the other never waits', () => {
  const waitFor = createSpacing({ burst: 10, spacingMs: 10 });
  const waits = Array.from({ length: 1_000 }, (_, at) => waitFor(1_000 + at * 12));
  expect(waits.filter((wait) => wait > 0)).toEqual([]);
});

test('as many as ever may come, no more than a hundred a second and the burst are sent', () => {
  const waitFor = createSpacing({ burst: 10, spacingMs: 10 });
  let [now, sent] = [0, 0];
  for (; now < 10_000; sent += 1) now += waitFor(now);
  expect(sent).toBeLessThanOrEqual(1_000 + 10);
});
