import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { signCheckpoint } from '#audit/tree/rules/checkpoint';
import { rootHash, growTiles, nodesIn } from '#audit/tree/rules/merkle';
import { noteSigner, verifierKey } from '#audit/tree/rules/notes';
import { createKeyRing } from '#platform/crypto/key-ring';
import type { LogReport, VerifyLogRequest } from '#audit/verify/verbs/verify-log';
import type { Prisma } from '#platform/database/generated/prisma/client';
import { openDatabase } from '#platform/database/database';
import { snapshotIn } from '#platform/database/snapshot';
import { killProcesses, startProgram } from '../../cli/assentry-process.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { freshDatabase } from '../../support/databases/database.ts';
import { testRing, verify } from '../../support/nodes/log.ts';
import { until } from '../../support/poll.ts';
import { startTestServer, testSecrets } from '../../support/nodes/server.ts';
import { nodeUrl } from '../../support/databases/node-login.ts';

/** What the server that asked has kept: of the fourth question, and of the last. */
const receipts: string[] = [];
/** A log of real questions and answers, which each test changes and puts back. */
const source = await freshDatabase();
const server = await startTestServer({ databaseUrl: source.url });
const asking = askingAt(server.url, await server.newServerKey());
for (let count = 0; count < 6; count += 1) {
  const { id } = await asking.open({ audience: 'requester' });
  await asking.call('POST', `/v1/elicitations/${id}/answer`, { action: 'accept', content: {} });
  if (count === 3 || count === 5) {
    receipts.push(await (await asking.call('GET', `/v1/elicitations/${id}/receipt`)).text());
  }
}
await until(async () => !(await server.engine.merkleLog.isWaiting()));
await server.stop();
const owner = openDatabase(source.url);
afterAll(async () => {
  await killProcesses();
  await owner.close();
  await source.drop();
});

type Tamper = (tx: Prisma.TransactionClient) => Promise<unknown>;

const undo = new TypeError('nothing of this stays');

/** What is found after someone changed the log whom no right and no trigger stops. */
async function reportAfter(tamper: Tamper, kept: string[] = [], ring = testRing): Promise<LogReport> {
  let report: LogReport | undefined;
  await owner.prisma
    .$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tamper(tx);
      report = await verify({ readLog: async (read) => read(await snapshotIn(tx)) }, { kept }, ring);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  if (!report) throw new TypeError('nothing was reported');
  return report;
}

const faultOf = async (tamper: Tamper, kept?: string[]) => (await reportAfter(tamper, kept)).fault;

const run =
  (...statements: string[]): Tamper =>
  async (tx) => {
    for (const sql of statements) await tx.$executeRawUnsafe(sql);
  };

const entryAt = (index: number): string => `(SELECT entry_id FROM audit_leaf WHERE idx = ${index})`;
/** Says something else, with the row's own hash made to fit. */
const edit = `UPDATE audit_entry SET body = b.body, leaf_hash = sha256('\\x00'::bytea || b.body)
  FROM (SELECT id, convert_to(replace(convert_from(body, 'UTF8'), 'accepted', 'declined'), 'UTF8') AS body FROM audit_entry) b
  WHERE b.id = audit_entry.id AND audit_entry.id = ${entryAt(5)}`;
const forge = `INSERT INTO audit_entry
  SELECT 'aud_forged', 1000000, at, type, elicitation_id, subject_id, body, leaf_hash, mac FROM audit_entry WHERE id = ${entryAt(5)}`;
const cutOff = [
  `DELETE FROM audit_entry WHERE id IN (SELECT entry_id FROM audit_leaf WHERE idx >= 6)`,
  'DELETE FROM audit_leaf WHERE idx >= 6',
];

