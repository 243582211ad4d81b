import { afterAll, expect, test } from '@jest/globals';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { signIn, type TestUser } from '../../support/nodes/server.ts';

let clock = Date.now();
const two = await startTwoNodes({ now: () => clock }, { now: () => clock });
afterAll(() => two.stop());
const [first, second] = two.nodes;

const confirm = async (session: TestUser, password: string) =>
  (await session.call('POST', '/api/session/confirm', { password })).status;
const change = async (session: TestUser, current: string) =>
  (await session.call('POST', '/api/account/password', { current, password: 'quiet lamps over seven rivers' })).status;

test('who has sessions of a person guesses their password no faster than who has none: in no session, at no node', async () => {
  const ada = await first.newUser();
  const sessions: [TestUser, TestUser] = [await signIn(first.url, ada), await signIn(second.url, ada)];
  const wrong = [];
  for (let at = 0; at < 10; at += 1) {
    const session = sessions[at % 2]!;
    wrong.push(at % 3 === 0 ? await change(session, `guess ${at}`) : await confirm(session, `guess ${at}`));
  }
  expect(new Set(wrong)).toEqual(new Set([400]));
  const third = await signIn(second.url, ada);
  expect([await confirm(third, ada.password), await change(sessions[0], ada.password)]).toEqual([429, 429]);
  clock += 1_000;
  expect(await confirm(third, 'guess 11')).toBe(400);
  clock += 1_000;
  expect(await confirm(third, ada.password)).toBe(429);
  clock += 1_000;
  expect([await confirm(third, ada.password), await confirm(sessions[0], 'guess 12')]).toEqual([204, 400]);
});

test('they do not slow a sign-in down, nor another person', async () => {
  const [bob, eve] = [await first.newUser(), await first.newUser()];
  const session = await signIn(first.url, bob);
  for (let at = 0; at < 11; at += 1) await confirm(session, 'a guess');
  expect(await confirm(session, bob.password)).toBe(429);
  await expect(signIn(first.url, bob)).resolves.toBeDefined();
  expect(await confirm(await signIn(first.url, eve), eve.password)).toBe(204);
});

test('a new password that is too weak is no guess', async () => {
  const dan = await first.newUser();
  const session = await signIn(first.url, dan);
  for (let at = 0; at < 12; at += 1)
    await session.call('POST', '/api/account/password', { current: dan.password, password: 'password1' });
  expect(await confirm(session, dan.password)).toBe(204);
});
