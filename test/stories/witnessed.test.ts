import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { noteSigner, verifierKey } from '../../src/audit/signed-note.ts';
import { killProcesses, runAssentry, startProgram, type AssentryProcess } from '../cli/assentry-process.ts';
import { askingAt, type Asking } from '../support/asking.ts';
import { openBrowser } from '../support/console.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { nodeUrl } from '../support/node-login.ts';
import { until } from '../support/poll.ts';
import { startTestServer, testSecrets, type TestServer } from '../support/server.ts';
import { latestSeen } from '../../src/installation/backup/latest-seen.ts';
import { openWitnesses } from '../../src/installation/open-witnesses.ts';
import { offerCheckpoint } from '../../src/engine/log/offer-checkpoint.ts';
import { postOffer } from '../../src/worker/witness-client.ts';

/** A witness in a process of its own, and a log that it watches. */
let directory: string;
let witness: AssentryProcess;
let address: { key: string; url: string };
let database: FreshDatabase;
let server: TestServer;
let asking: Asking;
let lastWeek: FreshDatabase;

beforeAll(async () => {
  directory = mkdtempSync(path.join(process.env.TEST_DIRECTORY ?? os.tmpdir(), 'witnessed-'));
  database = await freshDatabase();
  const quiet = await startTestServer({ databaseUrl: database.url });
  const { keys } = await quiet.logKeys();
  await quiet.stop();
  address = await startWitness(keys.map(({ key }) => key));
  server = await start(database.url);
  asking = askingAt(server.url, await server.newServerKey());
}, 60_000);
afterAll(async () => {
  await server?.stop();
  await killProcesses();
  await lastWeek?.drop();
  await database?.drop();
});

async function startWitness(keys: string[], port = '0'): Promise<{ key: string; url: string }> {
  const logs = keys.flatMap((key) => ['--log', key]);
  const options = ['--name', 'witness.example.com/w1', '--directory', path.join(directory, 'witness'), '--port', port];
  witness = startProgram(['src/cli/main.ts', 'witness', ...options, ...logs]);
  const start = await until(() => /ready at (\S+)\nIts key: (\S+)\n/.exec(witness.said.stdout), { within: 30_000 });
  return { url: start?.[1] ?? '', key: start?.[2] ?? '' };
}

const start = (databaseUrl: string, options = {}): Promise<TestServer> =>
  startTestServer({ databaseUrl, witnesses: [address], logCopies: path.join(directory, 'copies'), ...options });

const offer = async (): Promise<unknown> => {
  const [address] = server.engine.witnesses;
  return address && offerCheckpoint(server.engine, address, postOffer);
};

async function grow(): Promise<string> {
  const { id } = await asking.open();
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
  return id;
}

const ready = async (): Promise<Record<string, unknown>> =>
  (await (await fetch(`${server.url}/readyz`)).json()) as Record<string, unknown>;

const env = (): Record<string, string> => ({
  DATABASE_URL: nodeUrl(database.url),
  ASSENTRY_SECRETS: testSecrets.map(({ kid, secret }) => `${kid}:${secret}`).join(),
});

test('each head is cosigned, and the word of the witness is in receipts, at /readyz, on the page and offline', async () => {
  const id = await grow();
  const ada = await openBrowser(server);
  const { digest } = await ada.show(id);
  await ada.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest });
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
  expect(await offer()).toBe('cosigned');
  const size = (await server.engine.merkleLog.latest())?.size;
  const shown = { name: 'witness.example.com/w1', size, at: expect.any(Number) };
  await until(async () => JSON.stringify((await ready())['witnesses']).includes(`"size":${size},`), { within: 15_000 });
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
  const stranger = 'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2';
  expect(await runAssentry([...check, '--witness', stranger])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/the witness remora\.n621\.de has not cosigned/),
  });
  const verified = await runAssentry(['audit', 'verify', '--witness', address.key], { env: env() });
  expect([verified.code, verified.stdout]).toEqual([
    0,
    expect.stringMatching(/^witness\.example\.com\/w1 saw \d+ of them at /m),
  ]);
  expect(await runAssentry(['audit', 'verify', '--witness', stranger], { env: env() })).toMatchObject({ code: 1 });
});

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

test('copies of heads are files of their own outside the database, the cosigned one with its cosignature', async () => {
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
  expect(await offer()).toBe('cosigned');
  await server.stop();
  const copies = readdirSync(path.join(directory, 'copies')).sort();
  for (const name of copies) expect(name).toMatch(/^checkpoint-\d{12}$/);
  const last = readFileSync(path.join(directory, 'copies', copies.at(-1) ?? ''), 'utf8');
  expect(last).toMatch(/^assentry\/[^]*^— witness\.example\.com\/w1 /m);
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

  server = await start(lastWeek.url);
  await until(async () => JSON.stringify((await ready())['warnings']).includes('witness-disagrees'), {
    within: 15_000,
  });
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
    new URL(address.url).port,
  );
  expect(again).toEqual(address);
  asking = askingAt(server.url, await server.newServerKey('fork'));
  for (const _ of [1, 2, 3, 4, 5, 6]) await grow();
  expect(await offer()).toBe('disagrees');
});
