import { afterAll, expect, test } from '@jest/globals';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { changeUser } from '#people/users/verbs';
import type { Administrator } from '#people/directory/verbs/directory';
import { addGroup, changeMembers, setOwner } from '#people/groups/verbs';
import { mailPasswordLink } from '#access/sign-in/verbs/links';
import { makePasswordLink } from '#access/passwords/verbs';
import type { ServerId, GroupId, UserId } from '#platform/model/id';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { mailsDown } from '../../support/nodes/mailed-link.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { digestTables } from '../../support/databases/table-contents.ts';
import { json } from '../../support/json.ts';

const existing = { myGroup: '', otherGroup: '', mine: '', unowned: '' };
const server = await startTestServer({ smtp: mailsDown });
afterAll(() => server.stop());
const { engine } = server;
const browsers = await Promise.all([openBrowser(server, 'admin'), openBrowser(server, 'admin'), openBrowser(server)]);
const [me, other, bob] = browsers as [Browser, Browser, Browser];
existing.myGroup = await addGroup(engine, 'operator', { name: 'Mine' });
existing.otherGroup = await addGroup(engine, 'operator', { name: 'Not mine' });
await changeMembers(engine, 'operator', existing.myGroup as GroupId, { add: [me.user.id] });
await server.newServerKey('mine');
await server.newServerKey('unowned');
const { servers } = await engine.directory.read();
existing.mine = servers.find(({ name }) => name === 'mine')?.id ?? '';
existing.unowned = servers.find(({ name }) => name === 'unowned')?.id ?? '';
await setOwner(engine, 'operator', existing.mine as ServerId, me.user.id);
const power = { managerId: other.user.id, subjects: ['me'], mayBreakGlass: false };
await changeUser(engine, 'operator', me.user.id, power);

type Deed = { method: string; path: string; body?: unknown; command: string };
const mySettings = (body: unknown, command = 'user set'): Deed => {
  return { method: 'PATCH', path: `/api/users/${me.user.id}`, body, command };
};
const members = (group: keyof typeof existing, body: unknown): Deed => {
  return { method: 'POST', path: `/api/groups/${existing[group]}/members`, body, command: 'group ' };
};
const owner = (which: keyof typeof existing, ownerId: string | null): Deed => {
  return { method: 'PATCH', path: `/api/servers/${existing[which]}`, body: { ownerId }, command: 'server set' };
};

/** What no one does about themselves. */
const deeds: Record<string, () => Deed> = {
  'gives themselves a role': () => mySettings({ role: 'reviewer' }),
  'gives themselves another manager': () => mySettings({ managerId: bob.user.id }),
  'has no manager any more': () => mySettings({ managerId: null }),
  'is known by one more subject': () => mySettings({ subjects: ['me', 'also me'] }),
  'is known by none any more': () => mySettings({ subjects: [] }),
  'may use the emergency override': () => mySettings({ mayBreakGlass: true }),
  'is a member of Slack': () => mySettings({ chatMember: 'U0123ABCD' }),
  'disables themselves': () => mySettings({ disabled: true }, 'user disable'),
  'hides it behind a new name': () => mySettings({ name: 'Me', mayBreakGlass: true }),
  'joins a group': () => members('otherGroup', { add: [bob.user.id, me.user.id] }),
  'leaves a group': () => members('myGroup', { remove: [me.user.id] }),
  'owns a server': () => owner('unowned', me.user.id),
  'owns a server no more': () => owner('mine', null),
  'passes a server on': () => owner('mine', bob.user.id),
  'manages someone': () => {
    const path = `/api/users/${bob.user.id}`;
    return { method: 'PATCH', path, body: { managerId: me.user.id }, command: 'user set' };
  },
  'manages someone new': () => {
    const body = { email: 'new@example.com', name: 'New', role: 'approver', managerId: me.user.id };
    return { method: 'POST', path: '/api/users', body, command: 'user set' };
  },
  'makes a link for a password': () => {
    return { method: 'POST', path: `/api/users/${me.user.id}/password-link`, command: 'user link' };
  },
};

test.each(Object.entries(deeds))('an administrator who %s is refused, with who can do it', async (_name, deed) => {
  const { method, path, body, command } = deed();
  const before = await digestTables(server.databaseUrl);
  const response = await me.call(method, path, body);
  const problem = await json<ProblemDocument>(response);
  expect([response.status, problem.code]).toEqual([403, 'forbidden']);
  expect(problem.detail).toContain('Ask another administrator, or run: assentry ');
  expect(problem.detail).toContain(command);
  expect(await digestTables(server.databaseUrl)).toEqual(before);
});

test('what harms no one is given up by oneself: a permission, a channel; and the name is one’s own', async () => {
  await changeUser(server.engine, 'operator', me.user.id, { mayBreakGlass: true, chatMember: 'U0123ABCD' });
  const { method, path, body } = mySettings({ mayBreakGlass: false, chatMember: null, name: 'Me' });
  const response = await me.call(method, path, body);
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { mayBreakGlass: false, chatMember: null, name: 'Me' },
  ]);
});

test('another administrator does all of it, and so does the operator', async () => {
  const { engine } = server;
  const my = me.user.id;
  const power = { managerId: bob.user.id, subjects: ['me', 'more'], mayBreakGlass: true };
  const asAnother = async (by: Administrator) => {
    await changeUser(engine, by, my, power);
    await changeMembers(engine, by, existing.otherGroup as GroupId, { add: [my] });
    await changeMembers(engine, by, existing.otherGroup as GroupId, { remove: [my] });
    await setOwner(engine, by, existing.unowned as ServerId, my);
    await setOwner(engine, by, existing.unowned as ServerId, null);
    await changeUser(engine, by, bob.user.id, { managerId: null });
    await (by === 'operator' ? makePasswordLink(engine, my) : mailPasswordLink(engine, by, my));
    await changeUser(engine, by, my, { managerId: null, subjects: [], mayBreakGlass: false });
  };
  await asAnother(other.user);
  await asAnother('operator');
  const { users } = await engine.directory.read();
  expect(users.find(({ id }) => id === my)).toMatchObject({ managerId: null, subjects: [], mayBreakGlass: false });
});

test('of administrators who can sign in, the last one stays: an invited one is none yet', async () => {
  const { engine } = server;
  const invited = await server.inviteUser({ email: 'later@example.com', name: 'Later', role: 'admin' });
  await changeUser(engine, 'operator', other.user.id, { disabled: true });
  for (const change of [{ role: 'approver' } as const, { disabled: true }]) {
    await expect(changeUser(engine, 'operator', me.user.id, change)).rejects.toThrowProblem('not-now');
  }
  await changeUser(engine, 'operator', invited.user.id as UserId, { role: 'approver' });
  await changeUser(engine, 'operator', other.user.id, { disabled: false });
  await changeUser(engine, 'operator', me.user.id, { role: 'approver' });
});
