import { afterAll, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { ConnectionToken } from '#connect/connections/contract';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { keptHead } from '#audit/tree/rules/checkpoint';
import { readEntry } from '#audit/entries/rules/entry';
import { copyHeads } from '#platform/config/heads';
import { urlOf } from '#server/database';
import type { ElicitationId } from '#platform/model/id';
import { killProcesses, runAssentry } from '../cli/assentry-process.ts';
import { startFakeProvider, type FakeProvider } from '../support/connect/fake-provider.ts';
import { json } from '../support/json.ts';
import { askingAt, type Asking } from '../support/nodes/asking.ts';
import { openBrowser } from '../support/nodes/console.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { leaveBy, newVisitor } from '../support/nodes/visitor.ts';
import { until } from '../support/poll.ts';
import { startAs, testSecrets } from '../support/nodes/server.ts';
import { findSystemPostgres, startSystemPostgres, type SystemPostgres } from '../support/databases/system-postgres.ts';
import { newFolder } from '../support/new-folder.ts';

const bin = findSystemPostgres();
const clusters: SystemPostgres[] = [];
const directory = newFolder('restored');
afterAll(async () => {
  await killProcesses();
  for (const cluster of clusters) await cluster.remove();
});

/** An empty cluster with an empty database, and the address of its owner. */
async function startCluster(place: string): Promise<{ cluster: SystemPostgres; ownerUrl: string }> {
  const cluster = await startSystemPostgres(place);
  clusters.push(cluster);
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  await client.query(`CREATE ROLE assentry_owner LOGIN CREATEROLE PASSWORD 'the-password-of-the-owner'`);
  await client.query('CREATE DATABASE assentry OWNER assentry_owner');
  await client.end();
  return { cluster, ownerUrl: urlOf(cluster.url('assentry'), 'assentry_owner', 'the-password-of-the-owner') };
}

async function migrate(ownerUrl: string): Promise<string> {
  const { code, stdout, stderr } = await runAssentry(['migrate', '--json'], { env: { DATABASE_URL: ownerUrl } });
  expect([code, stderr.replaceAll(/^Applying \w+ …\n?/gm, '')]).toEqual([0, '']);
  return (JSON.parse(stdout) as { databaseUrl: string }).databaseUrl;
}

async function lastBackup(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ at: Date }>('SELECT at FROM last_backup').finally(() => client.end());
  return rows.map(({ at }) => at.toISOString()).join();
}

const secrets = testSecrets.map(({ kid, secret }) => `${kid}:${secret}`).join();
const ownerEnv = (ownerUrl: string) => ({ DATABASE_URL: ownerUrl, ASSENTRY_SECRETS: secrets });

/** Runs the command, and returns what it prints as JSON. */
async function done(words: string[], env: Record<string, string>): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runAssentry([...words, '--json'], { env });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Runs the command, which must fail, and returns what it says. */
async function refused(words: string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runAssentry(words, { env });
  expect([code, stdout]).toEqual([expect.any(Number), '']);
  expect(code).toBeGreaterThan(0);
  return stderr;
}

test('without pg_dump a backup says what to install, and leaves nothing', async () => {
  const database = await freshDatabase();
  const target = path.join(directory, 'nothing');
  const env = { ...ownerEnv(database.url), PATH: directory };
  expect(await refused(['backup', target], env)).toMatch(
    /^assentry: Install PostgreSQL's client programs of version \d+ or later, such as .*: there is no pg_dump on PATH\.\n$/,
  );
  expect(readdirSync(target)).toEqual([]);
  await database.drop();
});

