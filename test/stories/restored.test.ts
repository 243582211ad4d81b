import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { urlOf } from '../../src/installation/prepare-database.ts';
import type { ElicitationId } from '../../src/model/id.ts';
import { killProcesses, runAssentry } from '../cli/assentry-process.ts';
import { askingAt } from '../support/asking.ts';
import { openBrowser } from '../support/console.ts';
import { until } from '../support/poll.ts';
import { startAs, testSecrets } from '../support/server.ts';
import { findSystemPostgres, startSystemPostgres, type SystemPostgres } from '../support/system-postgres.ts';

const bin = findSystemPostgres();
const clusters: SystemPostgres[] = [];
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(process.env.TEST_DIRECTORY ?? os.tmpdir(), 'restored-'));
});
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
  expect([code, stderr]).toEqual([0, '']);
  return (JSON.parse(stdout) as { databaseUrl: string }).databaseUrl;
}

const secrets = testSecrets.map(({ kid, secret }) => `${kid}:${secret}`).join();
const commands = readFileSync('docs/backup.md', 'utf8');

/** The words of a command of docs/backup.md, with these in place of its variables. */
function documented(tool: string, values: Record<string, string>): string[] {
  const line = commands.split('\n').find((each) => each.startsWith(`${tool} `)) ?? '';
  const words = line.split(' ').slice(1);
  return words.map((word) => word.replaceAll(/"?\$(\w+)"?/g, (_, variable: string) => values[variable] ?? ''));
}

test('the page on backups names each command once', () => {
  expect(documented('pg_dump', { OWNER_URL: 'a' })).toContain('--dbname=a');
  expect(documented('pg_restore', { OWNER_URL: 'b' })).toContain('--dbname=b');
});

// npm's PostgreSQL brings no pg_dump: on a machine without the system's packages the page's words alone are tested.
const onSystem = bin === null ? [] : [bin];
for (const place of onSystem)
  test('what was dumped as documented is restored into an empty cluster without what was erased, and continues there', async () => {
    const before = await startCluster(place);
    const logHead = path.join(directory, 'log-head');
    const first = await startAs(await migrate(before.ownerUrl), { logHead });
    const asking = askingAt(first.url, await first.createServerKey('payments'));
    const ada = await openBrowser(first);
    const [open, approved] = [await asking.open(), await asking.open()];
    const vote = async (browser: typeof ada, id: string) => {
      const { digest } = await browser.show(id);
      return (await browser.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest }))
        .status;
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
    await first.eraseContent({ request: gone.id as ElicitationId, of: 'request', ground: 'asked' });
    await until(async () => !(await first.engine.merkleLog.isWaiting()));
    await first.stop();
    const dump = await plain();
    expect(dump).toContain(gone.id);
    expect(sealed.filter((hex) => dump.includes(hex))).toEqual([]);

    const file = path.join(directory, 'assentry.dump');
    await before.cluster.tool('pg_dump', ...documented('pg_dump', { OWNER_URL: before.ownerUrl, FILE: file }));
    const after = await startCluster(place);
    await after.cluster.tool('pg_restore', ...documented('pg_restore', { OWNER_URL: after.ownerUrl, FILE: file }));

    await expect(startAs(after.ownerUrl)).rejects.toThrow(/run "assentry migrate" with it/);
    const url = await migrate(after.ownerUrl);
    const env = { DATABASE_URL: url, ASSENTRY_SECRETS: secrets };
    const verified = await runAssentry(['audit', 'verify', '--kept', logHead], { env });
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^The log assentry\/\S+ is whole/)]);

    const second = await startAs(url, { logHead });
    const again = ada.at(second.url);
    expect(await vote(again, open.id)).toBe(200);
    for (const { toolCall } of [open, approved]) {
      expect(await (await asking.at(second.url).claim(toolCall, 'one')).json()).toMatchObject({ state: 'claimed' });
      expect(await (await asking.at(second.url).claim(toolCall, 'two')).json()).not.toMatchObject({ state: 'claimed' });
    }
    await second.stop();
  }, 180_000);
