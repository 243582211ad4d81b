import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createHealth } from '#platform/nodes/verbs/health';
import { findStoreFault } from '#server/database';
import { openDatabase, type Database } from '#platform/database/database';
import { createNodes } from '#platform/nodes/store';
import { freshDatabase } from '../support/databases/database.ts';
import { nodeLogin, nodeUrl } from '../support/databases/node-login.ts';

const fresh = await freshDatabase();
const owner = new pg.Client({ connectionString: fresh.url });
let node: Database;
beforeAll(async () => {
  await owner.connect();
  node = openDatabase(nodeUrl(fresh.url), { poolSize: 1 });
});
afterAll(async () => {
  await node.close();
  await owner.end();
  await fresh.drop();
});

const find = (url = nodeUrl(fresh.url)) => findStoreFault(node, url, { isPooled: false });
const name = new URL(fresh.url).pathname.slice(1);

test('a node that can store has no fault', async () => {
  expect(await find()).toBeNull();
});

describe('a node that can store nothing says why, though its connections answer', () => {
  test.each([
    [
      'a right was revoked',
      `REVOKE INSERT ON vote FROM assentry_app`,
      `GRANT INSERT ON vote TO assentry_app`,
      /INSERT in the table vote/,
    ],
    [
      'a trigger of the log is out of force',
      'ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_queue',
      'ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_queue',
      /audit_entry_queue/,
    ],
    [
      'no new connection is let in',
      `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`,
      `GRANT CONNECT ON DATABASE ${name} TO PUBLIC`,
      /^Check the database: it cannot be reached/,
    ],
  ])('%s', async (_name, damage, repair, sentence) => {
    await owner.query(damage);
    const fault = await find();
    await owner.query(repair);
    expect(fault).toMatchObject({ code: 'database-unavailable', message: expect.stringMatching(sentence) });
    expect(await find()).toBeNull();
  });

  test('the password of its login has changed', async () => {
    const wrong = nodeUrl(fresh.url).replace(nodeLogin.password, 'an-older-password');
    expect(await find(wrong)).toMatchObject({
      code: 'database-unavailable',
      message: expect.not.stringContaining('older'),
    });
  });

  test('a primary that became read-only takes no sign of life', async () => {
    await owner.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const later = openDatabase(nodeUrl(fresh.url), { poolSize: 1 });
    const beat = createNodes(later).heartbeat({ id: 'node-1', kids: ['k1'], activeKid: 'k1' });
    await expect(beat).rejects.toThrowProblem('database-unavailable');
    await later.close();
    await owner.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  });
});

describe('readiness follows what was stored', () => {
  test('for fifteen seconds without a sign of life, and not at the start', () => {
    const health = createHealth(Date.now);
    health.assertStores(60_000);
    health.hearStore(60_000);
    health.assertStores(75_000);
    expect(() => health.assertStores(75_001)).toThrowProblem('database-unavailable');
    health.hearStore(80_000);
    health.assertStores(80_001);
  });
});
