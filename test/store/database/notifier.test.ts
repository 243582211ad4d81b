import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../../src/store/database/database.ts';
import { listen, type Listening } from '../../../src/store/database/listen.ts';
import { startNotifier, type Notifier } from '../../../src/store/database/notifier.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { until } from '../../support/poll.ts';

let fresh: FreshDatabase;
let database: Database;
let notifier: Notifier;
let listening: Listening;
let heard = 0;

beforeAll(async () => {
  fresh = await freshDatabase();
  database = openDatabase(fresh.url);
  const onError = (error: unknown): void => void errors.push(error);
  notifier = await startNotifier(database, fresh.url, { onWake: () => {}, onError });
  listening = await listen(fresh.url, 'assentry', { onPayload: () => (heard += 1) });
});
afterAll(async () => {
  await notifier.close();
  await listening.close();
  await database.close();
  await fresh.drop();
});
const errors: unknown[] = [];

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
