import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Simulation } from '#policies/contract/documents';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { newGroup, publish } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { digestTables } from '../../support/databases/table-contents.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const [admin, ada] = (await Promise.all([openBrowser(server, 'admin'), openBrowser(server)])) as [Browser, Browser];
await newGroup(server, 'finance', [ada]);
await publish(server, 'policy: money\nmatch: { tool: pay }\nrequire: { stages: [{ name: One, approvers: anyone }] }');

const simulate = async (body: Record<string, unknown>): Promise<Simulation> => {
  const response = await admin.call('POST', '/api/policies/simulate', body);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return JSON.parse(text) as Simulation;
};

test('P27 a draft is tried on the latest real requests, as they would have been decided, and changes nothing', async () => {
  const pay = (amount: number) => asking.open({ tool: { name: 'pay' }, arguments: { amount } });
  const [small, large] = [await pay(5), await pay(5000)];
  const other = await asking.open({ tool: { name: 'look' } });
  const document = `policy: money
match: { tool: pay }
when: request.args.amount > 1000
require: { risk: high, stages: [{ name: Finance, approvers: { group: finance } }] }`;
  const before = await digestTables(server.databaseUrl);
  const { requests, totals } = await simulate({ document, last: 3 });
  expect(await digestTables(server.databaseUrl)).toEqual(before);
  expect(totals).toEqual({ requests: 3, different: 2, decided: 1, failed: 0, skipped: 0, withheld: 0 });
  expect(requests.map(({ elicitation }) => elicitation)).toEqual([other.id, large.id, small.id]);
  expect(requests[1]).toMatchObject({
    live: { outcome: 'require', policy: 'money@1', risk: 'medium', stages: [{ name: 'One', approvers: null }] },
    draft: { outcome: 'require', policy: 'money@2', risk: 'high', stages: [{ name: 'Finance', approvers: 1 }] },
    differs: true,
    ended: null,
  });
  expect(requests[2]).toMatchObject({ draft: { policy: 'built-in@1' }, differs: true });
  // The same code as live: published, it decides what it was said to decide.
  await publish(server, document);
  const again = await asking.open({ tool: { name: 'pay' }, arguments: { amount: 5000 } });
  expect((await ada.show(again.id)).policy).toMatchObject({ name: 'money@2', stages: [{ name: 'Finance' }] });
});

test('P27 more approvals of the same people, or another deadline, is a difference that is told', async () => {
  const stages = (approve: number) => `stages: [{ name: One, approve: ${approve}, approvers: anyone }]`;
  const document = (rest: string) => `policy: counted\nmatch: { tool: counted }\nrequire: { ${rest} }`;
  await publish(server, document(stages(1)));
  await asking.open({ tool: { name: 'counted' } });
  const simulated = async (rest: string) => {
    const { requests, totals } = await simulate({ document: document(rest), last: 1, tool: 'counted' });
    return [totals.different, requests[0]?.changes];
  };
  const stage = (count: number) =>
    expect.objectContaining({ kind: 'stage', groups: [expect.objectContaining({ need: { count } })] });
  const { requests } = await simulate({ document: document(stages(1)), last: 1, tool: 'counted' });
  expect(requests[0]?.draft.policy).toBe('counted@1'); // the text of a version has its number
  expect(await simulated(stages(1))).toEqual([0, { live: [], draft: [] }]);
  expect(await simulated(stages(2))).toEqual([1, { live: [stage(1)], draft: [stage(2)] }]);
  expect(await simulated(`${stages(1)}, deadline: 2h`)).toEqual([
    1,
    { live: [], draft: [expect.objectContaining({ kind: 'deadline' })] },
  ]);
});

