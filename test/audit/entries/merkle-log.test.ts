import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase, type Database } from '#platform/database/database';
import { createMerkleLog, type MerkleLog } from '#audit/tree/store';
import { testEvidence } from '../../support/audit/evidence.ts';
import { sequenceAll, verify, writeEntries } from '../../support/nodes/log.ts';
import { openTestStore } from '../../support/databases/rows.ts';
import { nodeUrl } from '../../support/databases/node-login.ts';

const store = await openTestStore();
const database = openDatabase(nodeUrl(store.url));
const twin: { database: Database; merkleLog: MerkleLog } = {
  database,
  merkleLog: createMerkleLog({ ...database, evidence: testEvidence }),
};
const owner = new pg.Client({ connectionString: store.url });
afterAll(async () => {
  await owner.end();
  await twin.database.close();
  await store.close();
});
await owner.connect();

const counts = () =>
  store.query(`SELECT (SELECT count(*)::int FROM audit_entry), (SELECT count(*)::int FROM audit_leaf),
    (SELECT coalesce(max(idx) + 1, 0)::int FROM audit_leaf), (SELECT count(*)::int FROM audit_queue)`);

test('every entry gets one place, whichever of two nodes gives it and whenever it commits', async () => {
  const late = new pg.Client({ connectionString: store.url });
  await late.connect();
  await late.query('BEGIN');
  await writeEntries(3, late);
  const writing = (async () => {
    for (let batch = 0; batch < 12; batch += 1) await writeEntries(60, owner);
  })();
  const until = writing.then(() => late.query('COMMIT')).then(() => late.end());
  let isOver = false;
  const sequencing = [store, twin].map(async (node) => {
    while (!isOver) await sequenceAll(node);
  });
  await until;
  isOver = true;
  await Promise.all(sequencing);
  await sequenceAll(store);
  const [entries, leaves, end, waiting] = (await counts()) as number[];
  expect(entries).toBeGreaterThan(720);
  expect([leaves, end, waiting]).toEqual([entries, entries, 0]);
  expect(await verify(store)).toMatchObject({ size: entries, fault: null, waiting: 0, unverified: 0 });
});

test('one that fails in the middle changes nothing, and the next takes all of it', async () => {
  await writeEntries(5, owner);
  const before = await counts();
  const failing = twin.merkleLog.append(100, 0, () => {
    throw new TypeError('the process dies here');
  });
  await expect(failing).rejects.toThrow('dies here');
  expect(await counts()).toEqual(before);
  await sequenceAll(store);
  expect(await verify(store)).toMatchObject({ fault: null, waiting: 0 });
});

test('while one is at it, another leaves it alone', async () => {
  await writeEntries(1, owner);
  await owner.query('BEGIN');
  await owner.query('SELECT pg_advisory_xact_lock(4700004)');
  expect(
    await twin.merkleLog.append(100, 0, () => {
      throw new TypeError('must not be reached');
    }),
  ).toBeNull();
  await owner.query('ROLLBACK');
  await sequenceAll(store);
});

test('a writer that extends the log from an older size stores nothing, with or without the lock', async () => {
  await writeEntries(4, owner);
  const before = await counts();
  const [, size] = before as number[];
  await owner.query(`INSERT INTO audit_leaf VALUES ($1, 'someone else')`, [size]);
  await expect(sequenceAll(twin)).rejects.toThrow(/unique|Unique/);
  await asSuperuser('DELETE FROM audit_leaf WHERE idx = $1', [size]);
  expect(await counts()).toEqual(before);
  await sequenceAll(store);
  expect((await verify(store)).fault).toBeNull();
});

test('a tile keeps what it holds, and nothing of the log is ever removed, no matter who asks', async () => {
  for (const sql of [
    `UPDATE audit_tile SET hashes = decode(repeat('00', 32), 'hex')`,
    'DELETE FROM audit_tile',
    'TRUNCATE audit_tile',
    'UPDATE audit_leaf SET idx = idx + 1000000',
    'DELETE FROM audit_leaf',
    `UPDATE audit_checkpoint SET note = ''`,
    'TRUNCATE audit_checkpoint',
    `UPDATE audit_origin SET name = 'mine'`,
    'TRUNCATE audit_queue',
  ]) {
    await expect(owner.query(sql)).rejects.toThrow('append-only');
    await expect(store.query(sql)).rejects.toThrow(/permission denied|append-only/);
  }
  await expect(owner.query(`INSERT INTO audit_origin VALUES ('second')`)).rejects.toThrow('audit_origin_one_key');
});

async function asSuperuser(sql: string, values: unknown[] = []): Promise<void> {
  await owner.query('SET session_replication_role = replica');
  await owner.query(sql, values).finally(() => owner.query('RESET session_replication_role'));
}
