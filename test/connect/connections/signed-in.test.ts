import { afterAll, expect, test } from '@jest/globals';
import { signInWithPassword } from '#access/passwords/verbs';
import { signOut } from '#access/sign-in/verbs/sessions';
import { withdrawConnections } from '#connect/connections/verbs/tokens';
import { listCredentials } from '#connect/credentials/verbs';
import { changeUser } from '#people/users/verbs';
import { freePort } from '../../support/nodes/free-port.ts';
import { newVisitor, type Visitor } from '../../support/nodes/visitor.ts';
import { startFakeProvider } from '../../support/connect/fake-provider.ts';
import { openHouse, type Asked } from './house.ts';

const port = await freePort();
const provider = await startFakeProvider();
const publicUrl = 'https://approvals.example.com';
const house = await openHouse(provider, { publicUrl, port }, `http://127.0.0.1:${port}`);
afterAll(async () => {
  await house.server.stop();
  await provider.close();
});
const { engine } = house.server;
const password = 'seven quiet otters paint';
const cookie = '__Host-assentry';
let people = 0;

async function newPerson() {
  const email = `person-${(people += 1)}@example.com`;
  const user = await house.server.addUser({ email, name: email, role: 'reviewer', password });
  return { user, requester: { subject: email, verified: true } };
}

async function signIn(email: string): Promise<Visitor> {
  const visitor = newVisitor();
  visitor.cookies.set(cookie, (await signInWithPassword(engine, email, password)).secret);
  return visitor;
}

/** Proves by the session, and goes on to the provider; the address at which they come back. */
async function goThere(visitor: Visitor, question: Asked): Promise<string> {
  await visitor.get(question.url);
  expect((await visitor.send(question.url, { action: 'prove' })).status).toBe(303);
  await visitor.get(question.url);
  return house.consent(await house.goOn(visitor, question));
}

test('belongs to the person who is signed in, who sees it in their profile', async () => {
  const { user, requester } = await newPerson();
  const question = await house.ask(requester);
  const visitor = await signIn(user.email);
  const returned = await visitor.get(await goThere(visitor, question));
  expect(returned.status).toBe(303);
  expect(await listCredentials(engine, user.id)).toMatchObject([
    { server: 'payments', connection: { provider: 'Fake', account: 'octo-ada', scopes: ['repo'] } },
  ]);
  const actor = { kind: 'user', id: user.id };
  expect((await house.history(question.id)).at(-1)).toMatchObject({
    type: 'elicitation.answered',
    actor,
    to: 'accepted',
  });
});

test('is not made for someone who has signed out meanwhile', async () => {
  const { user, requester } = await newPerson();
  const visitor = await signIn(user.email);
  const back = await goThere(visitor, await house.ask(requester));
  await signOut(engine, user, visitor.cookies.get(cookie) ?? '');
  expect((await visitor.get(back)).status).toBe(400);
  expect((await house.find(requester)).state).toBe('missing');
});

test('is not begun without a session, whatever was proven before', async () => {
  const { user, requester } = await newPerson();
  const visitor = await signIn(user.email);
  const question = await house.ask(requester);
  await visitor.get(question.url);
  await visitor.send(question.url, { action: 'prove' });
  await visitor.get(question.url);
  visitor.cookies.delete(cookie);
  const refused = await visitor.send(question.url, { action: 'accept' });
  expect([refused.status, refused.headers.get('location')]).toEqual([403, null]);
  expect(refused.html).toContain('/signin?next=');
});

test('is not begun in the session of someone else, who has signed in at the same browser since', async () => {
  const [first, second] = [await newPerson(), await newPerson()];
  const visitor = await signIn(first.user.email);
  const question = await house.ask(first.requester);
  await visitor.get(question.url);
  await visitor.send(question.url, { action: 'prove' });
  await visitor.get(question.url);
  visitor.cookies.set(cookie, (await signIn(second.user.email)).cookies.get(cookie) ?? '');
  expect((await visitor.send(question.url, { action: 'accept' })).status).toBe(403);
  expect((await house.find(first.requester)).state).toBe('missing');
});

test('answers another open question of the same person, and of no one else', async () => {
  const [first, second] = [await newPerson(), await newPerson()];
  const visitor = await signIn(first.user.email);
  const [question, other] = [
    await house.ask(first.requester),
    await house.ask(first.requester, { arguments: { of: 2 } }),
  ];
  const ofSecond = await house.ask(second.requester);
  await visitor.get(await goThere(visitor, question));
  const ways = provider.calls.get('/authorize');
  await visitor.get(other.url);
  expect((await visitor.send(other.url, { action: 'prove' })).status).toBe(303);
  const session = visitor.cookies.get(cookie) ?? '';
  visitor.cookies.delete(cookie);
  await visitor.get(other.url);
  expect((await visitor.send(other.url, { action: 'accept' })).status).toBe(403);
  visitor.cookies.set(cookie, session);
  await visitor.get(other.url);
  expect(await house.goOn(visitor, other)).toMatch(/^\/e\//);
  expect((await house.state(other.id)).status).toBe('accepted');
  expect(provider.calls.get('/authorize')).toBe(ways);
  const stranger = await signIn(second.user.email);
  expect(new URL(await goThere(stranger, ofSecond)).pathname).toBe('/providers/fake/return');
  expect((await house.state(ofSecond.id)).status).toBe('open');
});

test('an unverified caller has no account to connect where people sign in', async () => {
  const answer = await house.asking.call('POST', '/v1/elicitations', {
    tool: { name: 'sync' },
    arguments: {},
    mode: 'url',
    message: 'Connect.',
    requester: { subject: 'client:someone' },
    expects: { kind: 'connection', provider: 'fake', scopes: [] },
  });
  expect(await answer.json()).toMatchObject({ code: 'ELICITATION_NOT_SUPPORTED' });
});

test('is withdrawn at the provider once its person is disabled', async () => {
  const { user, requester } = await newPerson();
  const visitor = await signIn(user.email);
  await visitor.get(await goThere(visitor, await house.ask(requester)));
  const answer = await house.find(requester);
  const id = answer.state === 'stored' ? answer.connection.id : '';
  const response = await house.asking.call('POST', `/v1/connections/${id}/token`, { requester });
  const { token } = (await response.json()) as { token: string };
  await changeUser(engine, 'operator', user.id, { disabled: true });
  expect((await house.find(requester)).state).toBe('missing');
  expect(provider.isLive(token)).toBe(true);
  await withdrawConnections(engine);
  expect(provider.isLive(token)).toBe(false);
  expect(await listCredentials(engine, user.id)).toEqual([]);
});

test.each([
  ['takes a secret from the person who proved who they are', true, 'stored'],
  ['takes no secret from a browser in which they have signed out', false, 'missing'],
])('%s', async (_name, isSignedIn, state) => {
  const { user, requester } = await newPerson();
  const visitor = await signIn(user.email);
  const secret = { kind: 'secret', label: 'Key', keep: 'until-removed' };
  const question = await house.ask(requester, { expects: secret });
  await visitor.get(question.url);
  await visitor.send(question.url, { action: 'prove' });
  await visitor.get(question.url);
  if (!isSignedIn) visitor.cookies.delete(cookie);
  await visitor.send(question.url, { action: 'accept', 'field.secret': 'sk-1' });
  const answer = await house.asking.call('POST', '/v1/secrets', { label: 'Key', requester });
  expect(((await answer.json()) as { state: string }).state).toBe(state);
  if (isSignedIn) expect(await listCredentials(engine, user.id)).toMatchObject([{ label: 'Key', connection: null }]);
});
