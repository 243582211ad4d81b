import { afterAll, expect, test } from '@jest/globals';
import type { Inbox } from '#requests/inbox/contract/inbox';
import type { PolicyCheck, Simulation } from '#policies/contract/documents';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { newGroup, publish } from '../../support/requests/policies.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const admin = await openBrowser(server, 'admin');
await newGroup(server, 'finance', [admin, await openBrowser(server)]);

const transfers = `policy: transfers
match: { tool: transfer }
rules:
  - when: request.args.amount > 1000
    require:
      stages:
        - { name: Finance, approve: 2, approvers: { group: finance } }
  - confirm: { ceiling: high }
`;
const transfer = (args: Record<string, unknown>) => asking.open({ tool: { name: 'transfer' }, arguments: args });
const check = (document: string) => json<PolicyCheck>(admin.call('POST', '/api/policies/check', { document }));

test('the first that fits decides a request, and its page names it', async () => {
  await publish(server, transfers);
  const [large, small, without] = [await transfer({ amount: 5000 }), await transfer({ amount: 5 }), await transfer({})];
  expect([large, small, without].map(({ audience }) => audience)).toEqual(['approvers', 'requester', 'approvers']);
  expect((await admin.show(large.id)).policy).toMatchObject({
    name: 'transfers@1',
    stages: [{ name: 'Finance' }],
    considered: [{ policy: 'transfers@1', rule: 1, result: 'applied', decided: true }],
  });
  expect((await admin.show(without.id)).policy).toMatchObject({
    considered: [
      { policy: 'transfers@1', rule: 1, result: 'failed', decided: true },
      { policy: 'transfers@1', rule: 2, result: 'applied', decided: false },
    ],
  });
});

test('a simulation says which of them decides', async () => {
  const fixture = (amount: number) => ({ name: `${amount}`, server: 'bank', tool: 'transfer', arguments: { amount } });
  const body = { document: transfers, last: 0, fixtures: [fixture(5000), fixture(5)] };
  const { requests } = await json<Simulation>(admin.call('POST', '/api/policies/simulate', body));
  expect(requests.map(({ draft }) => [draft.outcome, draft.rule])).toEqual([
    ['require', 1],
    ['requester', 2],
  ]);
});

test('a check says what each says, and which can find no one', async () => {
  const { terms, unsatisfiable } = await check(transfers);
  expect(unsatisfiable).toBeNull();
  expect(terms.flatMap((term) => (term.kind === 'rule' ? [term] : []))).toEqual([
    { kind: 'rule', position: 1, when: 'request.args.amount > 1000' },
    { kind: 'rule', position: 2, when: null },
  ]);
  const faulty = await check(transfers.replace('approve: 2', 'approve: 3'));
  expect(faulty.unsatisfiable).toMatch(/^Rule 1: Stage Finance needs 3 approvals/);
  const unreachable = await check(`${transfers}  - deny: { reason: Never. }\n`);
  expect(unreachable.errors).toMatchObject([{ path: ['rules', 2], line: 9, column: 5 }]);
});

test('a policy is found by a group that any of them asks', async () => {
  const { items } = await json<Inbox>(admin.call('GET', '/api/elicitations?view=all&group=finance'));
  expect(items.map(({ tool }) => tool)).toContain('transfer');
});
