import { afterAll, expect, test } from '@jest/globals';
import { runDigest } from '#sdk/client/client';
import type { Inbox } from '#requests/inbox/contract/inbox';
import type { ElicitationState, OpenedElicitation } from '#requests/asking/contract/open';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const key = await server.newServerKey();

const ask = {
  tool: { name: 'delete_account', annotations: { destructiveHint: true } },
  arguments: { id: 'acc_1' },
  message: 'Delete the account?',
  schema: { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] },
  requester: { subject: 'alice' },
};

async function post(path: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

test('a question is opened, voted on and read', async () => {
  const opened = await post('/v1/elicitations', ask);
  const text = await opened.text();
  expect([opened.status, text]).toEqual([201, expect.anything()]);
  const { id, toolCall } = JSON.parse(text) as OpenedElicitation;
  const user = await server.newUser();
  const waiting = fetch(`${server.url}/v1/elicitations/${id}?wait=20`, { headers: { authorization: `Bearer ${key}` } });
  const detail = await user.show(id);
  expect(detail).toMatchObject({ arguments: '{"id":"acc_1"}', can: { vote: { allowed: true } }, risk: 'high' });
  const vote = await user.vote(id, 'accept', { confirmed: true });
  expect([vote.status, await vote.json()]).toMatchObject([200, { status: 'accepted' }]);
  const state = await json<ElicitationState>(waiting);
  expect(state).toMatchObject({ status: 'accepted', action: 'accept', content: { confirmed: true } });
  const claim = { attempt: 'a', run: await runDigest(ask) };
  expect(await (await post(`/v1/tool-calls/${toolCall}/claim`, claim)).json()).toEqual({ state: 'claimed' });
  expect((await user.call('GET', '/api/elicitations?view=done')).status).toBe(200);
  const { closedAt } = await user.show(id);
  const listed = async (filter: string) =>
    (await json<Inbox>(user.call('GET', `/api/elicitations?view=done&${filter}`))).items.map((item) => item.id);
  const at = closedAt ?? 0;
  expect([await listed('risk=high'), await listed('risk=low')]).toEqual([[id], []]);
  expect([await listed(`from=${at}`), await listed(`from=${at + 1}`)]).toEqual([[id], []]);
  expect([await listed(`until=${at + 1}`), await listed(`until=${at}`)]).toEqual([[id], []]);
  const inbox = await (await user.call('GET', '/api/elicitations?view=mine')).json();
  expect(inbox).toMatchObject({ items: [], counts: { mine: 0 } });
});

test('a short deadline is met although no sign says that it is near', async () => {
  const { nodes, reader } = server.engine;
  nodes.heartbeat = () => Promise.reject(new TypeError('There are no signs in this test.'));
  const response = await post('/v1/elicitations', { ...ask, arguments: { id: 'acc_2' }, ttl: 1000 });
  const { id } = await json<OpenedElicitation>(response);
  await until(async () => (await reader.elicitation(id))?.status === 'expired');
});
