import { afterAll, describe, expect, test } from '@jest/globals';
import type { Grant, GrantList } from '#requests/grants/contract';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { openBrowser } from '../../support/nodes/console.ts';
import { newGroup, publish, setUser } from '../../support/requests/policies.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const hour = 3_600_000;
let now = Date.now();
const two = await startTwoNodes({ now: () => now });
afterAll(() => two.stop());
const ada = await openBrowser(two.nodes[0]);

const policy = (name: string, grant: string, more = ''): string =>
  `policy: ${name}\nmatch: { tool: ${name} }\nrequire:\n  stages: [{ name: One, approvers: anyone }]\n  grant: ${grant}\n${more}`;
const alice = { subject: 'alice', verified: true };
const schema = { type: 'object', properties: { sure: { type: 'boolean', default: true } }, required: ['sure'] };

/** Time goes on, and Ada keeps looking at her screen. */
async function later(by: number): Promise<void> {
  for (let remaining = by; remaining > 0; remaining -= hour / 3) {
    now += Math.min(remaining, hour / 3);
    expect((await ada.call('GET', '/api/session')).status).toBe(200);
  }
}

/** Asks by a tool of its own, so that each test has its policy and its grants to itself. */
const asker =
  (name: string, base: Record<string, unknown> = {}) =>
  (args: Record<string, unknown> = { to: 'DE02', amount: 10 }, parts: Record<string, unknown> = {}) =>
    two.asking.open({ tool: { name }, schema, requester: alice, arguments: args, ...base, ...parts });
const allow = (opened: OpenedElicitation, allowFor = hour, by = ada) =>
  by.call('POST', `/api/elicitations/${opened.id}/vote`, {
    action: 'accept',
    digest: opened.digest,
    content: { sure: true },
    allowFor,
  });
const grantOf = async (opened: OpenedElicitation): Promise<Grant> => {
  const { grants } = await json<GrantList>(ada.call('GET', '/api/grants'));
  const grant = grants.find(({ elicitation }) => elicitation === opened.id);
  if (!grant) throw new TypeError('there is no grant');
  return grant;
};
async function granted(name: string, terms: string, more = '') {
  await publish(two.nodes[0], policy(name, terms, more));
  const ask = asker(name);
  const first = await ask();
  const response = await allow(first);
  expect([response.status, await response.json()]).toMatchObject([200, { status: 'accepted' }]);
  return { ask, first, grant: await grantOf(first) };
}

