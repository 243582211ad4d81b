import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { auditEntry, type AuditEvent } from '#audit/entries/rules/entry';
import { noteSigner, verifierKey } from '#audit/tree/rules/notes';
import { killProcesses, runAssentry, startProgram, type AssentryProcess } from '../cli/assentry-process.ts';
import { shippedProgram } from '../support/compiled.ts';
import { startBucket } from '../platform/config/bucket-server.ts';
import { askingAt, type Asking } from '../support/nodes/asking.ts';
import { openBrowser } from '../support/nodes/console.ts';
import { freshDatabase, type FreshDatabase } from '../support/databases/database.ts';
import { testEvidence } from '../support/audit/evidence.ts';
import { buildForeignVerifier, type ForeignVerifier } from '../support/audit/foreign-verifier.ts';
import { insertSealed } from '../support/nodes/log.ts';
import { nodeUrl } from '../support/databases/node-login.ts';
import { recordOffers } from '../support/nodes/offer-recorder.ts';
import { until } from '../support/poll.ts';
import { startTestServer, testSecrets, type TestServer } from '../support/nodes/server.ts';
import { json } from '../support/json.ts';
import { newId } from '#platform/crypto/random';
import { latestSeen } from '#keeping/backup/wiring';
import { openWitnesses } from '#audit/tree/wiring/witnesses';
import { offerCheckpoint } from '#audit/tree/verbs';
import { postOffer } from '#audit/tree/loops/witnesses';
import { newFolder } from '../support/new-folder.ts';

let witness: AssentryProcess;
let lastWeek: FreshDatabase;

async function startWitness(keys: string[], port = '0'): Promise<{ key: string; url: string }> {
  const logs = keys.flatMap((key) => ['--log', key]);
  const options = ['--name', 'witness.example.com/w1', '--directory', path.join(directory, 'witness'), '--port', port];
  witness = startProgram([shippedProgram, 'witness', ...options, ...logs]);
  const start = await until(() => /ready at (\S+)\nIts key: (\S+)\n/.exec(witness.said.stdout));
  return { url: start?.[1] ?? '', key: start?.[2] ?? '' };
}

/** A public witness, which never saw this log. */
const stranger = 'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2';

const start = (databaseUrl: string, options = {}): Promise<TestServer> =>
  startTestServer({
    databaseUrl,
    witnesses: [address],
    logCopies: path.join(directory, 'copies'),
    logBucket: bucket.settings,
    ...options,
  });

/** A witness in a process of its own, and a log that it watches. */
const directory = newFolder('witnessed');
const bucket = await startBucket();
const database = await freshDatabase();
const quiet = await startTestServer({ databaseUrl: database.url });
const { keys } = await quiet.logKeys();
await quiet.stop();
const own = await startWitness(keys.map(({ key }) => key));
const recorder = await recordOffers(own.url);
/** How nodes reach the witness: past the recorder. */
const address: { key: string; url: string } = { key: own.key, url: recorder.url };
let server: TestServer = await start(database.url);
afterAll(async () => {
  await server.stop();
  recorder.stop();
  bucket.stop();
  await killProcesses();
  await lastWeek?.drop();
  await database.drop();
});
let asking: Asking = askingAt(server.url, await server.newServerKey());

const offer = async (): Promise<unknown> => {
  const [address] = server.engine.witnesses;
  return address && offerCheckpoint(server.engine, address, postOffer);
};

async function grow(): Promise<string> {
  const { id } = await asking.open();
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
  return id;
}

const ready = (): Promise<Record<string, unknown>> => json<Record<string, unknown>>(fetch(`${server.url}/readyz`));

const env = (): Record<string, string> => ({
  DATABASE_URL: nodeUrl(database.url),
  ASSENTRY_SECRETS: testSecrets.map(({ kid, secret }) => `${kid}:${secret}`).join(),
});

