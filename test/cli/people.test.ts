import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { killProcesses, runAssentry, type Ended } from './assentry-process.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await killProcesses();
  await database?.drop();
});

const run = (line: string, input = ''): Promise<Ended> =>
  runAssentry(line.split(' '), {
    env: { DATABASE_URL: database.url, ASSENTRY_SECRET: 'a-secret-for-tests-of-enough-characters' },
    input,
  });

/** The one JSON document that is all of standard output. */
async function said(line: string, input?: string): Promise<unknown> {
  const ended = await run(`${line} --json`, input);
  expect(ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\{.*\}\n$/) });
  return JSON.parse(ended.stdout);
}

test('an operator keeps people and groups', async () => {
  const add = (email: string, role: string) =>
    said(`user add ${email} --role ${role} --password-stdin`, 'correct horse battery');
  await Promise.all([add('ada@example.com', 'admin'), add('grace@example.com', 'approver')]);
  expect(await said('group create finance')).toMatchObject({ group: { name: 'finance', members: [] } });
  const set =
    'user set Grace@example.com --manager ada@example.com --subject auth0|7 grace --slack U0123ABCD --break-glass yes';
  const [person, both] = await Promise.all([said(set), said('group add finance grace@example.com ada@example.com')]);
  const grace = { email: 'grace@example.com', manager: { name: 'ada' }, subjects: ['auth0|7', 'grace'] };
  expect(person).toMatchObject({ person: { ...grace, slackId: 'U0123ABCD', mayBreakGlass: true } });
  expect(both).toMatchObject({ group: { members: [expect.anything(), expect.anything()] } });
  await said('group remove finance ada@example.com');
  const [groups, disabled] = await Promise.all([run('group list'), run('user disable grace@example.com')]);
  expect(groups.stdout).toBe('finance: grace\n');
  const told =
    'approver, disabled; may break glass; reports to ada; in finance; known as auth0|7, grace; U0123ABCD in Slack';
  expect(disabled.stdout).toBe(`grace <grace@example.com>: ${told}\n`);
  expect(await said('user list')).toMatchObject({ people: [{ role: 'admin' }, { email: 'grace@example.com' }] });
}, 60_000);

test('what cannot be is refused in words', async () => {
  const cases: [string, number, string][] = [
    ['user set ada@example.com --role approver', 1, 'This is the last administrator.'],
    ['user set ada@example.com', 2, 'Say what to change'],
    ['user set ada@example.com --slack @ada', 2, 'Give a member ID of Slack'],
    ['group add finances ada@example.com', 1, 'There is no group called finances.'],
  ];
  await Promise.all(
    cases.map(async ([line, code, why]) => {
      const refused = await run(line);
      expect([line, refused.code, refused.stdout]).toEqual([line, code, '']);
      expect(refused.stderr).toContain(why);
    }),
  );
}, 60_000);
