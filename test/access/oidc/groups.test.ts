import { afterAll, describe, expect, test } from '@jest/globals';
import { addGroup, changeMembers } from '#people/groups/verbs';
import { groupChanges } from '#access/oidc/verbs/sign-in';
import type { GroupId, UserId } from '#platform/model/id';
import type { GroupRecord } from '#people/directory/store/directory-record';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { browserAt } from '../../support/nodes/console.ts';
import { beginAt, signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { publish } from '../../support/requests/policies.ts';
import { json } from '../../support/json.ts';

const newPeople = { role: 'approver', domains: ['example.com'], claims: {}, verifiedBy: 'email_verified' } as const;
const groups = {
  claim: 'groups',
  map: { 'g-finance': 'finance', 'g-money': 'finance', 'g-legal': 'legal', 'g-none': 'none' },
};

const acme = await startHostileProvider();
/** Groups that follow a claim of the provider. */
const two = await startTwoNodes({ signInProviders: [acme.settings({ newPeople, groups })] });
afterAll(async () => {
  await two.stop();
  await acme.close();
});
const { engine } = two.nodes[0];
const add = (name: string) => addGroup(engine, 'operator', { name });
const ids: Record<'finance' | 'legal' | 'local', GroupId> = {
  finance: await add('finance'),
  legal: await add('legal'),
  local: await add('local'),
};
const others = await Promise.all([two.nodes[0].newUser(), two.nodes[0].newUser()]);
await changeMembers(engine, 'operator', ids.finance, { add: others.map((user) => user.id as UserId) });
await publish(
  two.nodes[0],
  'policy: paying\nmatch: { tool: pay }\nrequire: { stages: [{ name: One, approve: 2, approvers: { group: finance } }] }\n',
);

async function enter(sub: string, claim: unknown) {
  const claims = {
    sub,
    email: `${sub}@example.com`,
    email_verified: true,
    ...(claim !== undefined && { groups: claim }),
  };
  const { cookie = '' } = await signInBy(acme, two.nodes[0].url, claims);
  const { user } = await json<{ user: { id: UserId } }>(
    fetch(`${two.nodes[1].url}/api/session`, { headers: { cookie } }),
  );
  return { browser: browserAt(two.nodes[0].url, user as never, cookie), id: user.id };
}
const groupsOf = async (id: UserId): Promise<string[]> =>
  (await two.nodes[1].engine.directory.read()).groups.flatMap(({ name, members }) =>
    members.includes(id) ? name : [],
  );
const changes = (id: UserId) =>
  two.query(`SELECT entry FROM audit_log WHERE type = 'group.members-changed' AND entry::text LIKE $1`, [`%${id}%`]);

describe('at each sign-in', () => {
  test('the mapped groups are set as the claim says, by the provider, and only if something changes', async () => {
    const { id } = await enter('ada', ['g-finance', 'g-money', 'g-none', 'unmapped']);
    expect(await groupsOf(id)).toEqual(['finance']);
    await enter('ada', ['g-money']);
    expect(await changes(id)).toEqual([
      expect.objectContaining({ actor: { kind: 'provider', provider: acme.issuer }, group: ids.finance, added: [id] }),
    ]);
    await enter('ada', 'g-legal');
    expect(await groupsOf(id)).toEqual(['legal']);
    await enter('ada', undefined);
    expect(await groupsOf(id)).toEqual([]);
  });

  test('what an administrator has set stays', async () => {
    const { id } = await enter('bob', []);
    const { engine } = two.nodes[0];
    await changeMembers(engine, 'operator', ids.local, { add: [id] });
    await changeMembers(engine, 'operator', ids.legal, { add: [id] });
    await enter('bob', ['g-finance']);
    expect(await groupsOf(id)).toEqual(['finance', 'legal', 'local']);
    await enter('bob', []);
    expect(await groupsOf(id)).toEqual(['legal', 'local']);
  });
});

test('someone whom the provider takes out of a group loses their vote on a request that waits', async () => {
  const { browser } = await enter('cleo', ['g-finance']);
  const dan = await enter('dan', ['g-finance']);
  const { id, digest } = await two.asking.open({ tool: { name: 'pay' } });
  expect((await browser.vote({ id, digest })).status).toBe(200);
  await enter('cleo', []);
  expect((await dan.browser.vote({ id, digest })).status).toBe(200);
  const shown = await json<ElicitationDetail>(dan.browser.call('GET', `/api/elicitations/${id}`));
  expect([shown.status, shown.progress]).toMatchObject(['open', { have: 1, need: 2 }]);
});

test('who proves again who they are has the groups that the provider says then, and a vote from before ends', async () => {
  const { browser, id } = await enter('fay', ['g-finance']);
  const gil = await enter('gil', ['g-finance']);
  const request = await two.asking.open({ tool: { name: 'pay' } });
  expect((await browser.vote(request)).status).toBe(200);
  const confirm = async (sub: string, claim: string[]) =>
    signInBy(
      acme,
      two.nodes[1].url,
      { sub, groups: claim },
      await beginAt(two.nodes[1].url, 'acme', { cookie: browser.cookie, way: '/confirm' }),
    );
  const stranger = await confirm('gil', []);
  expect([stranger.cookie, await groupsOf(gil.id), await groupsOf(id)]).toEqual([undefined, ['finance'], ['finance']]);
  const { cookie = '' } = await confirm('fay', ['g-legal']);
  expect(await groupsOf(id)).toEqual(['legal']);
  const again = browserAt(two.nodes[0].url, browser.user, cookie);
  expect((await again.vote(request)).status).toBe(409);
  expect((await gil.browser.vote(request)).status).toBe(200);
  expect((await gil.browser.show(request.id)).progress).toMatchObject({ have: 1, need: 2 });
});

test.each([
  ['as Entra ID does with more than 200', { _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } }],
  ['as Entra ID does without a way to read them', { hasgroups: true }],
  ['as text of JSON', { groups: '["g-finance"]' }],
  ['as a list in one text', { groups: 'g-finance,g-legal' }],
  ['as names within objects', { groups: [{ name: 'g-finance' }, ['g-finance']] }],
  ['by names of every object', { groups: ['constructor', '__proto__', 'toString'] }],
])('groups that the provider sends %s are none', async (_name, claims) => {
  const { id } = await enter('hal', ['g-finance']);
  expect(await groupsOf(id)).toEqual(['finance']);
  expect((await signInBy(acme, two.nodes[0].url, { sub: 'hal', ...claims })).cookie).toBeDefined();
  expect(await groupsOf(id)).toEqual([]);
});

