import { afterAll, describe, expect, test } from '@jest/globals';
import type { Delegation, DelegationList } from '#people/delegations/contract';
import { changeUser } from '#people/users/verbs';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { publish } from '../../support/requests/policies.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const [ada, grace] = (await Promise.all([openBrowser(two.nodes[0]), openBrowser(two.nodes[0])])) as [Browser, Browser];
const admin = await openBrowser(two.nodes[0], 'admin');

const day = 86_400_000;
const inADay = () => Date.now() + day;
const make = (by: Browser, to: Browser, parts = {}): Promise<Response> =>
  by.call('POST', '/api/delegations', { toId: to.user.id, endsAt: inADay(), ...parts });
const listed = async (by: Browser): Promise<string[]> =>
  (await json<DelegationList>(by.call('GET', '/api/delegations'))).delegations.map(({ id }) => id);
const countEntries = async () =>
  (await two.query('SELECT count(*)::int FROM audit_entry WHERE type NOT LIKE $$access.%$$'))[0];

test('a delegation is dated, scoped, named on both sides, logged, and seen by both and by administrators', async () => {
  const result = await json<Delegation>(make(ada, grace, { note: 'On leave' }));
  expect(result).toMatchObject({
    from: { id: ada.user.id },
    to: { id: grace.user.id },
    policies: [],
    revokedAt: null,
  });
  const logged = await two.query(`SELECT entry FROM audit_log WHERE entry->>'delegation' = $1`, [result.id]);
  expect(logged).toMatchObject([{ type: 'delegation.made', from: ada.user.id, to: grace.user.id, policies: [] }]);
  const stranger = await openBrowser(two.nodes[0]);
  const values = await Promise.all([ada, grace, admin, stranger].map(listed));
  expect(values.map((ids) => ids.includes(result.id))).toEqual([true, true, true, false]);
  expect((await stranger.call('POST', `/api/delegations/${result.id}/revoke`)).status).toBe(404);
});

test('revoking ends it at once, once, no matter who of the two does it', async () => {
  for (const by of [ada, grace, admin]) {
    const { id } = await json<Delegation>(make(ada, grace));
    const { engine } = two.nodes[1];
    const inForce = async () =>
      (await engine.delegations.inForce(grace.user.id, engine.now())).map((record) => record.id);
    expect(await inForce()).toContain(id);
    const before = Number(await countEntries());
    for (let times = 0; times < 2; times++) {
      const response = await by.call('POST', `/api/delegations/${id}/revoke`);
      expect(await response.json()).toMatchObject({ id, revokedAt: expect.any(Number) });
    }
    expect(await inForce()).not.toContain(id);
    expect(await countEntries()).toBe(before + 1);
  }
});

test('P8 its scope names existing policies, and an unknown one is refused with the nearest name', async () => {
  await publish(two.nodes[0], 'policy: wire-transfers\nmatch: { tool: none }\ndeny: { reason: No. }');
  const result = await make(ada, grace, { policies: ['wire-transfers', 'built-in'] });
  expect([result.status, await result.json()]).toMatchObject([201, { policies: ['built-in', 'wire-transfers'] }]);
  const response = await make(ada, grace, { policies: ['wire-transfers', 'wire-transfer', 'payroll'] });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    {
      code: 'INVALID_INPUT',
      errors: [
        { path: ['policies', 1], message: 'There is no policy wire-transfer. Did you mean wire-transfers?' },
        { path: ['policies', 2], message: 'There is no policy payroll.' },
      ],
    },
  ]);
});

describe('refused are', () => {
  test.each<[string, () => Promise<Response>, string]>([
    ['a delegation to oneself', () => make(ada, ada), 'toId'],
    ['one that has ended', () => make(ada, grace, { endsAt: Date.now() - day }), 'endsAt'],
    ['one that ends before it starts', () => make(ada, grace, { startsAt: inADay() + day }), 'endsAt'],
    ['one of two years', () => make(ada, grace, { endsAt: Date.now() + 730 * day }), 'endsAt'],
    [
      'one to no one',
      () => ada.call('POST', '/api/delegations', { toId: `usr_${'A'.repeat(22)}`, endsAt: inADay() }),
      'toId',
    ],
    ['one to a reviewer', async () => make(ada, await openBrowser(two.nodes[0], 'reviewer')), 'toId'],
    [
      'one to someone who is disabled',
      async () => {
        const gone = await openBrowser(two.nodes[0]);
        await changeUser(two.nodes[0].engine, 'operator', gone.user.id, { disabled: true });
        return make(ada, gone);
      },
      'toId',
    ],
  ])('%s', async (_name, send, path) => {
    const response = await send();
    const refusal = { code: 'INVALID_INPUT', errors: [{ path: [path] }] };
    expect([response.status, await response.json()]).toMatchObject([400, refusal]);
  });

  test("a reviewer's, who has no vote", async () => {
    expect((await make(await openBrowser(two.nodes[0], 'reviewer'), ada)).status).toBe(403);
  });
});

test.each([
  ['who is disabled', { disabled: true }],
  ['who became a reviewer', { role: 'reviewer' }],
] as const)('what a person %s allowed is no longer in force', async (_name, change) => {
  const giver = await openBrowser(two.nodes[0]);
  await make(giver, grace);
  const { engine } = two.nodes[0];
  const inForce = async () =>
    (await engine.delegations.inForce(grace.user.id, engine.now())).filter(({ fromId }) => fromId === giver.user.id);
  expect(await inForce()).toHaveLength(1);
  await changeUser(engine, 'operator', giver.user.id, change);
  expect(await inForce()).toEqual([]);
});
