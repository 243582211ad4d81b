import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { keptHead, signCheckpoint, logSigners } from '#audit/tree/rules/checkpoint';
import { rootHash, growTiles, nodesIn } from '#audit/tree/rules/merkle';
import { createKeyRing } from '#platform/crypto/key-ring';
import { openOperator } from '#server/open-operator';
import { askingAt } from '../support/nodes/asking.ts';
import { freshDatabase, type FreshDatabase } from '../support/databases/database.ts';
import { spawnNode } from '../support/nodes/node-process.ts';
import { until } from '../support/poll.ts';
import { silentNode, startTestServer, testSecrets, type TestServer } from '../support/nodes/server.ts';
import { nodeUrl } from '../support/databases/node-login.ts';
import { json } from '../support/json.ts';
import { newFolder } from '../support/new-folder.ts';

let database: FreshDatabase;
const directory = newFolder('head');
const originalHead = path.join(directory, 'original');
const logHead = path.join(directory, 'head');
/** A log whose node has stopped; each test attacks a copy of its own, with every right and no trigger in the way. */
const original = await freshDatabase();
afterAll(() => original.drop());
const server = await startTestServer({ databaseUrl: original.url, logHead: originalHead });
const asking = askingAt(server.url, await server.newServerKey());
for (const _ of [1, 2, 3]) {
  await asking.open();
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
}
await server.stop();
beforeEach(async () => {
  database = await freshDatabase({ template: new URL(original.url).pathname.slice(1) });
  copyFileSync(originalHead, logHead);
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  await database?.drop();
});

const started: TestServer[] = [];
async function start(options = {}): Promise<TestServer> {
  const server = await startTestServer({ databaseUrl: database.url, logHead, ...options });
  started.push(server);
  return server;
}

const headIn = (file: string) => keptHead(readFileSync(file, 'utf8'));

async function attack(...statements: string[]): Promise<Record<string, unknown>[]> {
  const intruder = new pg.Client({ connectionString: database.url });
  await intruder.connect();
  await intruder.query('SET session_replication_role = replica');
  let rows: Record<string, unknown>[] = [];
  for (const sql of statements) ({ rows } = await intruder.query<Record<string, unknown>>(sql));
  await intruder.end();
  return rows;
}

/** Back to the first head that was ever signed. */
const first = '(SELECT min(size) FROM audit_checkpoint)';
const cutOff = [
  `DELETE FROM audit_leaf WHERE idx >= ${first}`,
  `UPDATE audit_tile SET hashes = substring(hashes FROM 1 FOR 32 * ${first}::int)`,
  `DELETE FROM audit_checkpoint WHERE size > ${first}`,
  'DELETE FROM audit_entry WHERE id NOT IN (SELECT entry_id FROM audit_leaf)',
];
const edited = `UPDATE audit_entry SET body = body || '\\x20', leaf_hash = sha256('\\x00'::bytea || body || '\\x20')
  WHERE id = (SELECT entry_id FROM audit_leaf WHERE idx = 0)`;
const emptied = 'TRUNCATE audit_checkpoint, audit_leaf, audit_tile';

/** Edits an entry, makes the tiles again, and signs the one head that is left with a key of the intruder. */
async function signAgain(): Promise<void> {
  const rows = await attack(
    edited,
    `SELECT leaf_hash, (SELECT name FROM audit_origin) AS origin
       FROM audit_leaf l JOIN audit_entry e ON e.id = l.entry_id ORDER BY idx`,
  );
  const origin = String(rows[0]?.['origin']);
  const leaves = rows.map(({ leaf_hash: hash }) => hash as Buffer);
  const tiles = growTiles([], 0, leaves);
  const root = rootHash(nodesIn(tiles), leaves.length);
  const ring = createKeyRing([{ kid: 'test', secret: 'a-secret-that-the-intruder-made-up' }]);
  const note = signCheckpoint({ origin, size: leaves.length, root }, logSigners(ring, origin));
  await attack(
    'TRUNCATE audit_checkpoint',
    `INSERT INTO audit_checkpoint (size, note, at) VALUES (${leaves.length}, '${note}', now())`,
    `UPDATE audit_tile SET hashes = '\\x${tiles[0]?.hashes.toString('hex')}' WHERE level = 0`,
  );
}

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['cut off', () => attack(...cutOff), /ends after \d entries, but a checkpoint over \d+ was signed: it was cut off/],
  ['emptied', () => attack(emptied, 'TRUNCATE audit_entry, audit_queue'), /ends after 0 entries/],
  [
    'begun again with an entry that was edited',
    () =>
      attack(
        edited,
        emptied,
        'INSERT INTO audit_queue (seq, entry_id, leaf_hash) SELECT seq, id, leaf_hash FROM audit_entry',
      ),
    /ends after 0 entries/,
  ],
  ['edited and signed again', signAgain, /not those that were signed before|signed by no known key/],
  ['robbed of its tiles', () => attack('TRUNCATE audit_tile'), /Tiles of the log are gone/],
  [
    'taken from another installation',
    () => attack(`UPDATE audit_origin SET name = 'assentry/other'`),
    /head of assentry/,
  ],
])('no node starts on a log that was %s, and the refusal says what to do', async (_name, tamper, fault) => {
  await tamper();
  const heads = await attack('SELECT size, note FROM audit_checkpoint ORDER BY size');
  const refusal = (await start().catch((error: unknown) => error)) as Error;
  expect(refusal).toMatchObject({ code: 'proof-invalid', message: expect.stringMatching(fault) });
  expect(refusal.message).toContain(
    `Put back a backup of the database that has everything up to the head in ${logHead}.`,
  );
  expect(await attack('SELECT size, note FROM audit_checkpoint ORDER BY size')).toEqual(heads);
  expect(readFileSync(logHead, 'utf8')).toBe(readFileSync(originalHead, 'utf8'));
});

