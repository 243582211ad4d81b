import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { BegunTotp } from '#access/factors/contract/second-factor';
import { createSignInPlanner } from '#notify/verbs/notices';
import type { NewNotification } from '#notify/store';
import { signInChangesStatement } from '#audit/entries/store/access';
import { json } from '../support/json.ts';
import { codeAt } from '../support/nodes/authenticator-app.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { startTwoNodes } from '../support/nodes/two-nodes.ts';
import { until } from '../support/poll.ts';
import { setUser } from '../support/requests/policies.ts';
import { openMailBox } from './mail-box.ts';

const day = 86_400_000;
const box = await openMailBox();
const house = await startTwoNodes({ smtp: box.settings });
afterAll(async () => {
  await house.stop();
  await box.stop();
});
const planners = house.nodes.map(({ engine }) => createSignInPlanner(engine));

/** Plans at both nodes at once, and waits until nothing is left to send. */
async function tell(): Promise<void> {
  await Promise.all(planners.map((planner) => planner.plan()));
  await until(async () => (await house.query(`SELECT id FROM notification WHERE state = 'due'`)).length === 0);
}

async function addApp({ call }: Browser): Promise<void> {
  const { secret, enrolment } = await json<BegunTotp>(call('POST', '/api/account/totp/begin'));
  const code = codeAt(secret, Date.now());
  expect((await call('POST', '/api/account/totp', { enrolment, code })).status).toBe(201);
}

const subjectsTo = (address: string): string[] => box.to(address).map(({ subject }) => subject);

test('a person gets one mail when they sign in otherwise than before, although they want no others', async () => {
  const [ada, bob] = [
    await openBrowser(house.nodes[0], 'approver', 'password'),
    await openBrowser(house.nodes[0], 'approver', 'password'),
  ];
  expect((await ada.call('PATCH', '/api/notifications/settings', { email: false, quiet: null })).ok).toBe(true);
  await addApp(ada);
  await tell();
  await tell();
  const [mail, ...others] = box.to(ada.user.email);
  expect(mail?.subject).toBe('An authenticator app was added to your account');
  expect(mail?.source).toContain('/account');
  expect(mail?.source).toContain('If not, end your other sessions');
  expect(others).toEqual([]);
  expect(box.to(bob.user.email)).toEqual([]);
});

test('of a new address, the one before gets a mail, and the new one none', async () => {
  const eve = await openBrowser(house.nodes[0], 'approver', 'password');
  const moved = `${randomUUID()}@example.com`;
  await setUser(house.nodes[0], eve, { email: moved });
  await addApp(eve);
  await tell();
  expect(subjectsTo(eve.user.email)).toEqual(['Assentry writes to you at another address now']);
  expect(subjectsTo(moved)).toEqual(['An authenticator app was added to your account']);
});

test('another name is no such change, and a change is no longer planned after a day', async () => {
  const zoe = await openBrowser(house.nodes[0], 'approver', 'password');
  const [{ engine }] = house.nodes;
  const plannedAt = async (time: number): Promise<NewNotification[]> => {
    const planned: NewNotification[] = [];
    const add = async (all: NewNotification[]) => void planned.push(...all);
    const notifications = { ...engine.notifications, add };
    await createSignInPlanner({ ...engine, notifications, now: () => time }).plan();
    return planned.filter(({ target }) => target === zoe.user.id);
  };
  await setUser(house.nodes[0], zoe, { name: 'Zoe' });
  expect(await plannedAt(Date.now())).toEqual([]);
  await addApp(zoe);
  const at = Date.now();
  expect(await plannedAt(at)).toMatchObject([{ kind: 'sign-in', channel: 'email', dueAt: at }]);
  expect(await plannedAt(at + day + 1)).toEqual([]);
});

test('the changes are read by an index that holds nothing else', async () => {
  const { sql, values } = signInChangesStatement(Date.now());
  const plan = await house.query(`EXPLAIN ${sql.replace('?', String(values[0]))}`);
  expect(plan.join('\n')).toContain('audit_entry_sign_in_idx');
});