/** AD-04 */
describe('someone with all rights over the database', () => {
  const cases: [string, Tamper, RegExp][] = [
    ['edits an entry', run(edit), /^The entry at place 5 is not the one that was logged\.$/],
    [
      'edits only what readers go by',
      run(`UPDATE audit_entry SET at = at - interval '1 day' WHERE id = ${entryAt(5)}`),
      /^The row of the entry aud_\S+ at place 5 differs from the entry itself\.$/,
    ],
    [
      'moves an entry to another request',
      run(`UPDATE audit_entry SET elicitation_id = 'eli_other' WHERE id = ${entryAt(5)}`),
      /place 5 differs/,
    ],
    [
      'gives an entry to another person',
      run(`UPDATE audit_entry SET person = 'usr_other' WHERE id = ${entryAt(5)}`),
      /place 5 differs/,
    ],
    [
      'hides a question from those who search for its digest',
      run(`UPDATE audit_entry SET digest = NULL WHERE id = (SELECT min(id) FROM audit_entry WHERE digest <> '')`),
      /differs from the entry itself\.$/,
    ],
    [
      'hides a question from those who search for its client',
      run(`UPDATE audit_entry SET client = 'another' WHERE id = (SELECT min(id) FROM audit_entry WHERE digest <> '')`),
      /differs from the entry itself\.$/,
    ],
    [
      'leaves nonsense',
      run(`UPDATE audit_entry SET body = 'x', leaf_hash = sha256('\\x0078'::bytea) WHERE id = ${entryAt(5)}`),
      /at place 5/,
    ],
    [
      'deletes an entry',
      run(`DELETE FROM audit_entry WHERE id = ${entryAt(5)}`),
      /^The entry aud_\S+ at place 5 is missing\.$/,
    ],
    [
      'deletes an entry with its place',
      run(`DELETE FROM audit_entry WHERE id = ${entryAt(5)}`, 'DELETE FROM audit_leaf WHERE idx = 5'),
      /^Place 5 of the log/,
    ],
    [
      'closes the gap',
      run(
        `DELETE FROM audit_entry WHERE id = ${entryAt(5)}`,
        'DELETE FROM audit_leaf WHERE idx = 5',
        'UPDATE audit_leaf SET idx = -idx WHERE idx > 5',
        'UPDATE audit_leaf SET idx = -idx - 1 WHERE idx < 0',
      ),
      /^The entry at place 5 is not the one that was logged\.$/,
    ],
    [
      'swaps two entries',
      run(
        'UPDATE audit_leaf SET idx = -5 WHERE idx = 5',
        'UPDATE audit_leaf SET idx = 5 WHERE idx = 6',
        'UPDATE audit_leaf SET idx = 6 WHERE idx = -5',
      ),
      /^The entry at place 5 is not the one that was logged\.$/,
    ],
    ['inserts an entry', run(forge), /aud_forged/],
    [
      'inserts an entry with a place at the end',
      run(forge, `INSERT INTO audit_leaf SELECT max(idx) + 1, 'aud_forged' FROM audit_leaf`),
      /aud_forged/,
    ],
    ['cuts off the end', run(...cutOff), /^The tile 0\/0|The log ends after 6 entries|was cut off/],
    [
      'empties the log',
      run('TRUNCATE audit_entry', 'TRUNCATE audit_leaf'),
      /^The log ends after 0 entries, but a checkpoint over/,
    ],
    ['removes a tile', run('DELETE FROM audit_tile'), /^The tile 0\/0 of the log is missing\.$/],
    ['makes up a tile', run(`INSERT INTO audit_tile SELECT 3, 0, hashes FROM audit_tile`), /tiles that do not belong/],
    [
      'removes the latest signatures',
      run('DELETE FROM audit_checkpoint WHERE size > 3'),
      /^No checkpoint of a known key covers the entries from place \d+ on\.$/,
    ],
    [
      'lets a view leave someone out',
      run(
        `CREATE OR REPLACE VIEW audit.erasures AS SELECT * FROM (SELECT NULL::text AS entry, NULL::text AS request, NULL::text AS server,
           NULL::text AS tool, NULL::text AS policy, NULL::timestamptz(3) AS erased_at, NULL::text AS ground, NULL::text AS erased_by,
           NULL::text AS person, NULL::text[] AS agreed) nothing WHERE false`,
      ),
      /^The view audit.erasures is not the one that the migrations made/,
    ],
    [
      'lets a trigger swallow what is yet to come',
      run(
        `CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $x$BEGIN RETURN NULL; END;$x$`,
        'CREATE TRIGGER swallow BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION swallow()',
      ),
      /^The trigger swallow of the table audit_entry is none/,
    ],
    [
      'makes up a signature',
      run(`UPDATE audit_checkpoint SET note = regexp_replace(note, '[^ ]{20}=\\n$', repeat('A', 20) || E'=\\n')`),
      /was not signed by this installation\.$/,
    ],
  ];

  test.each(cases)('is found out who %s', async (_name, tamper, fault) => {
    expect(await faultOf(tamper)).toMatch(fault);
  });

  test('is not suspected if entries have no columns of what searches ask for, as those from before', async () => {
    expect(await faultOf(run('UPDATE audit_entry SET person = NULL, digest = NULL, client = NULL'))).toBeNull();
  });

  test('is found out who makes everything again but the signature', async () => {
    const fault = await faultOf(async (tx) => {
      await tx.$executeRawUnsafe(edit);
      await makeAnew(tx);
    });
    expect(fault).toMatch(/^The first \d+ entries differ from the checkpoint over them\.$/);
  });

  test('is found out who signs everything again with a key of their own', async () => {
    const fault = await faultOf(async (tx) => {
      await tx.$executeRawUnsafe(edit);
      const { size, root } = await makeAnew(tx);
      const { name: origin } = await tx.auditOrigin.findFirstOrThrow();
      const note = signCheckpoint({ origin, size, root }, [noteSigner(origin, Buffer.alloc(32, 7))]);
      await tx.auditCheckpoint.deleteMany();
      await tx.auditCheckpoint.create({ data: { size, note, at: new Date() } });
    });
    expect(fault).toMatch(/^The entry \S+ at place 5 was not written by this installation\.$/);
  });

  test('who cuts the log back to an older signed end is found out by a receipt kept elsewhere', async () => {
    const [older = '', newest = ''] = receipts;
    const rewind: Tamper = async (tx) => {
      const heads = await tx.auditCheckpoint.findMany({ orderBy: { size: 'asc' } });
      const size = Number(heads.at(-2)?.size);
      await run(
        `DELETE FROM audit_entry WHERE id IN (SELECT entry_id FROM audit_leaf WHERE idx >= ${size})`,
        `DELETE FROM audit_leaf WHERE idx >= ${size}`,
        `DELETE FROM audit_checkpoint WHERE size > ${size}`,
        `UPDATE audit_tile SET hashes = substring(hashes FROM 1 FOR ${size * 32})`,
      )(tx);
    };
    expect(await faultOf(rewind)).toMatch(/^The log has no entry for the row|^The row \S+ differs from the log/);
    expect(await faultOf(rewind, [older])).toMatch(/row/);
    expect(await faultOf(rewind, [older, newest])).toMatch(/^The log ends after \d+ entries, but .* was cut off\.$/);
  });
});

