import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { UserEntry, ServerList, Group } from '#people/users/contract';
import { changeUser } from '#people/users/verbs';
import type { UserId } from '#platform/model/id';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { publish } from '../../support/requests/policies.ts';
import { asWritten, startTwoNodes, type TwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

let two: TwoNodes;
let admin: Browser;
let ada: Browser;
let grace: Browser;
beforeAll(async () => {
  two = await startTwoNodes();
  [admin, ada, grace] = (await Promise.all([
    openBrowser(two.nodes[0], 'admin'),
    openBrowser(two.nodes[0]),
    openBrowser(two.nodes[0]),
  ])) as [Browser, Browser, Browser];
});
afterAll(() => two?.stop());

const change = (user: Browser, body: unknown, by = admin): Promise<Response> =>
  by.call('PATCH', `/api/users/${user.user.id}`, body);
const countEntries = async () =>
  (await two.query('SELECT count(*)::int FROM audit_entry WHERE type NOT LIKE $$access.%$$'))[0];
const lastEntry = async () => (await two.query(`SELECT entry FROM audit_log ${asWritten} DESC LIMIT 1`))[0];
const answer = async (response: Response) => [response.status, await response.json()];

describe('a person', () => {
  test('is changed by an administrator, and the log says who did what in the same commit', async () => {
    const response = await change(ada, { role: 'reviewer', managerId: grace.user.id, subjects: ['auth0|ada'] });
    const manager = { id: grace.user.id, name: grace.user.name };
    expect(await answer(response)).toMatchObject([200, { role: 'reviewer', manager, subjects: ['auth0|ada'] }]);
    expect(await lastEntry()).toMatchObject({
      type: 'user.changed',
      actor: { kind: 'user', id: admin.user.id },
      user: ada.user.id,
      changed: { role: 'reviewer', manager: grace.user.id, subjects: true },
    });
    expect(await answer(await change(ada, { role: 'approver' }))).toMatchObject([200, { role: 'approver' }]);
  });

  test('who is so already is left alone, and the log stays silent', async () => {
    const before = await countEntries();
    const { user } = grace;
    const same = { name: user.name, role: user.role, subjects: [], managerId: null, disabled: false };
    expect((await change(grace, same)).status).toBe(200);
    expect(await countEntries()).toBe(before);
  });

  test('never reports to themself, however far up', async () => {
    const third = await openBrowser(two.nodes[0]);
    expect((await change(ada, { managerId: grace.user.id })).status).toBe(200);
    expect((await change(grace, { managerId: third.user.id })).status).toBe(200);
    for (const managerId of [ada, grace, third].map(({ user }) => user.id)) {
      const refused = { code: 'INVALID_INPUT', errors: [{ path: ['managerId'] }] };
      expect(await answer(await change(third, { managerId }))).toMatchObject([400, refused]);
    }
    await change(grace, { managerId: null });
  });

  test('has no subject that is known for someone else', async () => {
    await change(ada, { subjects: ['shared'] });
    for (const subjects of [['shared'], ['new', ada.user.email]]) {
      expect(await answer(await change(grace, { subjects }))).toMatchObject([400, { code: 'INVALID_INPUT' }]);
    }
  });

  test('is one member of Slack at most, whom an administrator names and no one for themselves', async () => {
    expect(await answer(await change(ada, { chatMember: 'U0123ABCD' }))).toMatchObject([
      200,
      { chatMember: 'U0123ABCD' },
    ]);
    expect(await lastEntry()).toMatchObject({ user: ada.user.id, changed: { chat: 'U0123ABCD' } });
    const next = { code: 'INVALID_INPUT', errors: [{ path: ['chatMember'] }] };
    expect(await answer(await change(grace, { chatMember: 'U0123ABCD' }))).toMatchObject([400, next]);
    expect(await answer(await change(grace, { chatMember: 'ada' }))).toMatchObject([400, next]);
    expect(await answer(await change(admin, { chatMember: 'U0123ABCE' }))).toMatchObject([403, { code: 'forbidden' }]);
    expect((await change(ada, { chatMember: 'U0123ABCE' }, grace)).status).toBe(403);
    expect(await answer(await change(ada, { chatMember: null }))).toMatchObject([200, { chatMember: null }]);
    expect(await lastEntry()).toMatchObject({ changed: { chat: null } });
  });

  test('a disabled person is signed out everywhere at once, and can come back', async () => {
    const browser = await openBrowser(two.nodes[0]);
    const elsewhere = browser.at(two.nodes[1].url);
    expect((await elsewhere.call('GET', '/api/session')).status).toBe(200);
    expect(await answer(await change(browser, { disabled: true }))).toMatchObject([
      200,
      { disabledAt: expect.any(Number) },
    ]);
    expect((await elsewhere.call('GET', '/api/session')).status).toBe(401);
    expect(await answer(await change(browser, { disabled: false }))).toMatchObject([200, { disabledAt: null }]);
    expect((await elsewhere.call('GET', '/api/session')).status).toBe(401); // the old session stays ended
  });

  test('an unknown person is not found', async () => {
    const response = await admin.call('PATCH', `/api/users/usr_${'A'.repeat(22)}`, { role: 'admin' });
    expect(response.status).toBe(404);
  });
});

describe('administrators', () => {
  test('of two that take each other away at the same moment, at two nodes, one stays', async () => {
    const { engine } = two.nodes[0];
    const [first, other] = await Promise.all([openBrowser(two.nodes[0], 'admin'), openBrowser(two.nodes[1], 'admin')]);
    const rest = (await engine.directory.read()).users.filter(
      ({ id, role }) => role === 'admin' && ![first.user.id, other.user.id].includes(id),
    );
    for (const { id } of rest) await changeUser(engine, 'operator', id, { disabled: true });
    const answers = await Promise.all([
      change(other, { role: 'approver' }, first),
      change(first, { disabled: true }, other.at(two.nodes[1].url)),
    ]);
    const statuses = answers.map(({ status }) => status).sort();
    expect([
      [200, 403],
      [200, 401],
    ]).toContainEqual(statuses);
    const records = (await engine.directory.read()).users.filter((p) => p.role === 'admin' && p.disabledAt === null);
    expect(records).toHaveLength(1);
    const last = changeUser(engine, 'operator', records[0]?.id as UserId, { role: 'approver' });
    await expect(last).rejects.toThrowProblem('not-now');
    for (const { id } of rest) await changeUser(engine, 'operator', id, { disabled: false });
    admin = await openBrowser(two.nodes[0], 'admin');
  });
});

describe('a group', () => {
  test('is made, renamed, filled, emptied and deleted; each is in the log', async () => {
    const result = await json<Group>(admin.call('POST', '/api/groups', { name: 'Finance' }));
    expect(result).toEqual({
      id: expect.stringMatching(/^grp_/),
      name: 'Finance',
      description: '',
      members: [],
      space: null,
      owners: [],
      provisioned: null,
      confirmation: null,
    });
    const path = `/api/groups/${result.id}`;
    await admin.call('PATCH', path, { name: 'Treasury', description: 'They pay.' });
    const ids = [ada.user.id, grace.user.id];
    await admin.call('POST', `${path}/members`, { add: ids });
    const filled = await json<Group>(admin.call('POST', `${path}/members`, { remove: [grace.user.id] }));
    expect(filled).toMatchObject({ name: 'Treasury', description: 'They pay.', members: [{ id: ada.user.id }] });
    const { users } = await json<{ users: UserEntry[] }>(ada.call('GET', '/api/users'));
    expect(users.find(({ id }) => id === ada.user.id)?.groups).toEqual([{ id: result.id, name: 'Treasury' }]);
    expect((await admin.call('DELETE', path)).status).toBe(204);
    expect((await admin.call('DELETE', path)).status).toBe(404);
    const messages = await two.query(`SELECT type FROM audit_log WHERE entry->>'group' = $1 ${asWritten}`, [result.id]);
    expect(messages).toEqual([
      'group.added',
      'group.changed',
      'group.members-changed',
      'group.members-changed',
      'group.deleted',
    ]);
  });

  const approvers = (source: string) => `require: { stages: [{ name: One, approvers: [{ role: admin }, ${source}] }] }`;
  test.each([
    ['by-source', approvers('{ group: by-source }')],
    ['by-user', approvers(`{ cel: '"by-user" in user.groups' }`)],
    ['by-request', `when: "'by-request' in requester.groups"\ndeny: { reason: Not for them. }`],
  ])('that a policy in force names keeps its name, and stays (%s)', async (name, rest) => {
    const [{ id }, other] = (await Promise.all(
      [name, `other ${name}`].map(async (name) => (await admin.call('POST', '/api/groups', { name })).json()),
    )) as [Group, Group];
    await admin.call('POST', `/api/groups/${id}/members`, { add: [ada.user.id] });
    await publish(two.nodes[0], `policy: ${name}\nmatch: { tool: none }\n${rest}`);
    const before = await countEntries();
    for (const [response, detail] of [
      [
        await admin.call('PATCH', `/api/groups/${id}`, { name: 'renamed' }),
        'names this group. Change the policy first.',
      ],
      [await admin.call('DELETE', `/api/groups/${id}`), 'names this group. Change the policy first.'],
      [
        await admin.call('PATCH', `/api/groups/${other.id}`, { name }),
        'relies on a group with this name. Change the policy first.',
      ],
    ] as const) {
      expect(await answer(response)).toMatchObject([
        409,
        { code: 'not-now', detail: `The policy ${name}@1 ${detail}` },
      ]);
    }
    expect(await countEntries()).toBe(before);
    expect((await admin.call('PATCH', `/api/groups/${id}`, { description: 'Of whom it asks.' })).status).toBe(200);
  });

  test('of one name there is one, and strangers are no members', async () => {
    const { id } = await json<Group>(admin.call('POST', '/api/groups', { name: 'Legal' }));
    const before = await countEntries();
    expect(await answer(await admin.call('POST', '/api/groups', { name: 'Legal' }))).toMatchObject([
      409,
      { code: 'already-exists' },
    ]);
    const stranger = { add: [`usr_${'A'.repeat(22)}`] };
    expect(await answer(await admin.call('POST', `/api/groups/${id}/members`, stranger))).toMatchObject([
      400,
      { errors: [{ path: ['add', 0] }] },
    ]);
    expect(await countEntries()).toBe(before);
  });
});

test("a server's owner is set by an administrator, once, and logged", async () => {
  const { servers } = await json<ServerList>(ada.call('GET', '/api/servers'));
  const path = `/api/servers/${servers[0]?.id}`;
  const owner = { id: ada.user.id, name: ada.user.name };
  expect(await answer(await admin.call('PATCH', path, { ownerId: owner.id }))).toMatchObject([200, { owner }]);
  expect(await lastEntry()).toMatchObject({ type: 'server.owner-changed', owner: owner.id });
  const before = await countEntries();
  await admin.call('PATCH', path, { ownerId: owner.id });
  expect(await countEntries()).toBe(before);
});
