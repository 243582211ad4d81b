import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { newId } from '#platform/crypto/random';
import { startOptions } from '#platform/database/connection';
import { watchStatements } from '../../bench/statement-watch.ts';
import { entryOf, openTestStore } from '../../support/databases/rows.ts';

const store = await openTestStore();
afterAll(() => store.close());

const [now, lease] = [10_000, 60_000];
const due = (target: string, dueAt: number) => {
  const id = newId('notification');
  return { id, elicitationId: null, channel: 'webhook' as const, target, kind: 'test' as const, occasion: id, dueAt };
};
const take = (skipped: string[], limit = 3) =>
  store.notifications.take({ channel: 'webhook', skipped }, now, lease, limit);

test('of places that are not crowded, the first that are due are first, whatever is due for another', async () => {
  const crowd = Array.from({ length: 30 }, () => due('crowded', 1_000));
  const others = [due('a', 4_000), due('z', 2_000), due('a', 3_000), due('z', 5_000), due('a', now + 1)];
  await store.notifications.add([...crowd, ...others], 0);
  const targetsOf = async (skipped: string[]) => (await take(skipped)).map(({ target }) => target).toSorted();
  expect(await targetsOf(['crowded', 'absent'])).toEqual(['a', 'a', 'z']);
  expect(await targetsOf(['crowded'])).toEqual(['z']);
  expect(await targetsOf(['crowded'])).toEqual([]);
  expect(await targetsOf(['a', 'z'])).toEqual(['crowded', 'crowded', 'crowded']);
  expect(await targetsOf([])).toEqual(['crowded', 'crowded', 'crowded']);
});

test('that one was sent is recorded without reading what else is due', async () => {
  const [first] = await take([], 1);
  const stop = watchStatements();
  expect(await store.notifications.end([first!], null, entryOf())).toBe(true);
  const [ending] = stop().filter(({ text }) => text.includes('UPDATE notification'));
  const client = new pg.Client({ connectionString: store.url, options: startOptions() });
  await client.connect();
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${ending!.text}`);
  await client.end();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const indexes = [...plan.matchAll(/(?:using|Index Scan on) (notification_\w+)/g)].map(([, index]) => index);
  expect(new Set(indexes)).toEqual(new Set(['notification_pkey']));
});