test('of 500 values those of the map count', async () => {
  const many = Array.from({ length: 500 }, (_, at) => `g-${at}`);
  expect(await groupsOf((await enter('ida', [...many, 'g-legal'])).id)).toEqual(['legal']);
});

test('only groups of the map change, and of members only those by the claim', () => {
  const [user, other]: UserId[] = ['usr_a', 'usr_b'];
  const issuer = 'https://id.example.com';
  const group = (name: string, members: UserId[], parts: Partial<GroupRecord> = {}): GroupRecord => ({
    id: `grp_${name}`,
    name,
    description: '',
    spaceId: null,
    members,
    sources: {},
    provisioned: null,
    owners: [],
    confirmation: null,
    ...parts,
  });
  const byClaim = { sources: { [user!]: issuer } };
  const all = [
    group('in', [user!, other!], byClaim),
    group('by-hand', [user!]),
    group('out', []),
    group('provisioned', [user!], { ...byClaim, provisioned: { issuer, externalId: null, unadoptedSince: null } }),
    group('unmapped', [user!], byClaim),
  ];
  const mapped = new Set(['in', 'by-hand', 'out', 'provisioned']);
  expect(groupChanges(all, { user: user!, named: new Set(['out']), mapped, issuer })).toEqual([
    { id: 'grp_in', add: [], remove: [user] },
    { id: 'grp_out', add: [user], remove: [] },
  ]);
});

test('a row of an identity that was forged in the database gives no one the groups of its person', async () => {
  await enter('olga', ['g-legal']);
  const mallory = await two.nodes[0].newUser();
  await two.query(`UPDATE federated_identity SET user_id = $1 WHERE subject = 'olga'`, [mallory.id]);
  const back = await signInBy(acme, two.nodes[0].url, { sub: 'olga', groups: ['g-finance', 'g-legal'] });
  expect(back).toMatchObject({ next: expect.stringContaining('access-ended'), cookie: undefined });
  expect(await groupsOf(mallory.id as UserId)).toEqual([]);
});