test('an older backup starts after the operator has moved the file away, and not before', async () => {
  await attack(...cutOff);
  await expect(start()).rejects.toMatchObject({ code: 'proof-invalid' });
  renameSync(logHead, `${logHead}.before`);
  await (await start()).stop();
  expect(headIn(logHead)?.size).toBeLessThan(headIn(`${logHead}.before`)?.size ?? 0);
});

describe('after a database was put back to an older state while no node ran', () => {
  let copies: string;
  const verify = async (kept: { logHead?: string; logCopies?: string }) => {
    const operator = await openOperator({
      ...silentNode,
      ...kept,
      secrets: testSecrets,
      databaseUrl: nodeUrl(database.url),
    });
    return operator.verifyLog({ keys: [], kept: [] }).finally(() => operator.close());
  };
  beforeEach(async () => {
    copies = newFolder('copies');
    const later = await start({ logCopies: copies });
    await askingAt(later.url, await later.newServerKey()).open();
    await later.stop();
    writeFileSync(path.join(copies, 'checkpoint-000000009999'), 'assentry/'); // a node was killed while it wrote
    await database.drop();
    database = await freshDatabase({ template: new URL(original.url).pathname.slice(1) });
  });

  test('a copy of a later head stops the start, until another directory is given', async () => {
    const refusal = (await start({ logHead: null, logCopies: copies }).catch((error: unknown) => error)) as Error;
    expect(refusal).toMatchObject({ code: 'proof-invalid', message: expect.stringMatching(/was cut off/) });
    expect(refusal.message).toMatch(
      /up to the head in \S+copies-\w+\/checkpoint-0+\d+\. .* give another directory as ASSENTRY_LOG_COPIES, /,
    );
    await (await start({ logHead: null, logCopies: `${copies}-2` })).stop();
  });

  test.each([
    ['the file', () => ({ logHead })],
    ['a copy', () => ({ logCopies: copies })],
  ])('the verification of an operator names %s that has a later head', async (_name, kept) => {
    expect((await verify({})).fault).toBeNull();
    const { fault } = await verify(kept());
    expect(fault).toMatch(/^The log does not continue the head that is kept in .*ends after \d entries/);
    expect(fault).toContain(Object.values(kept())[0]);
  });
});

test('a log that went on is kept further, at the latest when the node stops', async () => {
  const server = await start();
  await askingAt(server.url, await server.newServerKey()).open();
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
  const latest = await server.engine.merkleLog.latest();
  await server.stop();
  expect(headIn(logHead)).toMatchObject({ size: latest?.size, note: latest?.note });
  expect(latest?.size).toBeGreaterThan(headIn(originalHead)?.size ?? 0);
});

test('secrets that changed while no node ran stop no start', async () => {
  const k2 = { kid: 'k2', secret: 'the-second-secret-of-this-installation' };
  const secrets = [...testSecrets, k2];
  const operator = await openOperator({ ...silentNode, databaseUrl: nodeUrl(database.url), secrets });
  await operator.secrets.rotate('k2');
  await operator.secrets.rewrap();
  await operator.secrets.retire('test', { endLinks: true });
  await operator.close();
  const server = await start({ secrets: [k2] });
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
  await server.stop();
  expect(headIn(logHead)?.size).toBeGreaterThan(headIn(originalHead)?.size ?? 0);
});

test('a file that holds no head, or cannot be written, stops the start and names the setting', async () => {
  writeFileSync(logHead, 'nothing of the kind');
  await expect(start()).rejects.toMatchObject({ message: expect.stringMatching(/^ASSENTRY_LOG_HEAD: .* no head/) });
  const elsewhere = path.join(logHead, 'below-a-file');
  await expect(start({ logHead: elsewhere })).rejects.toMatchObject({
    message: expect.stringMatching(/^ASSENTRY_LOG_HEAD/),
  });
});

test('while the log stands still under a running node, /readyz says so; once it is put right, no more', async () => {
  const server = await start();
  const warnings = async () => (await json<{ warnings: unknown }>(fetch(`${server.url}/readyz`))).warnings;
  const asking = askingAt(server.url, await server.newServerKey());
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
  expect(await warnings()).toEqual([]);
  await attack('CREATE TABLE aside AS SELECT * FROM audit_checkpoint', 'TRUNCATE audit_checkpoint');
  await asking.open();
  await until(async () => JSON.stringify(await warnings()) === '[{"code":"log-stands-still"}]');
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await attack('INSERT INTO audit_checkpoint SELECT * FROM aside');
  await until(async () => JSON.stringify(await warnings()) === '[]');
  await server.stop();
});

test("without a file the head is a line of the node's own log, and a wrong one is refused all the same", async () => {
  const node = await spawnNode(database.url, { logLevel: 'info' });
  const line = await until(() => node.log().match(/"size":(\d+),"root":"([^"]+)","msg":"the head of the log"/));
  await node.stop();
  const [signed] = await attack(`SELECT note FROM audit_checkpoint WHERE size = ${line[1]}`);
  expect(line[2]).toBe(Buffer.from(keptHead(String(signed?.note))?.root ?? []).toString('base64'));
  await attack(`UPDATE audit_tile SET hashes = '\\x00'::bytea || substring(hashes FROM 2) WHERE level = 0`);
  await expect(start({ logHead: null })).rejects.toMatchObject({
    code: 'proof-invalid',
    message: expect.stringMatching(/^Run "assentry audit verify"/),
  });
});
