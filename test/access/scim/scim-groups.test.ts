import { afterAll, describe, expect, test } from '@jest/globals';
import { adoptGroup, addGroup, changeMembers } from '#people/groups/verbs';
import type { GroupId, UserId } from '#platform/model/id';
import { startSession, byLink } from '#access/sign-in/verbs/sessions';
import type { User } from '#people/directory/contract/user';
import { browserAt } from '../../support/nodes/console.ts';
import { oktaUser, scimAt, scimProvider } from '../../support/nodes/scim.ts';
import { asWritten, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { publish } from '../../support/requests/policies.ts';

/** Groups that a provider makes and fills. */
const two = await startTwoNodes({ signInProviders: [scimProvider('okta'), scimProvider('other')] });
afterAll(() => two.stop());
const [{ scim, url }] = two.nodes;
const okta = scimAt(url, (await scim.createToken('okta')).token);
const other = scimAt(url, (await scim.createToken('other')).token);
const add = async (name: string) => (await okta.call('POST', '/Users', oktaUser(name))).body.id as UserId;
const ids: Record<'ada' | 'bea' | 'cai', UserId> = {
  ada: await add('ada'),
  bea: await add('bea'),
  cai: await add('cai'),
};

const groupOf = async (id: string) =>
  (await two.nodes[1].engine.directory.read()).groups.find((group) => group.id === id);
const membersOf = async (id: string) => [...((await groupOf(id))?.members ?? [])].sort();
const sorted = (...members: UserId[]) => members.sort();
const entriesAbout = (id: string): Promise<unknown[]> =>
  two.query(`SELECT entry FROM audit_log WHERE entry->>'group' = $1 ${asWritten}`, [id]);

const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
let groups = 0;
async function newGroup(...members: UserId[]): Promise<{ id: GroupId; name: string }> {
  const name = `Group ${(groups += 1)}`;
  const sent = { schemas, displayName: name, members: members.map((value) => ({ value, display: 'someone' })) };
  const { status, body } = await okta.call('POST', '/Groups', sent);
  expect([status, body]).toEqual([201, expect.anything()]);
  return { id: body.id as GroupId, name };
}

test('a group is made with its members in one commit, and says which provider made it', async () => {
  const { id, name } = await newGroup(ids.ada, ids.bea);
  const provider = 'https://okta.example.com';
  expect(await groupOf(id)).toMatchObject({
    name,
    provisioned: { issuer: provider },
    sources: { [ids.ada]: provider, [ids.bea]: provider },
  });
  expect(await entriesAbout(id)).toMatchObject([
    { type: 'group.added', actor: { kind: 'provider', provider } },
    { type: 'group.provisioned' },
    { type: 'group.members-changed', added: [ids.ada, ids.bea], removed: [] },
  ]);
  const search = `/Groups?filter=${encodeURIComponent(`displayName eq "${name.toUpperCase()}"`)}`;
  expect((await okta.call('GET', search)).body).toMatchObject({
    totalResults: 1,
    Resources: [{ id, members: [{ value: ids.ada, display: 'ada Okta', type: 'User' }, { value: ids.bea }] }],
  });
  expect((await okta.call('GET', `${search}&excludedAttributes=members`)).body.Resources[0]).not.toHaveProperty(
    'members',
  );
  expect((await okta.call('GET', `/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty('members');
});

describe('members change', () => {
  test.each<[string, Record<string, unknown>[], ('ada' | 'bea' | 'cai')[]]>([
    [
      'as Okta adds one',
      [{ op: 'add', path: 'members', value: [{ value: 'cai', display: 'cai@example.com' }] }],
      ['ada', 'bea', 'cai'],
    ],
    ['as Okta removes one', [{ op: 'remove', path: 'members[value eq "bea"]' }], ['ada']],
    ['as Okta replaces all', [{ op: 'replace', path: 'members', value: [{ value: 'cai', display: 'c' }] }], ['cai']],
    [
      'as Okta renames and replaces',
      [{ op: 'replace', value: { id: 'self', displayName: 'self', members: [{ value: 'bea' }] } }],
      ['bea'],
    ],
    [
      'as Entra ID adds',
      [{ op: 'Add', path: 'members', value: [{ $ref: null, value: 'cai' }] }],
      ['ada', 'bea', 'cai'],
    ],
    [
      'as Entra ID removes by value',
      [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: 'ada' }] }],
      ['bea'],
    ],
    ['as Entra ID removes by filter', [{ op: 'Remove', path: 'members[value eq "ada"]' }], ['bea']],
    ['all at once', [{ op: 'remove', path: 'members' }], []],
    ['all at once, by null', [{ op: 'replace', path: 'members', value: null }], []],
    [
      'by several operations',
      [
        { op: 'Remove', path: 'members[value eq "ada"]' },
        { op: 'Add', path: 'members', value: { value: 'cai' } },
      ],
      ['bea', 'cai'],
    ],
    ['by no one who is not there', [{ op: 'remove', path: 'members[value eq "cai"]' }], ['ada', 'bea']],
  ])('%s', async (_name, operations, expected) => {
    const { id, name } = await newGroup(ids.ada, ids.bea);
    const text = JSON.stringify(operations)
      .replaceAll(/\b(ada|bea|cai)(?=\\?")/g, (word) => ids[word as 'ada'])
      .replace('"id":"self"', `"id":"${id}"`)
      .replace('"displayName":"self"', `"displayName":"${name} renamed"`);
    const answer = await okta.patch(`/Groups/${id}`, ...(JSON.parse(text) as Record<string, unknown>[]));
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    expect(await membersOf(id)).toEqual(sorted(...expected.map((who) => ids[who])));
  });

  test('by PUT with the name, in one commit, and not at all if one part is wrong', async () => {
    const { id, name } = await newGroup(ids.ada);
    const put = (parts: object) => okta.call('PUT', `/Groups/${id}`, { schemas, displayName: name, ...parts });
    const wrong = await put({
      displayName: `${name} new`,
      members: [{ value: ids.bea }, { value: `usr_${'A'.repeat(22)}` }],
    });
    expect([wrong.status, wrong.body.scimType, wrong.body.detail]).toEqual([
      400,
      'invalidValue',
      expect.stringContaining('members[1].value'),
    ]);
    expect(await groupOf(id)).toMatchObject({ name, members: [ids.ada] });
    expect((await put({ displayName: `${name} new`, members: [{ value: ids.bea }] })).status).toBe(200);
    expect(await groupOf(id)).toMatchObject({ name: `${name} new`, members: [ids.bea] });
    expect((await put({})).body).toMatchObject({ displayName: name, members: [{ value: ids.bea }] });
    expect((await put({ members: [] })).body).toMatchObject({ members: [] });
  });

  test('and what an administrator has set stays', async () => {
    const { id } = await newGroup(ids.ada);
    const local = (await two.nodes[0].newUser()).id as UserId;
    await changeMembers(two.nodes[0].engine, 'operator', id, { add: [local, ids.bea] });
    expect((await okta.call('GET', `/Groups/${id}`)).body).toMatchObject({
      members: [{ value: ids.ada }, { value: ids.bea }],
    });
    await okta.patch(`/Groups/${id}`, { op: 'replace', path: 'members', value: [] });
    expect(await membersOf(id)).toEqual(sorted(local, ids.bea));
  });
});

test.each([
  'R&D',
  'Finance (EU)',
  'Ops: on call',
  'EU/DE/Payments',
  "Ada's team",
  'a, b',
  'ops@example',
  '[IT] Admins',
  'Ventes – Été',
  `${'x'.repeat(253)}-EU`,
])('the name %s is kept as the provider sends it, found by it, and named by a policy', async (displayName) => {
  const { status, body } = await okta.call('POST', '/Groups', { schemas, displayName, members: [{ value: ids.ada }] });
  expect([status, body.displayName]).toEqual([201, displayName]);
  const filter = encodeURIComponent(`displayName eq ${JSON.stringify(displayName)}`);
  expect((await okta.call('GET', `/Groups?filter=${filter}`)).body.Resources.map(({ id }) => id)).toEqual([body.id]);
  const id = body.id as GroupId;
  await adoptGroup(two.nodes[0].engine, 'operator', { id, adopted: true });
  const approvers = `{ group: ${JSON.stringify(displayName)} }`;
  const tool = `of-${id}`;
  await publish(
    two.nodes[0],
    `policy: named-${(groups += 1)}\nmatch: { tool: ${tool} }\nrequire: { stages: [{ name: One, approvers: ${approvers} }] }\n`,
  );
  expect((await (await signedIn(ids.ada)).vote(await two.asking.open({ tool: { name: tool } }))).status).toBe(200);
});

describe('no power comes of a name', () => {
  test('a group of another source or with a name of policies is neither made nor taken', async () => {
    const [{ engine }] = two.nodes;
    const local = await addGroup(engine, 'operator', { name: 'finance' });
    await changeMembers(engine, 'operator', local, { add: [(await two.nodes[0].newUser()).id as UserId] });
    await publish(
      two.nodes[0],
      'policy: named\nmatch: { tool: named }\nrequire: { stages: [{ name: One, approvers: { group: finance } }] }\n',
    );
    const { id } = await newGroup(ids.ada);
    const conflict = await okta.call('POST', '/Groups', {
      schemas,
      displayName: 'finance',
      members: [{ value: ids.ada }],
    });
    expect(conflict.status).toBe(409);
    expect((await okta.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'finance' })).status).toBe(
      409,
    );
    expect(await membersOf(local)).not.toContain(ids.ada);
    for (const [method, body] of [['GET'], ['PUT', { schemas, displayName: 'finance' }], ['DELETE']] as const)
      expect((await okta.call(method, `/Groups/${local}`, body)).status).toBe(404);
  });

  test('a group is not made under a name that a condition of a policy waits for', async () => {
    await publish(
      two.nodes[0],
      `policy: waiting\nmatch: { tool: waiting }\nwhen: '"night-shift" in requester.groups'\nrequire: { stages: [{ name: One, approvers: anyone }] }\n`,
    );
    const { status } = await okta.call('POST', '/Groups', { schemas, displayName: 'night-shift' });
    expect(status).toBe(409);
  });

  test('a group that a policy names is neither renamed nor deleted by the provider', async () => {
    const { id, name } = await newGroup(ids.ada, ids.bea);
    await adoptGroup(two.nodes[0].engine, 'operator', { id, adopted: true });
    await publish(
      two.nodes[0],
      `policy: of-provider\nmatch: { tool: of_provider }\nrequire: { stages: [{ name: One, approve: 2, approvers: { group: ${name} } }] }\n`,
    );
    expect((await okta.call('DELETE', `/Groups/${id}`)).status).toBe(409);
    expect((await okta.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'Elsewhere' })).status).toBe(
      409,
    );
    expect(await groupOf(id)).toMatchObject({ name });
    // Whom the provider takes out loses their vote on a request that waits.
    const request = await two.asking.open({ tool: { name: 'of_provider' } });
    const [ada, bea] = await Promise.all([signedIn(ids.ada), signedIn(ids.bea)]);
    expect((await ada.vote(request)).status).toBe(200);
    await okta.patch(`/Groups/${id}`, { op: 'Remove', path: `members[value eq "${ids.ada}"]` });
    expect((await bea.vote(request)).status).toBe(200);
    expect((await bea.show(request.id)).progress).toMatchObject({ have: 1, need: 2 });
  });
});

async function signedIn(id: UserId) {
  const user = (await two.nodes[0].engine.users.byId(id)) as User;
  const session = await startSession(two.nodes[0].engine, user, byLink);
  return browserAt(two.nodes[0].url, user, `assentry=${session?.secret}`);
}

test('five thousand people join a group, stay, and leave it, by one request each', async () => {
  await two.query(`
    WITH joined AS (
      INSERT INTO app_user (id, email, name, role)
      SELECT 'usr_' || lpad(n::text, 22, 'm'), 'm' || n || '@example.com', 'M' || n, 'approver' FROM generate_series(1, 5000) n
      RETURNING id, email)
    INSERT INTO provisioned_user (user_id, issuer, user_name, external_id)
    SELECT id, 'https://okta.example.com', email, email FROM joined`);
  const { id, name } = await newGroup(ids.ada);
  const all = Array.from({ length: 5000 }, (_, at) => `usr_${String(at + 1).padStart(22, 'm')}` as UserId);
  const members = all.map((value) => ({ value, display: value, type: 'User' }));
  const changes: [() => Promise<{ status: number }>, UserId[]][] = [
    [() => okta.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: members }), [ids.ada, ...all]],
    [() => okta.call('PUT', `/Groups/${id}`, { schemas, displayName: name, members }), all],
    [() => okta.patch(`/Groups/${id}`, ...all.slice(0, 1000).map(withoutOne)), all.slice(1000)],
    [() => okta.patch(`/Groups/${id}`, { op: 'remove', path: 'members', value: members }), []],
  ];
  for (const [change, expected] of changes) {
    const { status } = await change();
    expect([status, await membersOf(id)]).toEqual([200, sorted(...expected)]);
  }
  const sizes = (await entriesAbout(id)).map((entry) => (entry as { added?: string[] }).added?.length ?? 0);
  expect(Math.max(...sizes)).toBe(1000);
});
const withoutOne = (id: UserId) => ({ op: 'remove', path: `members[value eq "${id}"]` });

test('another provider reaches neither the group nor its people', async () => {
  const { id, name } = await newGroup(ids.ada);
  const absent = await other.call('GET', `/Groups/grp_${'A'.repeat(22)}`);
  for (const [method, path, body] of [
    ['GET', `/Groups/${id}`],
    ['PUT', `/Groups/${id}`, { schemas, displayName: 'mine' }],
    ['DELETE', `/Groups/${id}`],
    ['GET', `/Groups/${ids.ada}`],
  ] as const) {
    const answer = await other.call(method, path, body);
    expect([answer.status, answer.body]).toEqual([404, absent.body]);
  }
  const patch = await other.patch(`/Groups/${id}`, { op: 'remove', path: 'members' });
  expect([patch.status, patch.body]).toEqual([404, absent.body]);
  expect((await other.call('GET', '/Groups')).body.totalResults).toBe(0);
  expect((await other.call('POST', '/Groups', { schemas, displayName: name })).body.scimType).toBe('uniqueness');
  const foreign = (value: string) =>
    other.call('POST', '/Groups', { schemas, displayName: 'Mine', members: [{ value }] });
  expect((await foreign(ids.ada)).body).toEqual((await foreign(`usr_${'A'.repeat(22)}`)).body);
  expect(await membersOf(id)).toEqual([ids.ada]);
});

test('a change of members that does not say whom is refused', async () => {
  const { id } = await newGroup(ids.ada);
  const answer = await okta.patch(`/Groups/${id}`, { op: 'add', path: 'members' });
  expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining('Operations[0].value')]);
  expect(await membersOf(id)).toEqual([ids.ada]);
});

test('a deleted group is gone, and leaves its entry', async () => {
  const { id, name } = await newGroup(ids.ada);
  expect((await okta.call('DELETE', `/Groups/${id}`)).status).toBe(204);
  expect((await okta.call('DELETE', `/Groups/${id}`)).status).toBe(404);
  expect((await entriesAbout(id)).at(-1)).toMatchObject({ type: 'group.deleted', actor: { kind: 'provider' } });
  expect((await okta.call('POST', '/Groups', { schemas, displayName: name })).status).toBe(201);
});

test.each([
  ['no name', {}, 'displayName'],
  ['a name with a blank letter', { displayName: 'finance\u3164' }, 'displayName'],
  ...['a "b"', 'a`b`', '$(a)', 'a\\b', 'a!b', '-a', 'a\nb', 'a\u202Eb', 'a\u00A0b', 'x'.repeat(257)].map(
    (displayName): [string, object, string] => [
      `the name ${JSON.stringify(displayName)}`,
      { displayName },
      'displayName',
    ],
  ),
  ['a member without an id', { displayName: 'x', members: [{ display: 'Ada' }] }, 'members[0].value'],
  ['a member that is no object', { displayName: 'x', members: ['usr'] }, 'members[0]'],
])('%s is refused with its path', async (_name, body, path) => {
  const answer = await okta.call('POST', '/Groups', { schemas, ...body });
  expect([answer.status, answer.body]).toMatchObject([400, { scimType: 'invalidValue', status: '400' }]);
  expect(answer.body.detail).toMatch(path);
});
