import { afterAll, expect, test } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { addGroup } from '#people/groups/verbs';
import { signInBy, type CameBack } from '../../support/nodes/federated-sign-in.ts';
import { clientSecret, startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const newPeople = { role: 'approver', domains: ['example.com'], claims: {}, verifiedBy: 'email_verified' } as const;
const groups = { claim: 'groups', map: { payers: 'Payers' } };

const [acme, other] = [await startHostileProvider('acme'), await startHostileProvider('other')];
acme.sayMore({});
const signInProviders = [acme.settings({ newPeople, groups }), other.settings({ newPeople })];
/** What two providers say of people, in the token and where they are asked for more. */
const server = await startTestServer({ signInProviders });
afterAll(async () => {
  await server.stop();
  await acme.close();
  await other.close();
});
await addGroup(server.engine, 'operator', { name: 'Payers' });

const refused = ({ next, cookie }: CameBack) => [new URL(next, 'http://console').searchParams.get('refused'), cookie];
const person = (name: string): JWTPayload & { sub: string; email: string } => ({
  sub: name,
  email: `${name.toLowerCase()}@example.com`,
  email_verified: true,
});
const idOf = async ({ cookie = '' }: CameBack): Promise<string> =>
  (await json<{ user: { id: string } }>(fetch(`${server.url}/api/session`, { headers: { cookie } }))).user.id;
/** At the first provider, which says more of them where it is asked. */
const enter = (claims: JWTPayload, more: JWTPayload = {}): Promise<CameBack> => {
  acme.sayMore({ sub: claims.sub ?? '', ...more });
  return signInBy(acme, server.url, claims);
};

test('someone is added by what the provider says where it is asked', async () => {
  const { sub, ...more } = person('ask-me');
  expect((await enter({ sub }, more)).cookie).toBeDefined();
});

test('an address in the token is not verified because another one is', async () => {
  const { sub, email } = person('mallory');
  const more = { email: 'mallory@evil.example', email_verified: true };
  expect(refused(await enter({ sub, email }, more))).toEqual(['not-invited', undefined]);
  expect(refused(await enter({ sub, ...more }, { email }))).toEqual(['not-invited', undefined]);
  expect(refused(await enter({ sub, email_verified: true }, { email }))).toEqual(['not-invited', undefined]);
  expect((await enter({ sub, email }, { email, email_verified: true })).cookie).toBeDefined();
});

test('what is said of another subject counts for no one', async () => {
  const { sub, ...more } = person('victim');
  acme.sayMore({ sub, ...more });
  expect(refused(await signInBy(acme, server.url, { sub: 'mallory' }))).toEqual(['provider-answer-invalid', undefined]);
});

test('a subject is another one in other case, with spaces, or at another provider', async () => {
  const ada = await idOf(await enter(person('Ada')));
  for (const sub of ['ada', 'ADA', ' Ada', 'Ada ']) {
    const reason = sub.includes(' ') ? 'not-invited' : 'address-taken';
    expect([sub, ...refused(await enter({ ...person('Ada'), sub }))]).toEqual([sub, reason, undefined]);
  }
  expect(refused(await signInBy(other, server.url, person('Ada')))).toEqual(['address-taken', undefined]);
  const there = await signInBy(other, server.url, { ...person('Ada'), email: 'other-ada@example.com' });
  expect(await idOf(there)).not.toBe(ada);
  expect(await idOf(await enter(person('Ada')))).toBe(ada);
});

test.each(['А\u0064a', 'a'.repeat(256), ''])(
  'a subject that OpenID Connect does not know is refused: %j',
  async (sub) => {
    expect((await enter({ ...person('unicode'), sub })).cookie).toBeUndefined();
  },
);

const many = Array.from({ length: 10_000 }, (_, at) => `group-${at}`);
test.each<[string, unknown, boolean]>([
  ['a text', 'payers', true],
  ['a list', ['payers'], true],
  ['10,000 groups', [...many, 'payers'], true],
  ['an object', { payers: true }, false],
  ['an object in a list', [{ payers: 'payers' }], false],
  ['a list in a list', [['payers']], false],
  ['names that every object has', ['constructor', '__proto__', 'toString'], false],
  ['another case', ['Payers', 'PAYERS'], false],
  ['no value', null, false],
])('groups as %s', async (name, claim, isMember) => {
  const id = await idOf(await enter({ ...person(`g${name.replaceAll(/\W/g, '')}`), groups: claim }));
  const { groups: stored } = await server.engine.directory.read();
  expect(stored.find((group) => group.name === 'Payers')?.members.includes(id as never)).toBe(isMember);
});

test('the secret goes in the body, as it is, to a provider that lists both ways', async () => {
  acme.shownSecrets.length = 0;
  await enter(person('by-secret'));
  await until(() => acme.shownSecrets.length > 0);
  expect(acme.shownSecrets).toEqual([clientSecret]);
});

test('a provider is asked for more only if the token lacks it, and its refusal stops no one then', async () => {
  const before = acme.calls.get('/more') ?? 0;
  acme.sayMore({ sub: 'someone-else' }); // what it says is wrong
  const whole = { ...person('whole'), groups: [] };
  expect((await signInBy(acme, server.url, whole)).cookie).toBeDefined();
  expect(acme.calls.get('/more') ?? 0).toBe(before);
  expect(refused(await signInBy(acme, server.url, person('partial')))).toEqual(['provider-answer-invalid', undefined]);
});

test.each([
  [5, true],
  [60, false],
  [600, false],
])('a token that was issued %d seconds ahead signs someone in: %s', async (seconds, isIn) => {
  const iat = Math.floor(Date.now() / 1000) + seconds;
  const cameBack = await enter({ ...person(`ahead-${seconds}`), iat, exp: iat + 60 });
  expect(cameBack.cookie !== undefined).toBe(isIn);
});
