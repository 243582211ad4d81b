import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { GrantList } from '#requests/grants/contract';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { newGroup, publish } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const [ada, admin] = [await openBrowser(server), await openBrowser(server, 'admin')];
await newGroup(server, 'readers', [ada]);
await publish(
  server,
  `policy: read
match: { tool: read }
require:
  stages: [{ name: One, approvers: { group: readers } }]
  grant: { longest: 8h, review: 1h }`,
);

const grantsOf = async (by: Browser) => json<GrantList>(by.call('GET', '/api/grants'));

/** Ada allows the same again for an hour. */
async function allow(subject: string): Promise<string> {
  const requester = { subject, verified: true };
  const { id, digest } = await asking.open({ tool: { name: 'read' }, requester, arguments: { to: 'DE02' } });
  const vote = { action: 'accept', digest, content: {}, allowFor: 3_600_000 };
  expect((await ada.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
  return id;
}

test('what one is bound to is shown, and confirmed, by those who gave a reason if they need one to read its request', async () => {
  const request = await allow('alice');
  const shownTo = async (by: Browser) => (await grantsOf(by)).grants.find(({ elicitation }) => elicitation === request);
  const confirm = async () => (await admin.call('POST', `/api/grants/${(await shownTo(ada))?.id}/review`)).status;
  const bound = { isHidden: false, requester: 'alice', same: { to: 'DE02' } };
  expect(await shownTo(ada)).toMatchObject(bound);
  expect(await shownTo(admin)).toMatchObject({ isHidden: true, requester: null, same: {} });
  expect(await confirm()).toBe(403);
  await admin.call('POST', `/api/elicitations/${request}/look`, { reason: 'The yearly audit.' });
  expect(await shownTo(admin)).toMatchObject(bound);
  expect(await confirm()).toBe(200);
});

test('one in force is listed however many others have been given since, elsewhere or by the same people', async () => {
  const request = await allow('bob');
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  // Later ones, of a request that Ada may not know of, and of her own, which have ended.
  const copies = (subject: string, columns: string) =>
    client.query(
      `INSERT INTO app_grant SELECT c.* FROM app_grant g, generate_series(1, 600) nr, LATERAL jsonb_populate_record(g,
         jsonb_build_object('id', 'grt_' || lpad($1::text || nr, 22, '0'), 'created_at', now() + interval '1 hour', ${columns})) c
        WHERE g.elicitation_id = $2`,
      [subject, request],
    );
  await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO elicitation SELECT c.* FROM elicitation e, jsonb_populate_record(e, jsonb_build_object('id', 'eli_hidden',
       'readers', ARRAY[]::text[], 'snapshot', '{}', 'step', '1')) c WHERE e.id = $1`,
    [request],
  );
  await copies('hidden', `'elicitation_id', 'eli_hidden'`);
  await copies('ended', `'expires_at', now() - interval '1 hour'`);
  await client.end();
  const { grants, isCut } = await grantsOf(ada);
  expect([grants.length, isCut]).toEqual([500, true]);
  expect(grants.filter(({ state }) => state === 'in-force').map(({ elicitation }) => elicitation)).toContain(request);
  expect(grants.map(({ elicitation }) => String(elicitation))).not.toContain('eli_hidden');
});