test('an entry whose MAC is under an unknown secret is counted: it is as it was logged, and nothing rests on it', async () => {
  const report = await reportAfter(
    run(`UPDATE audit_entry SET mac = overlay(mac placing 'zz'::bytea from 2) WHERE id = ${entryAt(5)}`),
  );
  expect(report).toMatchObject({ fault: null, unproven: 1 });
  expect(await reportAfter(run())).toMatchObject({ unproven: 0, areViewsCompared: true });
});

test('an unchanged log verifies, with what was kept of it; what no known key signed is not compared', async () => {
  expect(await reportAfter(run(), receipts)).toMatchObject({ fault: null, unverified: 0, waiting: 0 });
  const otherRing = createKeyRing([{ kid: 'other', secret: 'a-secret-of-some-other-installation' }]);
  await expect(reportAfter(run(), receipts, otherRing)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('a file or a key of another log is a mistake, and does not make this log look cut off', async () => {
  const other = noteSigner('assentry/other', Buffer.alloc(32, 3));
  const kept = signCheckpoint({ origin: 'assentry/other', size: 1_000_000, root: Buffer.alloc(32) }, [other]);
  const check = (request: Partial<VerifyLogRequest>) =>
    owner.prisma.$transaction(async (tx) => verify({ readLog: async (read) => read(await snapshotIn(tx)) }, request));
  await expect(check({ kept: [...receipts, kept] })).rejects.toMatchObject({ errors: [{ path: ['kept', 3] }] });
  await expect(check({ kept: [kept], keys: [verifierKey(other)] })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    errors: [{ path: ['key'], message: expect.stringContaining('this one is of assentry/other') }],
  });
});

test('the command says the first place that is wrong, and fails', async () => {
  const copy = await freshDatabase();
  const client = new pg.Client({ connectionString: copy.url });
  await client.connect();
  await client.query(`SET session_replication_role = replica; INSERT INTO audit_leaf VALUES (0, 'nobody')`);
  await client.end();
  const env = { DATABASE_URL: nodeUrl(copy.url), ASSENTRY_SECRETS: `test:${testSecrets[0]?.secret}` };
  const ended = await startProgram(['src/cli/main.ts', 'audit', 'verify'], { env }).ended;
  await copy.drop();
  expect(ended).toMatchObject({ code: 1, stdout: 'The entry nobody at place 0 is missing.\n' });
  expect(ended.stderr).toBe(
    'assentry: Do not trust this log: it was changed, or what follows from it or protects it was.\n',
  );
});

/** Tiles and root as the entries by now would have them. */
async function makeAnew(tx: Prisma.TransactionClient): Promise<{ size: number; root: Buffer }> {
  const rows = await tx.$queryRaw<{ leaf_hash: Uint8Array }[]>`
    SELECT leaf_hash FROM audit_leaf l JOIN audit_entry e ON e.id = l.entry_id ORDER BY idx`;
  const tiles = growTiles(
    [],
    0,
    rows.map((row) => Buffer.from(row.leaf_hash)),
  );
  expect(tiles).toHaveLength(1);
  await tx.auditTile.updateMany({ data: { hashes: new Uint8Array(tiles[0]?.hashes ?? []) } });
  return { size: rows.length, root: rootHash(nodesIn(tiles), rows.length) };
}