test('P27 only requests of one tool, from one time until before another, are tried if that is what is asked', async () => {
  const [first, , last] = [
    await asking.open({ tool: { name: 'dated' } }),
    await asking.open({ tool: { name: 'undated' } }),
    await asking.open({ tool: { name: 'dated' } }),
  ];
  const document = 'policy: dated\nmatch: { tool: dated }\ndeny: { reason: No. }';
  const ids = async (part: object) =>
    (await simulate({ document, last: 100, tool: 'dated', ...part })).requests.map(({ elicitation }) => elicitation);
  const { openedAt } = await admin.look(last.id);
  expect(await ids({})).toEqual([last.id, first.id]);
  expect(await ids({ from: openedAt })).toContain(last.id);
  expect(await ids({ from: openedAt + 1 })).toEqual([]);
  expect(await ids({ until: openedAt + 1 })).toEqual([last.id, first.id]);
  expect(await ids({ until: openedAt })).not.toContain(last.id);
});

test('P27 fixtures that do not come out as expected are counted', async () => {
  const document =
    'policy: fixed\nmatch: { server: fixed }\nwhen: request.args.amount > 10\ndeny: { reason: Too much. }';
  const fixture = (name: string, amount: number, expected: string) => {
    return { name, server: 'fixed', tool: 'pay', arguments: { amount }, expected };
  };
  const fixtures = [fixture('large', 11, 'deny'), fixture('small', 9, 'deny')];
  const { requests, totals } = await simulate({ document, last: 0, fixtures });
  expect(requests.map(({ name, failed, draft }) => [name, failed, draft.reason])).toEqual([
    ['large', false, 'Too much.'],
    ['small', true, null],
  ]);
  expect(totals).toMatchObject({ requests: 2, failed: 1 });
});

test('P27 a call that was never made is explained, with who would be asked, and leaves no trace', async () => {
  const document =
    'policy: tried\nmatch: { server: tried }\nrequire: { stages: [{ name: Finance, approvers: { group: finance } }] }';
  const fixture = { name: 'call', server: 'tried', tool: 'pay', arguments: { amount: 5 } };
  const entries = async () => await countEntries(server.databaseUrl);
  const before = [await digestTables(server.databaseUrl), await entries()];
  const { requests } = await simulate({ document, last: 0, fixtures: [fixture] });
  expect([await digestTables(server.databaseUrl), await entries()]).toEqual(before);
  expect(requests).toMatchObject([
    {
      elicitation: null,
      differs: true,
      live: { policy: 'built-in@1' },
      draft: { outcome: 'require', policy: 'tried@1' },
      explained: {
        draft: {
          terms: expect.arrayContaining([expect.objectContaining({ kind: 'stage', name: 'Finance' })]),
          stages: [{ name: 'Finance', people: [ada.user.name] }],
        },
      },
    },
  ]);
  const [real] = (await simulate({ document, last: 1 })).requests;
  expect(real?.explained).toBeNull();
});

test('P27 why a document has no part in the decision of a call is told', async () => {
  const document = 'policy: asked\nmatch: { tool: drop }\nconfirm: {}';
  const call = { name: 'call', server: 'tried', tool: 'drop', annotations: { destructiveHint: true } };
  const asides = async (fixture: object) =>
    (await simulate({ document, last: 0, fixtures: [{ ...call, ...fixture }] })).requests.map(({ aside }) => aside);
  expect(await asides({})).toEqual([{ kind: 'ceiling', ceiling: 'medium', risk: 'high' }]);
  expect(await asides({ tool: 'look' })).toEqual([{ kind: 'other-calls' }]);
  expect(await asides({ annotations: { destructiveHint: false, readOnlyHint: false } })).toEqual([null]);
});

test('requests whose content was erased are skipped', async () => {
  const { id } = await asking.open({ tool: { name: 'erased' } });
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query('UPDATE elicitation SET data_key = NULL WHERE id = $1', [id]).finally(() => client.end());
  const { totals } = await simulate({ document: 'policy: any\ndeny: { reason: No. }', last: 2 });
  expect(totals).toMatchObject({ requests: 1, skipped: 1, different: 1 });
});

/** Also of entries that tell who read what. */
async function countEntries(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT count(*) FROM audit_log').finally(() => client.end());
  return rows;
}
