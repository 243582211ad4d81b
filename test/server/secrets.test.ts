import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openOperator } from '#server/open-operator';
import { askingAt } from '../support/nodes/asking.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { silentNode, startTestServer } from '../support/nodes/server.ts';
import { nodeUrl } from '../support/databases/node-login.ts';

const k1 = { kid: 'k1', secret: 'the-first-secret-of-this-installation' };
const k2 = { kid: 'k2', secret: 'the-second-secret-of-this-installation' };
const impostor = { kid: 'k1', secret: 'a-secret-of-some-other-installation-' };
const foreign = { kid: 'f1', secret: 'a-secret-of-some-other-installation-' };

const start = (secrets: { kid: string; secret: string }[]) => startTestServer({ databaseUrl: database.url, secrets });

const database = await freshDatabase();
afterAll(() => database.drop());
const server = await start([k1]);
await askingAt(server.url, await server.newServerKey()).open();
await server.stop();

/** Every row there is, as text. */
async function everything(): Promise<string[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const contents: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
    contents.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  await client.end();
  return contents;
}

describe('a node, and a command, that is given', () => {
  test.each([
    ['another secret under a key id in use', [impostor], /key id k1\b.*found a different secret/],
    [
      'the right one, and another one under its key id in a later place',
      [k2, impostor],
      /key id k1\b.*found a different secret/,
    ],
    ['the secret of another installation', [foreign], /key id k1\b.*found none/],
    ['only a new one, so that what is there would be lost', [k2], /key id k1\b.*found none/],
  ])('%s does not start, names the key id, and writes nothing', async (_what, secrets, sentence) => {
    const before = await everything();
    const options = { databaseUrl: nodeUrl(database.url), secrets } as const;
    await expect(start(secrets)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(sentence),
    });
    const command = openOperator({ ...silentNode, ...options });
    await expect(command).rejects.toThrowProblem('config-invalid');
    expect(await everything()).toEqual(before);
    for (const { secret } of secrets) expect(before.join()).not.toContain(secret);
  });

  test('what it had, with a new one next to it, starts; once the new one seals, it is needed too', async () => {
    for (const secrets of [[k1], [k1, k2], [k2, k1], [k1], [k2, k1]]) {
      const server = await start(secrets);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      expect(server.engine.ring.active).toBe('k1');
      await server.stop();
    }
    const server = await start([k2, k1]);
    await server.secrets.rotate();
    await server.stop();
    await expect(start([k1])).rejects.toMatchObject({ message: expect.stringMatching(/key id k2\b.*found none/) });
  });
});

test('of two first nodes with different secrets at once, one starts', async () => {
  const other = await freshDatabase();
  const starts = await Promise.allSettled(
    [k1, impostor].map((secret) => startTestServer({ databaseUrl: other.url, secrets: [secret] })),
  );
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  for (const started of starts) if (started.status === 'fulfilled') await started.value.stop();
  await other.drop();
});