test('each head is cosigned, and the word of the witness is in receipts, at /readyz, on the page and offline', async () => {
  const id = await grow();
  const ada = await openBrowser(server);
  const { digest } = await ada.show(id);
  await ada.vote({ id, digest });
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
  expect(await offer()).toBe('cosigned');
  const size = (await server.engine.merkleLog.latest())?.size;
  const shown = { name: 'witness.example.com/w1', size, at: expect.any(Number) };
  await until(async () => JSON.stringify((await ready())['witnesses']).includes(`"size":${size},`));
  expect(await ready()).toMatchObject({ warnings: [], witnesses: [shown] });
  const grace = await openBrowser(server, 'reviewer');
  const proof = await (await grace.call('GET', '/api/audit/proof')).json();
  expect(proof).toMatchObject({ witnesses: [shown], disagreeing: [] });

  const receipt = await (await ada.call('GET', `/api/elicitations/${id}/receipt`)).text();
  const file = path.join(directory, 'receipt');
  writeFileSync(file, receipt);
  const [logKey] = (await server.logKeys()).keys;
  const check = ['receipt', 'verify', file, '--key', logKey?.key ?? ''];
  const genuine = await runAssentry([...check, '--witness', address.key]);
  expect([genuine.code, genuine.stdout]).toEqual([
    0,
    expect.stringMatching(/^Witness: {2}witness\.example\.com\/w1, at 20/m),
  ]);
  const unseen = await runAssentry([...check, '--witness', stranger, '--json']);
  const fault = 'The witness remora.n621.de has not cosigned this one.';
  expect([unseen.code, unseen.stderr, JSON.parse(unseen.stdout)]).toEqual([
    1,
    expect.stringContaining(fault),
    { ok: false, fault },
  ]);
  const verified = await runAssentry(['audit', 'verify', '--witness', address.key], { env: env() });
  expect([verified.code, verified.stdout]).toEqual([
    0,
    expect.stringMatching(/^witness\.example\.com\/w1 saw \d+ of them at /m),
  ]);
  expect(await runAssentry(['audit', 'verify', '--witness', stranger], { env: env() })).toMatchObject({ code: 1 });
});

describe("a verifier of other people, Go's own for logs", () => {
  let verify: ForeignVerifier;
  let key: string;
  beforeAll(async () => {
    verify = buildForeignVerifier(directory);
    key = (await server.logKeys()).keys[0]?.key ?? '';
  });

  const file = (name: string, text?: string): string => {
    const place = path.join(directory, name);
    if (text !== undefined) writeFileSync(place, text);
    return place;
  };
  const changed = (place: string): void => {
    const bytes = readFileSync(place);
    const middle = Math.floor(bytes.length / 2);
    writeFileSync(place, bytes.with(middle, (bytes[middle] ?? 0) ^ 1));
  };

  test('accepts checkpoints, tiles and entries of a log of several tiles, and no changed byte of one', async () => {
    await writeReadings(600);
    await grow();
    const tiles = file('tiles');
    expect(await runAssentry(['audit', 'export', tiles, '--format', 'tiles'], { env: env() })).toMatchObject({
      code: 0,
    });
    expect(Number.parseInt(await verify('-key', key, 'tiles', tiles))).toBeGreaterThan(600);
    const names = readdirSync(tiles, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => statSync(path.join(tiles, name)).isFile());
    expect(files).toEqual(expect.arrayContaining(['tile/0/000', 'tile/entries/001', 'tile/1/000.p/2', 'checkpoint']));
    for (const name of files) {
      cpSync(tiles, file('forged'), { recursive: true, force: true });
      changed(path.join(file('forged'), name));
      await expect(verify('-key', key, 'tiles', file('forged'))).rejects.toMatchObject({ code: 1 });
    }
  });

  test('accepts exports, receipts and offers with the cosignatures of our witness, and no changed one', async () => {
    const id = await grow();
    const ada = await openBrowser(server);
    const { digest } = await ada.show(id);
    await ada.vote({ id, digest });
    await until(async () => !(await server.engine.merkleLog.isWaiting()));
    expect(await offer()).toBe('cosigned');
    expect(await runAssentry(['audit', 'export', file('export')], { env: env() })).toMatchObject({ code: 0 });
    const receipt = await (await ada.call('GET', `/api/elicitations/${id}/receipt`)).text();
    const offers = recorder.offers.map((text, at) => file(`offer-${at}`, text));
    expect(recorder.offers.some((text) => /^old [1-9]\d*\n[^\n]/.test(text))).toBe(true);
    const checks = [
      ['-key', key, 'export', file('export')],
      ['-key', key, '-witness', address.key, 'receipt', file('receipt', receipt)],
      ['-key', key, '-witness', address.key, 'offers', ...offers],
    ];
    await expect(verify('-key', key, '-witness', stranger, 'offers', ...offers)).rejects.toMatchObject({ code: 1 });
    for (const check of checks) {
      expect(await verify(...check)).toMatch(/\d/);
      changed(check.at(-1) ?? '');
      await expect(verify(...check)).rejects.toMatchObject({ code: 1 });
    }
  });
});

