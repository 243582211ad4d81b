import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Inbox } from '#requests/inbox/contract/inbox';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());

test('a search finds a tool, and the list offers every server, however many tools have asked', async () => {
  const ada = await openBrowser(server);
  const asking = askingAt(server.url, await server.newServerKey());
  const { id } = await asking.open({ tool: { name: 'zz_last' } });
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  // Of requests that no one may know of, only the names of their tools are there.
  await client.query(
    `INSERT INTO elicitation SELECT c.* FROM elicitation e, generate_series(1, 1500) nr, LATERAL jsonb_populate_record(e,
       jsonb_build_object('id', 'eli_' || lpad(nr::text, 22, '0'), 'step', nr, 'tool', 'aa_' || nr, 'readers', ARRAY[]::text[], 'equal_hash', NULL)) c
      WHERE e.id = $1`,
    [id],
  );
  await client.end();
  const list = (query = '') => json<Inbox>(ada.call('GET', `/api/elicitations?view=all${query}`));
  expect((await list('&q=zz_last')).items.map((item) => item.id)).toEqual([id]);
  const { servers, tools } = await list();
  expect([servers.includes('payments'), tools.length]).toEqual([true, 1000]);
});