describe('P13 an approval for a while', () => {
  test('lets the same call run without asking; the log names the policy, the grant and each use', async () => {
    const { ask, first, grant } = await granted('p13', '{ longest: 8h, uses: 3 }');
    expect(grant).toMatchObject({ state: 'in-force', usesLeft: 3, requester: 'alice', by: { id: ada.user.id } });
    const second = await ask();
    expect(second).toMatchObject({ status: 'accepted', action: 'accept', content: { sure: true } });
    expect(second.policy).toEqual({ name: 'p13@1', sentence: 'A standing approval allows it.' });
    expect(first.policy?.sentence).toContain('approval from');
    expect(await entriesOf(two, second.id)).toMatchObject([
      { type: 'elicitation.opened' },
      { type: 'elicitation.decided', actor: { kind: 'policy', policy: 'p13@1', grant: grant.id }, action: 'accept' },
    ]);
    const { votes, timeline } = await ada.show(second.id);
    expect(votes).toEqual([]);
    expect(timeline.at(-1)).toMatchObject({
      by: { kind: 'policy', policy: 'p13@1', grant: grant.id },
      event: { type: 'elicitation.decided', action: 'accept' },
    });
    const voted = (await entriesOf(two, first.id)).find(({ type }) => type === 'elicitation.voted');
    expect(voted).toMatchObject({ grant: { id: grant.id } });
    expect((await grantOf(first)).usesLeft).toBe(2);
  });

  test('covers nothing else: other arguments, requesters, agents and risks are asked again', async () => {
    const { ask } = await granted('p13-else', '{ longest: 8h, same: [to], ceiling: medium }');
    const tool = { name: 'p13-else', annotations: { destructiveHint: true } };
    const anew = await Promise.all([
      ask({ to: 'DE03', amount: 10 }),
      ask({ amount: 10 }),
      ask(undefined, { requester: { ...alice, subject: 'bob' } }),
      ask(undefined, { requester: { ...alice, client: { name: 'other' } } }),
      ask(undefined, { requester: { ...alice, verified: false } }),
      ask(undefined, { tool }),
      ask(undefined, { schema: { type: 'object', properties: { why: { type: 'string' } }, required: ['why'] } }),
    ]);
    expect(anew.map(({ status }) => status)).toEqual(anew.map(() => 'open'));
    expect((await ask({ to: 'DE02', amount: 99 })).status).toBe('accepted'); // only `to` must stay
  });

  test('if the policy names no argument, none can be changed or added', async () => {
    const { ask } = await granted('p13-all', '{ longest: 8h }');
    const cases = [
      { to: 'DE02', amount: 11 },
      { to: 'DE02', amount: 10, more: 1 },
      { to: 'DE02' },
      { amount: 10, to: 'DE02' },
    ];
    const statuses = await Promise.all(cases.map(async (args) => (await ask(args)).status));
    expect(statuses).toEqual(['open', 'open', 'open', 'accepted']);
  });

  test('is used no more often than it says, however many race for it at two nodes', async () => {
    const { ask, first } = await granted('p13-race', '{ longest: 8h, uses: 3 }');
    const elsewhere = two.asking.at(two.nodes[1].url);
    const parts = { tool: { name: 'p13-race' }, schema, requester: alice, arguments: { to: 'DE02', amount: 10 } };
    const raced = await Promise.all(Array.from({ length: 12 }, (_, at) => (at % 2 ? ask() : elsewhere.open(parts))));
    expect(raced.filter(({ status }) => status === 'accepted')).toHaveLength(3);
    expect(await grantOf(first)).toMatchObject({ usesLeft: 0, state: 'used-up' });
  });

  test('never goes beyond its budget', async () => {
    const { ask, first } = await granted(
      'p13-budget',
      '{ longest: 8h, budget: { argument: amount, total: 100 }, same: [to] }',
    );
    const spend = async (amount: unknown) => (await ask({ to: 'DE02', amount })).status;
    // The first request has used 10 of it.
    expect([await spend(60), await spend(31), await spend(-5), await spend('5')]).toEqual([
      'accepted',
      'open',
      'open',
      'open',
    ]);
    expect(await spend(30)).toBe('accepted');
    expect(await grantOf(first)).toMatchObject({ budgetLeft: 0, state: 'used-up' });
  });

  test('a call that is repeated uses nothing', async () => {
    const { ask, first } = await granted('p13-again', '{ longest: 8h, uses: 5 }');
    const request = await ask(undefined, { call: 'again' });
    expect(await ask(undefined, { call: 'again' })).toMatchObject({ id: request.id, joined: true });
    expect((await grantOf(first)).usesLeft).toBe(4);
  });

  test.each([
    ['revoked', 'revoked_at = now()'],
    ['suspended', 'suspended_at = now()'],
    ['past its time', "expires_at = '2020-01-01'"],
    ['past its review', "review_at = '2020-01-01'"],
    ['used by another', 'uses_left = 1'],
    ['of less budget', 'budget_left = 1'],
  ])('is not used once it is %s, even between its look-up and the opening', async (name, changed) => {
    const tool = `p13-${name.replaceAll(' ', '-')}`;
    const terms = '{ longest: 8h, uses: 5, budget: { argument: amount, total: 100 }, review: 1h, same: [to] }';
    const { ask, grant } = await granted(tool, terms);
    const { transactor } = two.nodes[0].engine;
    const { open } = transactor;
    transactor.open = async (opening) => {
      transactor.open = open;
      expect(opening.grant).not.toBeNull();
      await two.query(`UPDATE app_grant SET ${changed} WHERE id = $1`, [grant.id]);
      return open(opening);
    };
    expect((await ask()).status).toBe('open');
    expect(transactor.open).toBe(open);
  });

  test('ends when it expires, is revoked, or a person who allowed it leaves', async () => {
    const { ask } = await granted('p13-time', '{ longest: 8h }');
    await later(hour + 10);
    expect((await ask()).status).toBe('open');
    const revoked = await granted('p13-revoked', '{ longest: 8h }');
    const response = await ada.call('POST', `/api/grants/${revoked.grant.id}/revoke`);
    expect(await response.json()).toMatchObject({ state: 'revoked' });
    expect((await revoked.ask()).status).toBe('open');
    expect((await entriesOf(two, revoked.first.id)).at(-1)).toMatchObject({
      type: 'grant.revoked',
      grant: revoked.grant.id,
    });
    const leaver = await openBrowser(two.nodes[0]);
    await publish(two.nodes[0], policy('p13-left', '{ longest: 8h }'));
    const remaining = asker('p13-left');
    expect((await allow(await remaining(), hour, leaver)).status).toBe(200);
    expect((await remaining()).status).toBe('accepted');
    await setUser(two.nodes[1], leaver, { disabled: true });
    expect((await remaining()).status).toBe('open');
  });

  test('is revoked if anyone who allowed it can no longer vote', async () => {
    const [first] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[0])];
    await publish(
      two.nodes[0],
      policy('p13-pair', '{ longest: 8h }').replace('approvers: anyone', 'approve: 2, approvers: anyone'),
    );
    const ask = asker('p13-pair');
    const request = await ask();
    for (const by of [first, ada]) expect((await allow(request, hour, by)).status).toBe(200);
    expect((await ask()).status).toBe('accepted');
    await setUser(two.nodes[1], first, { role: 'reviewer' });
    expect((await ask()).status).toBe('open');
    expect((await grantOf(request)).state).toBe('revoked');
  });

  test('ends if a person who allowed it turns out to be the requester', async () => {
    const named = await openBrowser(two.nodes[0]);
    await publish(two.nodes[0], policy('p13-own', '{ longest: 8h }'));
    const ask = asker('p13-own');
    expect((await allow(await ask(), hour, named)).status).toBe(200);
    expect((await ask()).status).toBe('accepted');
    await setUser(two.nodes[1], named, { subjects: ['alice'] });
    expect((await ask()).status).toBe('open');
    await setUser(two.nodes[1], named, { subjects: [] });
  });

  test('serves no one who allowed it, even if the approval stands without their vote', async () => {
    const [also, last] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[1])];
    await newGroup(two.nodes[0], 'payers', [ada, also]);
    await newGroup(two.nodes[0], 'checkers', [last]);
    const seats = 'groups: [{ name: P, approvers: { group: payers } }, { name: C, approvers: { group: checkers } }]';
    await publish(two.nodes[0], policy('p13-seats', '{ longest: 8h }').replace('approvers: anyone', seats));
    const ask = asker('p13-seats');
    const request = await ask();
    for (const by of [ada, also, last]) expect((await allow(request, hour, by)).status).toBe(200);
    expect((await ask()).status).toBe('accepted');
    await setUser(two.nodes[1], also, { subjects: ['alice'] });
    expect((await ask()).status).toBe('open');
    await setUser(two.nodes[1], also, { subjects: [] });
  });

  test.each([
    ['somewhere else', 'npx db postgresql://production.example.com/app'],
    ['where nothing is told of it', undefined],
  ])('is not spent %s, and still good where it was given', async (_, reaches) => {
    const name = `p13-place-${reaches?.length}`;
    await publish(two.nodes[0], policy(name, '{ longest: 8h }'));
    const there = { name, reaches: 'npx db postgresql://staging.example.com/app' };
    const ask = asker(name);
    await allow(await ask(undefined, { tool: there }));
    const elsewhere = await ask(undefined, { tool: { name, ...(reaches !== undefined && { reaches }) } });
    expect(elsewhere.status).toBe('open');
    expect((await ask(undefined, { tool: there })).status).toBe('accepted');
  });

  test.each([
    ['schema', { schemaDigest: 'b'.repeat(64) }],
    ['title', { title: 'Pay at once' }],
    ['description', { description: 'Pays, and closes the account.' }],
  ])('is suspended for good when the %s of the tool has changed', async (what, change) => {
    const name = `p13-${what}`;
    await publish(two.nodes[0], policy(name, '{ longest: 8h }'));
    const tool = { name, description: 'Pays.', schemaDigest: 'a'.repeat(64) };
    const ask = asker(name);
    const first = await ask(undefined, { tool });
    await allow(first);
    expect((await ask(undefined, { tool })).status).toBe('accepted');
    expect((await ask(undefined, { tool: { ...tool, ...change } })).status).toBe('open');
    expect((await ask(undefined, { tool })).status).toBe('open');
    expect((await grantOf(first)).state).toBe('suspended');
  });

  test('is made only where the policy permits it, for no longer than it and each of its approvers allow', async () => {
    const other = await openBrowser(two.nodes[0]);
    await publish(
      two.nodes[0],
      'policy: p13-none\nmatch: { tool: p13-none }\nrequire: { stages: [{ name: One, approvers: anyone }] }',
      policy('p13-two', '{ longest: 1h }').replace('approvers: anyone', 'approve: 2, approvers: anyone'),
    );
    const none = await asker('p13-none')();
    expect((await allow(none)).status).toBe(400);
    const both = await asker('p13-two')();
    expect((await allow(both, 2 * hour)).status).toBe(400);
    expect((await allow(both, hour / 2)).status).toBe(200); // the first of two
    await expect(grantOf(both)).rejects.toThrow('there is no grant');
    expect((await allow(both, hour, other)).status).toBe(200);
    const { by, expiresAt } = await grantOf(both);
    expect([by.id, Math.round((expiresAt - now) / 1000)]).toEqual([other.user.id, hour / 2 / 1000]);
    const once = await asker('p13-two', { arguments: { to: 'once' } })({ to: 'once' });
    await ada.call('POST', `/api/elicitations/${once.id}/vote`, {
      action: 'accept',
      digest: once.digest,
      content: { sure: true },
    });
    expect((await allow(once, hour, other)).status).toBe(200);
    await expect(grantOf(once)).rejects.toThrow('there is no grant');
  });

  test('is given to an unverified requester for low risk only, and never serves a verified one', async () => {
    const mallory = { subject: 'mallory', verified: false };
    const reading = { name: 'p13-claim', annotations: { readOnlyHint: true } };
    const ask = asker('p13-claim', { requester: mallory });
    await publish(two.nodes[0], policy('p13-claim', '{ longest: 8h, ceiling: medium }'));
    const risky = await ask();
    expect((await ada.show(risky.id)).policy.grant).toBeNull();
    const refused = await allow(risky);
    const errors = [
      { path: ['allowFor'], message: expect.stringMatching(/^Approve this once only: the requester is not verified/) },
    ];
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors }]);
    const harmless = await ask(undefined, { tool: reading });
    expect((await allow(harmless)).status).toBe(200);
    expect((await ask(undefined, { tool: reading })).status).toBe('accepted');
    // The same grant covers neither more risk under that name nor someone who is verified by that name.
    const others = [await ask(), await ask(undefined, { tool: reading, requester: { ...mallory, verified: true } })];
    expect(others.map(({ status }) => status)).toEqual(['open', 'open']);
  });

  test('a reviewer revokes nothing', async () => {
    const { grant } = await granted('p13-reviewer', '{ longest: 8h }');
    const reviewer = await openBrowser(two.nodes[0], 'reviewer');
    for (const verb of ['revoke', 'review'])
      expect((await reviewer.call('POST', `/api/grants/${grant.id}/${verb}`)).status).toBe(403);
    expect((await grantOf({ id: grant.elicitation } as OpenedElicitation)).state).toBe('in-force');
  });
});

