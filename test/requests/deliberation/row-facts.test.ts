import { afterAll, expect, test } from '@jest/globals';
import type { Inbox } from '#requests/inbox/contract/inbox';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { newGroup, publish } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const member = await openBrowser(server);
const stranger = await openBrowser(server);
const reviewer = await openBrowser(server, 'reviewer');
await newGroup(server, 'finance', [member]);
await publish(
  server,
  `policy: payments
match: { tool: pay }
require:
  stages: [{ name: One, approvers: { group: finance } }]
  facts: [{ label: Sum, path: /amount }]`,
);

const transfer = {
  amount: 12.5,
  currency: 'EUR',
  to: { iban: 'DE89', name: 'Zoe' },
  environment: 'live',
  purpose: 'Rent',
};
const rowOf = async (browser: Browser, id: string) => {
  const { items } = await json<Inbox>(browser.call('GET', '/api/elicitations?view=all'));
  return items.find((item) => item.id === id);
};

test('a row of a list has the first facts that stand next to the buttons', async () => {
  const { id } = await asking.open({ arguments: transfer });
  const { facts } = await member.show(id);
  expect(facts.length).toBeGreaterThan(3);
  expect((await rowOf(member, id))?.facts).toEqual(facts.slice(0, 3));
});

test('those that the policy names come before those of the author', async () => {
  const { id } = await asking.open({
    tool: { name: 'pay' },
    arguments: transfer,
    facts: [{ label: 'Payee', path: '/to/name' }],
  });
  expect((await rowOf(member, id))?.facts).toMatchObject([{ label: 'Sum', source: 'policy', value: '12.5 EUR' }]);
});

test('no one reads them who may not read the request yet', async () => {
  const { id } = await asking.open({ tool: { name: 'pay' }, arguments: transfer });
  expect(await rowOf(stranger, id)).toBeUndefined();
  expect(await rowOf(reviewer, id)).toMatchObject({ message: null, facts: [] });
});

test('arguments that are long are left to the page of the request', async () => {
  const { id } = await asking.open({ arguments: { ...transfer, note: 'x'.repeat(17_000) } });
  expect((await member.show(id)).facts.length).toBeGreaterThan(2);
  expect((await rowOf(member, id))?.facts).toEqual([]);
});