/** Entries that change no row, as many as make several tiles. */
async function writeReadings(count: number): Promise<void> {
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const at = Date.now();
  const reading = { type: 'access.listed', what: 'requests', about: [], count: 1, since: at } satisfies AuditEvent;
  const entries = Array.from({ length: count }, () => auditEntry(newId('entry'), at, { kind: 'operator' }, reading));
  await insertSealed(
    owner,
    entries.map((entry) => testEvidence.seal(entry, {})),
  );
  await owner.end();
}

test('a word of the witness that was changed in the database is shown to no one', async () => {
  const intruder = new pg.Client({ connectionString: database.url });
  await intruder.connect();
  const { rows } = await intruder.query<{ line: string }>('SELECT line FROM audit_cosignature');
  const forger = noteSigner('witness.example.com/w1', Buffer.alloc(32, 5));
  await intruder.query(`UPDATE audit_cosignature SET line = '— ${verifierKey(forger).slice(0, 20)} AAAA' || chr(10)`);
  const proof = await (await (await openBrowser(server, 'reviewer')).call('GET', '/api/audit/proof')).json();
  expect(proof).toMatchObject({ witnesses: [{ size: null, at: null }] });
  await intruder.query('UPDATE audit_cosignature SET line = $1', [rows[0]?.line]);
  await intruder.end();
});

test('copies of heads are files, and objects under a lock, of their own; the cosigned one with its cosignature', async () => {
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
  expect(await offer()).toBe('cosigned');
  await server.stop();
  const copies = readdirSync(path.join(directory, 'copies')).sort();
  for (const name of copies) expect(name).toMatch(/^checkpoint-\d{12}$/);
  const last = readFileSync(path.join(directory, 'copies', copies.at(-1) ?? ''), 'utf8');
  expect(last).toMatch(/^assentry\/[^]*^— witness\.example\.com\/w1 /m);
  expect([...bucket.objects.keys()].map((name) => path.basename(name)).sort()).toEqual(copies);
  const object = bucket.objects.get(`/bucket/heads/${copies.at(-1)}`);
  expect(object).toEqual({ text: last, mode: 'COMPLIANCE', until: expect.any(String) });
});

test("last week's backup is found by the witness, whatever the attacker takes along", async () => {
  lastWeek = await freshDatabase({ template: new URL(database.url).pathname.slice(1) });
  server = await start(database.url);
  asking = askingAt(server.url, await server.newServerKey('other'));
  await grow();
  expect(await offer()).toBe('cosigned');
  const { origin } = await server.logKeys();
  expect(await latestSeen(openWitnesses([address]), origin)).toEqual([expect.stringContaining(origin)]);
  await server.stop();

  await expect(start(lastWeek.url)).rejects.toMatchObject({ code: 'proof-invalid', message: /copies/ });
  rmSync(path.join(directory, 'copies'), { recursive: true });
  server = await start(lastWeek.url);
  await until(async () => JSON.stringify((await ready())['warnings']).includes('witness-disagrees'));
  expect((await ready())['warnings']).toEqual([{ code: 'witness-disagrees', witnesses: ['witness.example.com/w1'] }]);
  const grace = await openBrowser(server, 'reviewer');
  const proof = await (await grace.call('GET', '/api/audit/proof')).json();
  expect(proof).toMatchObject({ disagreeing: ['witness.example.com/w1'] });
});

test('a fork that has grown past what the witness saw is found as well, also after the witness was killed', async () => {
  witness.child.kill('SIGKILL');
  await witness.ended;
  await expect(latestSeen(openWitnesses([address]), 'x')).rejects.toMatchObject({ code: 'unavailable' });
  const { keys } = await server.logKeys();
  const again = await startWitness(
    keys.map(({ key }) => key),
    new URL(own.url).port,
  );
  expect(again).toEqual(own);
  asking = askingAt(server.url, await server.newServerKey('fork'));
  for (const _ of [1, 2, 3, 4, 5, 6]) await grow();
  expect(await offer()).toBe('disagrees');
});