test('P14 a standing approval lapses unless someone reviews it in time', async () => {
  await publish(two.nodes[0], policy('p14', '{ longest: 30d, review: 1h }'));
  const ask = asker('p14');
  const first = await ask();
  await allow(first, 24 * hour);
  const { id } = await grantOf(first);
  // It recurs as long as each review comes before its date, which the policy sets again.
  for (let round = 0; round < 3; round++) {
    await later(hour / 2);
    const reviewed = await json<Grant>(ada.call('POST', `/api/grants/${id}/review`));
    expect([reviewed.state, reviewed.reviewAt]).toEqual(['in-force', now + hour]);
    expect((await entriesOf(two, first.id)).at(-1)).toMatchObject({
      type: 'grant.reviewed',
      actor: { id: ada.user.id },
      reviewAt: now + hour,
    });
    expect((await ask()).status).toBe('accepted');
  }
  await later((3 * hour) / 4);
  expect((await ask()).status).toBe('accepted');
  await later(hour / 4 + 10);
  expect((await ask()).status).toBe('open');
  expect((await grantOf(first)).state).toBe('lapsed');
  expect((await ada.call('POST', `/api/grants/${id}/review`)).status).toBe(409);
});

test('P15, P16 in a freeze window, no standing approval helps', async () => {
  const window = (from: number, until: number) =>
    `  freeze: [{ name: end, from: ${new Date(from).toISOString()}, until: ${new Date(until).toISOString()}, approvers: anyone }]`;
  const { ask } = await granted('p16-grant', '{ longest: 30d }', window(now + 1000, now + hour));
  expect((await ask()).status).toBe('accepted');
  now += 2000;
  expect((await ask()).status).toBe('open');
});

test('P12 an approval that no one used within an hour has lapsed', async () => {
  const opened = await two.asking.open({ tool: { name: 'p12' }, schema });
  await ada.call('POST', `/api/elicitations/${opened.id}/vote`, {
    action: 'accept',
    digest: opened.digest,
    content: { sure: true },
  });
  await later(hour + 10);
  const claim = await two.asking.claim(opened.toolCall, 'late', { tool: { name: 'p12' } });
  expect([claim.status, await claim.json()]).toMatchObject([409, { code: 'already-executed' }]);
});