// npm's PostgreSQL brings no pg_dump: on a machine without the system's packages only its absence is tested.
const onSystem = bin === null ? [] : [bin];
for (const place of onSystem)
  test('a backup is restored into an empty cluster without what was erased and continues there; a changed or older one is refused', async () => {
    const before = await startCluster(place);
    const logHead = path.join(directory, 'log-head');
    const provider = await startFakeProvider();
    const connectProviders = [provider.settings({ servers: ['payments'] })];
    const first = await startAs(await migrate(before.ownerUrl), { logHead, connectProviders });
    const asking = askingAt(first.url, await first.createServerKey('payments'));
    const ada = await openBrowser(first);
    const [open, approved] = [await asking.open(), await asking.open()];
    const vote = async (browser: typeof ada, id: string) => {
      const { digest } = await browser.show(id);
      return (await browser.vote({ id, digest })).status;
    };
    expect(await vote(ada, approved.id)).toBe(200);
    const gone = await asking.open();
    expect(await vote(ada, gone.id)).toBe(200);
    await asking.claim(gone.toolCall, 'one');
    await asking.call('POST', `/v1/tool-calls/${gone.toolCall}/complete`, { attempt: 'one', delivered: true });
    const row = await first.engine.reader.elicitation(gone.id as ElicitationId);
    const sealed = [row?.dataKey, row?.owner].map((bytes) => Buffer.from(bytes ?? []).toString('hex'));
    const plain = () => before.cluster.tool('pg_dump', `--dbname=${before.ownerUrl}`);
    expect((await plain()).split('\n').filter((line) => sealed.every((hex) => hex && line.includes(hex)))).toHaveLength(
      1,
    );
    const connection = await connect(asking, provider);
    await first.eraseContent({ request: gone.id as ElicitationId, of: 'request', ground: 'asked' });
    await until(async () => !(await first.engine.merkleLog.isWaiting()));
    await first.stop();
    const dump = await plain();
    expect(dump).toContain(gone.id);
    expect(sealed.filter((hex) => dump.includes(hex))).toEqual([]);
    expect(dump).toContain(connection);
    expect(provider.issued.filter((secret) => formsIn(secret).some((form) => dump.includes(form)))).toEqual([]);

    const backup = path.join(directory, 'backup');
    const written = await done(['backup', backup], ownerEnv(before.ownerUrl));
    expect(written).toMatchObject({ origin: expect.stringMatching(/^assentry\//), secrets: ['test'] });
    expect(await lastBackup(before.ownerUrl)).toBe(written['at']);
    const after = await startCluster(place);
    const afterEnv = { ...ownerEnv(after.ownerUrl), ASSENTRY_LOG_HEAD: logHead };
    const restored = await done(['restore', backup], afterEnv);
    expect(restored).toMatchObject({ size: written['size'], lost: null, login: 'assentry_node' });
    expect(await refused(['restore', backup], afterEnv)).toMatch(/Give an empty database .* this one has \d+ tables/);

    await expect(startAs(after.ownerUrl)).rejects.toThrow(/run "assentry migrate" with it/);
    const url = String(restored['databaseUrl']);
    const env = { DATABASE_URL: url, ASSENTRY_SECRETS: secrets };
    const verified = await runAssentry(['audit', 'verify', '--kept', logHead], { env });
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^The log assentry\/\S+ is whole/)]);

    const second = await startAs(url, { logHead, connectProviders });
    const use = asking.at(second.url).call('POST', `/v1/connections/${connection}/token`, { requester });
    expect(provider.isLive((await json<ConnectionToken>(use)).token)).toBe(true);
    await provider.close();
    const again = ada.at(second.url);
    expect(await vote(again, open.id)).toBe(200);
    for (const { toolCall } of [open, approved]) {
      expect(await (await asking.at(second.url).claim(toolCall, 'one')).json()).toMatchObject({ state: 'claimed' });
      expect(await (await asking.at(second.url).claim(toolCall, 'two')).json()).not.toMatchObject({ state: 'claimed' });
    }
    await until(async () => !(await second.engine.merkleLog.isWaiting()));
    await second.stop();

    const third = await startCluster(place);
    const thirdEnv = { ...ownerEnv(third.ownerUrl), ASSENTRY_LOG_HEAD: logHead };
    const lost = keptHead(readFileSync(logHead, 'utf8'));
    const copies = path.join(directory, 'copies');
    await copyHeads(copies)(lost?.size ?? 0, lost?.note ?? '');
    for (const env of [thirdEnv, { ...ownerEnv(third.ownerUrl), ASSENTRY_LOG_COPIES: copies }])
      expect(await refused(['restore', backup], env)).toMatch(
        new RegExp(`--older .*ends after \\d+ entries of the log, and a head over ${lost?.size} is known`),
      );
    await refuseTampered(backup, thirdEnv);
    const old = await done(['restore', backup, '--older'], thirdEnv);
    expect(old).toMatchObject({ lost: { size: lost?.size }, headAside: expect.stringContaining(logHead) });
    expect(keptHead(readFileSync(String(old['headAside']), 'utf8'))).toEqual(lost);
    const fourth = await startAs(String(old['databaseUrl']), { logHead });
    await until(async () => !(await fourth.engine.merkleLog.isWaiting()));
    const bodies = await fourth.engine.merkleLog.bodies(0, 1000);
    expect(bodies.map(readEntry).filter(({ type }) => type === 'database.restored')).toMatchObject([
      { actor: { kind: 'operator' }, size: written['size'], lost: { size: lost?.size } },
    ]);
    await fourth.stop();
  });

const requester = { subject: 'client:connected' };
const formsIn = (secret: string): string[] => [secret, Buffer.from(secret).toString('hex')];

/** Connects a requester; the id of the connection. */
async function connect(asking: Asking, provider: FakeProvider): Promise<string> {
  const expects = { kind: 'connection', provider: 'fake', scopes: ['repo'] };
  const question = { mode: 'url', audience: undefined, schema: undefined, message: 'Connect.', expects, requester };
  const { id, url = '', code = '' } = await asking.open(question);
  const visitor = newVisitor();
  await visitor.get((await provider.visit(await leaveBy(visitor, url ?? '', code))).href);
  const { content } = await json<OpenedElicitation>(asking.call('GET', `/v1/elicitations/${id}`));
  return String(content?.['connection']);
}

/** Each of these is refused before anything is restored. */
async function refuseTampered(backup: string, env: Record<string, string>): Promise<void> {
  const [dump, manifest] = ['database.dump', 'manifest.json'].map((name) => path.join(backup, name));
  const bytes = readFileSync(dump ?? '');
  const restore = ['restore', backup, '--older'];
  writeFileSync(dump ?? '', Buffer.concat([bytes.subarray(0, -1), Buffer.of((bytes.at(-1) ?? 0) ^ 1)]));
  expect(await refused(restore, env)).toMatch(/Use another backup: database\.dump of this one was changed/);
  writeFileSync(dump ?? '', bytes);
  const text = readFileSync(manifest ?? '', 'utf8');
  writeFileSync(manifest ?? '', text.replace(/"size": \d+/, '"size": 9999'));
  expect(await refused(restore, env)).toMatch(/Use another backup: the manifest of this one was changed/);
  writeFileSync(manifest ?? '', text);
  const others = { ...env, ASSENTRY_SECRETS: 'other:a-secret-that-another-installation-has-made' };
  expect(await refused(restore, others)).toMatch(/Give the secret with the key id test .* found none/);
  const same = { ...env, ASSENTRY_SECRETS: 'test:a-secret-that-another-installation-has-made' };
  expect(await refused(restore, same)).toMatch(/was changed, or test was another secret then/);
}
