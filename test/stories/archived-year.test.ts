import { afterAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { killProcesses, runAssentry, type Ended } from '../cli/assentry-process.ts';
import { nodeUrl } from '../support/databases/node-login.ts';
import { newFolder } from '../support/new-folder.ts';
import { askingAt } from '../support/nodes/asking.ts';
import { openBrowser } from '../support/nodes/console.ts';
import { until } from '../support/poll.ts';
import { startTestServer, testSecrets } from '../support/nodes/server.ts';

const archive = newFolder('archive');
const server = await startTestServer();
afterAll(async () => {
  await killProcesses();
  await server.stop();
});
const asking = askingAt(server.url, await server.newServerKey());
const approver = await openBrowser(server);
const key = (await server.logKeys()).keys[0]?.key ?? '';
const database = new pg.Client({ connectionString: server.databaseUrl });
await database.connect();
const former = await decide();
const { rows } = await database.query<{ at: Date }>('SELECT clock_timestamp() AS at');
const end = rows[0]!.at.getTime() + 1;
/** Where one year ends and the next begins. */
const turn = new Date(end).toISOString();
await until(() => server.engine.now() >= end); // a node's clock is never ahead of the database's
const latter = await decide();
await database.end();

async function decide(): Promise<OpenedElicitation> {
  const opened = await asking.open();
  expect((await approver.vote(opened)).status).toBe(200);
  const attempt = randomUUID();
  await asking.claim(opened.toolCall, attempt);
  await asking.call('POST', `/v1/tool-calls/${opened.toolCall}/complete`, { attempt, delivered: true });
  return opened;
}

const atInstallation = (words: string[]): Promise<Ended> =>
  runAssentry(words, {
    env: {
      DATABASE_URL: nodeUrl(server.databaseUrl),
      ASSENTRY_SECRETS: testSecrets.map(({ kid, secret }) => `${kid}:${secret}`).join(),
    },
  });

/** With the file and the public key alone. */
const offline = async (file: string, ...words: string[]) => {
  const { stdout } = await runAssentry(['audit', 'verify-export', file, '--key', key, '--json', ...words], {
    cwd: archive,
  });
  return JSON.parse(stdout) as { ok: boolean; entries: number; named?: { entry: { type: string } }[] };
};

test('a closed year is moved into a file: it stays provable, its requests are found in it, and its content is erased', async () => {
  const [closed, open] = [path.join(archive, 'closed.jsonl'), path.join(archive, 'open.jsonl')];
  for (const words of [
    [closed, '--to', turn],
    [open, '--from', turn],
  ])
    expect((await atInstallation(['audit', 'export', ...words])).code).toBe(0);
  expect((await atInstallation(['content', 'erase', former.id, '--ground', 'law'])).stderr).toBe('');
  expect(await approver.show(former.id)).toMatchObject({ code: 'content-erased' });
  expect(await approver.show(latter.id)).toMatchObject({ id: latter.id });
  expect((await atInstallation(['audit', 'verify'])).code).toBe(0);

  const exported = await offline(closed, '--request', former.id);
  const types = exported.named?.map(({ entry }) => entry.type) ?? [];
  expect(exported.ok).toBe(true);
  expect(types).toEqual(expect.arrayContaining(['elicitation.opened', 'elicitation.voted', 'call.settled']));
  expect((await offline(closed, '--request', latter.id)).named).toEqual([]);
  expect((await offline(open, '--request', latter.id)).named?.length).toBe(types.length);
  expect(await offline(closed)).not.toHaveProperty('named');
});
