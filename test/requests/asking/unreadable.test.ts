import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Inbox } from '#requests/inbox/contract/inbox';
import { askingAt } from '../../support/nodes/asking.ts';
import { readEvents } from '../../support/nodes/event-source.ts';
import { until } from '../../support/poll.ts';
import { startTestServer, type TestUser } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const [admin, approver, reviewer] = [
  await server.newUser('admin'),
  await server.newUser('approver'),
  await server.newUser('reviewer'),
];
const [readableOne, open, accepted] = [await asking.open(), await asking.open(), await asking.open()];
expect((await approver.vote(accepted.id, 'accept', {})).status).toBe(200);
await forgetSecretOf([open.id, accepted.id]);

/** As if these had been sealed under a secret that was lost since. */
async function forgetSecretOf(ids: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const lose = (column: string) => `${column} = overlay(${column} PLACING 'nope'::bytea FROM 3)`;
  await client.query('SET session_replication_role = replica');
  await client.query(`UPDATE elicitation SET ${lose('data_key')}, ${lose('owner')} WHERE id = ANY($1)`, [ids]);
  await client.end();
}

const inbox = async (user: TestUser, view: string): Promise<Inbox> => {
  const response = await user.call('GET', `/api/elicitations?view=${view}`);
  expect(response.status).toBe(200);
  return await json<Inbox>(response);
};
const unreadable = {
  code: 'sealed-unreadable',
  title: expect.stringContaining('Ask an administrator to withdraw this'),
};
const withdraw = (user: TestUser, id: string) => user.call('POST', `/api/elicitations/${id}/withdraw-unreadable`);

test('every list shows the other requests, and names the one that cannot be read', async () => {
  for (const user of [admin, approver, reviewer]) {
    const all = await inbox(user, 'all');
    expect(new Set(all.items.map(({ id }) => id))).toEqual(new Set([readableOne.id, open.id]));
    expect(all.items.find(({ id }) => id === open.id)).toMatchObject({
      tool: 'transfer_funds',
      server: 'payments',
      message: null,
      requester: null,
      isUnreadable: true,
    });
    expect(all.items.find(({ id }) => id === readableOne.id)?.isUnreadable).toBe(false);
    expect((await inbox(user, 'done')).items).toMatchObject([{ id: accepted.id, message: null, status: 'accepted' }]);
  }
  const own = (await inbox(approver, 'all')).items.find(({ id }) => id === readableOne.id);
  expect(own?.message).toBe('Transfer the money?');
  expect((await approver.call('GET', '/api/grants')).status).toBe(200);
});

test('its own page says what to do, and no one decides it', async () => {
  for (const user of [admin, approver, reviewer]) {
    const page = await user.call('GET', `/api/elicitations/${open.id}`);
    expect([page.status, await page.json()]).toMatchObject([500, unreadable]);
  }
  const { digest } = open;
  const vote = await approver.call('POST', `/api/elicitations/${open.id}/vote`, {
    action: 'accept',
    content: {},
    digest,
  });
  expect(await vote.json()).toMatchObject(unreadable);
});

test('an accepted request that cannot be read tells its caller only that', async () => {
  const state = await asking.call('GET', `/v1/elicitations/${accepted.id}`);
  expect([state.status, await state.json()]).toMatchObject([500, unreadable]);
});

test('streams continue after it', async () => {
  const events = await readEvents(`${server.url}/v1/stream`, {
    authorization: `Bearer ${asking.key}`,
    'last-event-id': '1',
  });
  const decided = await asking.open();
  expect((await approver.vote(decided.id, 'decline')).status).toBe(200);
  await until(() => events.events.some((event) => JSON.stringify(event).includes(decided.id)));
});

test('an administrator can withdraw it, but not a request that can be read', async () => {
  for (const user of [approver, reviewer]) expect((await withdraw(user, open.id)).status).toBe(403);
  const other = await withdraw(admin, readableOne.id);
  expect([other.status, await other.json()]).toMatchObject([409, { code: 'not-now' }]);
  const done = await withdraw(admin, open.id);
  expect(done.status).toBe(204);
  expect((await withdraw(admin, open.id)).status).toBe(409);
  const response = await asking.call('GET', `/v1/elicitations/${open.id}`);
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { status: 'cancelled', cause: 'admin', action: 'cancel' },
  ]);
});
