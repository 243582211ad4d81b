import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProblemDocument } from '../../../src/contract/http/problem.ts';
import { changePerson } from '../../../src/engine/people/change-person.ts';
import type { Administrator } from '../../../src/engine/people/change-directory.ts';
import { addTeam, changeMembers, setOwner } from '../../../src/engine/people/change-team.ts';
import { makePasswordLink } from '../../../src/engine/people/password-link.ts';
import type { ServerId, TeamId, UserId } from '../../../src/model/id.ts';
import { openBrowser, type Browser } from '../../support/console.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { digestTables } from '../../support/table-contents.ts';

let server: TestServer;
let me: Browser;
let other: Browser;
let bob: Browser;
const known = { myTeam: '', otherTeam: '', mine: '', unowned: '' };
beforeAll(async () => {
  server = await startTestServer();
  const { engine } = server;
  const browsers = await Promise.all([openBrowser(server, 'admin'), openBrowser(server, 'admin'), openBrowser(server)]);
  [me, other, bob] = browsers as [Browser, Browser, Browser];
  known.myTeam = await addTeam(engine, 'operator', { name: 'Mine' });
  known.otherTeam = await addTeam(engine, 'operator', { name: 'Not mine' });
  await changeMembers(engine, 'operator', known.myTeam as TeamId, { add: [me.person.id] });
  await server.newServerKey('mine');
  await server.newServerKey('unowned');
  const { servers } = await engine.directory.read();
  known.mine = servers.find(({ name }) => name === 'mine')?.id ?? '';
  known.unowned = servers.find(({ name }) => name === 'unowned')?.id ?? '';
  await setOwner(engine, 'operator', known.mine as ServerId, me.person.id);
  const power = { managerId: other.person.id, subjects: ['me'], mayBreakGlass: false };
  await changePerson(engine, 'operator', me.person.id, power);
});
afterAll(() => server?.stop());

type Deed = { method: string; path: string; body?: unknown; command: string };
const mySettings = (body: unknown, command = 'user set'): Deed => {
  return { method: 'PATCH', path: `/api/people/${me.person.id}`, body, command };
};
const members = (team: keyof typeof known, body: unknown): Deed => {
  return { method: 'POST', path: `/api/teams/${known[team]}/members`, body, command: 'group ' };
};
const owner = (which: keyof typeof known, ownerId: string | null): Deed => {
  return { method: 'PATCH', path: `/api/servers/${known[which]}`, body: { ownerId }, command: 'server set' };
};

/** What nobody does about themselves. */
const deeds: Record<string, () => Deed> = {
  'gives themselves a role': () => mySettings({ role: 'reviewer' }),
  'gives themselves another manager': () => mySettings({ managerId: bob.person.id }),
  'has no manager any more': () => mySettings({ managerId: null }),
  'is known by one more subject': () => mySettings({ subjects: ['me', 'also me'] }),
  'is known by none any more': () => mySettings({ subjects: [] }),
  'may break glass': () => mySettings({ mayBreakGlass: true }),
  'is a member of Slack': () => mySettings({ slackId: 'U0123ABCD' }),
  'disables themselves': () => mySettings({ disabled: true }, 'user disable'),
  'hides it behind a new name': () => mySettings({ name: 'Me', mayBreakGlass: true }),
  'joins a group': () => members('otherTeam', { add: [bob.person.id, me.person.id] }),
  'leaves a group': () => members('myTeam', { remove: [me.person.id] }),
  'owns a server': () => owner('unowned', me.person.id),
  'owns a server no more': () => owner('mine', null),
  'passes a server on': () => owner('mine', bob.person.id),
  'manages somebody': () => {
    const path = `/api/people/${bob.person.id}`;
    return { method: 'PATCH', path, body: { managerId: me.person.id }, command: 'user set' };
  },
  'manages somebody new': () => {
    const body = { email: 'new@example.com', name: 'New', role: 'approver', managerId: me.person.id };
    return { method: 'POST', path: '/api/people', body, command: 'user set' };
  },
  'makes a link for a password': () => {
    return { method: 'POST', path: `/api/people/${me.person.id}/password-link`, command: 'user link' };
  },
};

test.each(Object.entries(deeds))('an administrator who %s is refused, and told who can do it', async (_name, deed) => {
  const { method, path, body, command } = deed();
  const before = await digestTables(server.databaseUrl);
  const response = await me.call(method, path, body);
  const problem = (await response.json()) as ProblemDocument;
  expect([response.status, problem.code]).toEqual([403, 'forbidden']);
  expect(problem.detail).toContain('Another administrator can do it, or the operator: assentry ');
  expect(problem.detail).toContain(command);
  expect(await digestTables(server.databaseUrl)).toEqual(before);
});

test('what harms nobody is given up by oneself: a permission, a channel; and the name is one’s own', async () => {
  await changePerson(server.engine, 'operator', me.person.id, { mayBreakGlass: true, slackId: 'U0123ABCD' });
  const { method, path, body } = mySettings({ mayBreakGlass: false, slackId: null, name: 'Me' });
  const response = await me.call(method, path, body);
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { mayBreakGlass: false, slackId: null, name: 'Me' },
  ]);
});

test('another administrator does all of it, and so does the operator', async () => {
  const { engine } = server;
  const my = me.person.id;
  const power = { managerId: bob.person.id, subjects: ['me', 'more'], mayBreakGlass: true };
  const asAnother = async (by: Administrator) => {
    await changePerson(engine, by, my, power);
    await changeMembers(engine, by, known.otherTeam as TeamId, { add: [my] });
    await changeMembers(engine, by, known.otherTeam as TeamId, { remove: [my] });
    await setOwner(engine, by, known.unowned as ServerId, my);
    await setOwner(engine, by, known.unowned as ServerId, null);
    await changePerson(engine, by, bob.person.id, { managerId: null });
    await makePasswordLink(engine, by, my);
    await changePerson(engine, by, my, { managerId: null, subjects: [], mayBreakGlass: false });
  };
  await asAnother(other.person);
  await asAnother('operator');
  const { people } = await engine.directory.read();
  expect(people.find(({ id }) => id === my)).toMatchObject({ managerId: null, subjects: [], mayBreakGlass: false });
});

test('of administrators who can sign in, the last one stays: an invited one is none yet', async () => {
  const { engine } = server;
  const invited = await server.invitePerson({ email: 'later@example.com', name: 'Later', role: 'admin' });
  await changePerson(engine, 'operator', other.person.id, { disabled: true });
  for (const change of [{ role: 'approver' } as const, { disabled: true }]) {
    await expect(changePerson(engine, 'operator', me.person.id, change)).rejects.toThrowProblem('not-now');
  }
  await changePerson(engine, 'operator', invited.person.id as UserId, { role: 'approver' });
  await changePerson(engine, 'operator', other.person.id, { disabled: false });
  await changePerson(engine, 'operator', me.person.id, { role: 'approver' });
});
