import { afterAll, describe, expect, test } from '@jest/globals';
import type { ChangeState } from '#people/declared/contract';
import type { WaitingAdminToken } from '#access/tokens/contract';
import type { UserId } from '#platform/model/id';
import { addGroup, changeMembers } from '#people/groups/verbs';
import { changeDirectory } from '#people/directory/verbs/directory';
import { mostTaken } from '#people/directory/verbs/power';
import { json } from '../../support/json.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { accept } from '../../support/requests/waiting-change.ts';

const server = await startTestServer({ environment: 'production' });
afterAll(() => server.stop());
const { engine } = server;
const [root, ben] = [await openBrowser(server, 'admin'), await openBrowser(server, 'admin')];
const people: Browser[] = [];
for (let at = 0; at < 12; at += 1) people.push(await openBrowser(server));
const ids = people.map(({ user }) => user.id);
const group = async (members: UserId[]): Promise<string> => {
  const id = await addGroup(engine, 'operator', { name: `Group ${crypto.randomUUID().slice(0, 8)}` });
  await changeMembers(engine, 'operator', id, { add: members });
  return id;
};
const membersOf = async (id: string) =>
  (await engine.directory.read()).groups.find((each) => each.id === id)?.members.length;
const disabledCount = async () =>
  (await engine.directory.read()).users.filter(({ disabledAt }) => disabledAt !== null).length;
const waiting = async (answer: Response): Promise<string> => {
  const { request } = await json<{ request: string }>(answer);
  expect([answer.status, request]).toEqual([202, expect.any(String)]);
  return request;
};

const terms = { name: 'pipeline', permissions: ['change-directory'] };
const pipeline = await json<WaitingAdminToken>(root.call('POST', '/api/admin-tokens', terms));
await accept(ben, pipeline.request);
const program = (method: string, path: string, body: object): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${pipeline.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const declare = (...kept: Browser[]) => ({
  people: kept.map(({ user: { email, name, role } }) => ({ email, name, role })),
  prune: true,
});

test('one administrator takes rights from ten people at a time, or a twentieth of all', () => {
  expect([1, 200, 201, 3_000].map(mostTaken)).toEqual([10, 10, 10, 150]);
});

describe('rights of more than ten people', () => {
  test.each<[string, (members: string) => Promise<Response>]>([
    [
      'by removing them from a group',
      (id) => root.call('POST', `/api/groups/${id}/members`, { remove: ids.slice(0, 11) }),
    ],
    ['by deleting their group', (id) => root.call('DELETE', `/api/groups/${id}`)],
  ])('are taken %s only once a second administrator accepts it', async (_, take) => {
    const id = await group(ids.slice(0, 11));
    const request = await waiting(await take(id));
    expect(await membersOf(id)).toBe(11);
    await accept(ben, request);
    expect((await membersOf(id)) ?? 0).toBe(0);
  });

  test('of ten people are taken at once', async () => {
    const id = await group(ids.slice(0, 10));
    expect((await root.call('POST', `/api/groups/${id}/members`, { remove: ids.slice(0, 10) })).status).toBe(200);
    expect((await root.call('DELETE', `/api/groups/${await group(ids.slice(0, 10))}`)).status).toBe(204);
  });

  test('are taken by a program that prunes only once an administrator accepts it', async () => {
    const before = await disabledCount();
    const request = await waiting(await program('POST', '/api/directory/apply', declare(root, ben)));
    expect(await disabledCount()).toBe(before);
    const refused = { action: 'decline', comment: 'Our pipeline did not ask for this.' };
    expect((await ben.vote({ id: request, digest: (await ben.show(request)).digest }, refused)).status).toBe(200);
    expect(await json<ChangeState>(root.call('GET', `/api/changes/${request}`))).toMatchObject({ state: 'refused' });
  });
});

describe('the last other administrator', () => {
  test.each([
    ['disabled', { disabled: true }],
    ['demoted', { role: 'approver' }],
  ])('is not %s by one administrator alone', async (_, change) => {
    const request = await waiting(await root.call('PATCH', `/api/users/${ben.user.id}`, change));
    const { users } = await engine.directory.read();
    expect(users.find(({ id }) => id === ben.user.id)).toMatchObject({ role: 'admin', disabledAt: null });
    await ben.vote({ id: request, digest: (await ben.show(request)).digest }, { action: 'decline', comment: 'No.' });
  });

  test('is one of several: the others stay', async () => {
    const third = await openBrowser(server, 'admin');
    expect((await root.call('PATCH', `/api/users/${third.user.id}`, { disabled: true })).status).toBe(200);
  });

  test.each([
    ['by PATCH', (of: Browser) => program('PATCH', `/api/users/${of.user.id}`, { disabled: true })],
    ['by a role', (of: Browser) => program('PATCH', `/api/users/${of.user.id}`, { role: 'reviewer' })],
    ['by pruning', () => program('POST', '/api/directory/apply', declare(root, ben, ...people))],
    ['in a dry run', () => program('POST', '/api/directory/apply', { ...declare(root, ben, ...people), dryRun: true })],
  ])('and no other administrator is disabled or demoted by a program: %s', async (_, take) => {
    const third = await openBrowser(server, 'admin');
    const answer = await take(third);
    expect([answer.status, await answer.json()]).toMatchObject([403, { refusal: { code: 'administrator-by-token' } }]);
    expect((await engine.directory.read()).users.find(({ id }) => id === third.user.id)?.disabledAt).toBeNull();
    await changeDirectory(engine, 'operator', () => ({
      write: { type: 'user', id: third.user.id, set: { disabledAt: engine.now() } },
      event: { type: 'user.changed', user: third.user.id, changed: { disabled: true } },
    }));
  });
});

test('a provider that ends the access of people one by one, and of the last other administrator, is not held up', async () => {
  const by = { kind: 'provider', issuer: 'https://idp.example.com' } as const;
  const disable = (id: UserId) => ({
    write: { type: 'user', id, set: { disabledAt: engine.now() } } as const,
    event: { type: 'user.changed', user: id, changed: { disabled: true } } as const,
  });
  await changeDirectory(engine, by, () => disable(ben.user.id));
  await changeDirectory(engine, by, () => ids.map(disable));
  const { users } = await engine.directory.read();
  expect(users.filter(({ id, disabledAt }) => [ben.user.id, ...ids].includes(id) && disabledAt === null)).toEqual([]);
});
