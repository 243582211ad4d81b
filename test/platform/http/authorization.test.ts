import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import pg from 'pg';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { routes, type RouteContract } from '#platform/http/contract/openapi';
import { signInSteps, type SignInStep } from '#access/factors/contract/factor-rule';
import {
  may,
  permissions,
  refusalWithout,
  builtInRoles,
  type BuiltInRole,
  type RoleHolder,
} from '#people/directory/contract/permission';
import { rolePermissions } from '#people/roles/contract';
import { addRole } from '#people/roles/verbs';
import { changeUser } from '#people/users/verbs';
import { newApiKey } from '#access/tokens/rules';
import { autoProviders } from '#connect/auto/rules';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { until } from '../../support/poll.ts';
import { addTotpRow } from '../../support/nodes/totp-row.ts';
import { fillPath, namedIssuer, nameThings } from '../../support/requests/route-path.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { expectNoWrites, openTableDigests } from '../../support/databases/table-contents.ts';
import { json } from '../../support/json.ts';
import { drawn } from '../../support/runs.ts';

const customRoles: RoleHolder[] = [
  { role: 'key-keeper', permissions: ['change-keys', 'stop-calls'] },
  { role: 'compliance-operator', permissions: ['read-log', 'hold-content'] },
  { role: 'everything', permissions: rolePermissions },
  ...rolePermissions.map((permission) => ({ role: `only-${permission}`, permissions: [permission] })),
];

/** Someone of each built-in role, and of roles that the installation has made. */
const everyone: { holder: RoleHolder; browser: Browser }[] = [];

/** So that its route is there; nothing is told. */
const slack = { token: 'xoxb-0000-test', signingSecret: '0'.repeat(32), apiUrl: 'http://127.0.0.1:9/' };

const connectProviders = autoProviders({ servers: ['payments'], issuers: [namedIssuer] });
const server = await startTestServer({ slack, connectProviders });
const asking = askingAt(server.url, await server.newServerKey());
const foreign = askingAt(server.url, await server.newServerKey('foreign'));
for (const { role: name, permissions = [] } of customRoles)
  await addRole(server.engine, 'operator', { name, permissions });
const holders: RoleHolder[] = [...builtInRoles.map((role) => ({ role })), ...customRoles];
// One after the other, as changes of people take turns anyway, and wait for theirs only so long.
for (const holder of holders) everyone.push({ holder, browser: await openBrowser(server, holder.role) });
const users = Object.fromEntries(everyone.map(({ holder, browser }) => [holder.role, browser])) as Record<
  BuiltInRole,
  Browser
>;
const signedOut = await openBrowser(server);
await signedOut.call('DELETE', '/api/session');
const opened = await asking.open();
const things = await nameThings(server, asking, opened);
const tables = await openTableDigests(server.databaseUrl);
afterAll(async () => {
  await tables.close();
  await server.stop();
});

const all = Object.entries<RouteContract>(routes);
/** Those for people and programs are among those for people. */
const byAuth = (auth: RouteContract['auth']) =>
  all.filter(([, route]) => route.auth === auth || (auth === 'session' && route.auth === 'session-or-token'));
const pathOf = (route: RouteContract): string => fillPath(route, things);

function call(route: RouteContract, headers: Record<string, string>, body: unknown = {}): Promise<Response> {
  return fetch(`${server.url}${pathOf(route)}`, {
    method: route.method.toUpperCase(),
    headers: { ...(route.body && { 'content-type': 'application/json' }), ...headers },
    ...(route.body && { body: JSON.stringify(body) }),
  });
}

const strangers = (): Record<string, Record<string, string>> => ({
  nobody: {},
  'a garbled key': { authorization: 'Bearer garbage' },
  'a key without the word': { authorization: asking.key },
  'a key by Basic': { authorization: `Basic ${Buffer.from(asking.key).toString('base64')}` },
  'a well-formed key that no one made': { authorization: `Bearer ${newApiKey().key}` },
  'a key with one letter changed': {
    authorization: `Bearer ${asking.key.replace(/_(.)/, (_, character) => `_${character === 'a' ? 'b' : 'a'}`)}`,
  },
  'a cookie that no one was given': { cookie: 'assentry=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
  'an empty cookie': { cookie: 'assentry=' },
  'someone who signed out': { cookie: signedOut.cookie },
});

test('no other routes let anyone in without a key or a session', () => {
  const names = (auth: RouteContract['auth']) => byAuth(auth).map(([id]) => id);
  expect(names('none')).toEqual([
    'signIn',
    'setUp',
    'setPassword',
    'beginPasskeySignIn',
    'signInWithPasskey',
    'listSignInWays',
    'beginSignIn',
    'readClientDocument',
    'reportViolation',
    'isAlive',
    'isReady',
    'showError',
  ]);
  expect(names('token')).toEqual([
    'completeSignIn',
    'takeLogoutToken',
    'takeFrontLogout',
    'showConnectPage',
    'takeConnectForm',
    'showPage',
    'answerPage',
    'keepReceipt',
    'showCallback',
    'takeCallback',
    'returnFromProvider',
    'showCredentialPage',
    'storeCredential',
  ]);
  expect(names('signature')).toEqual(['takeProviderEvent', 'takeSlackClick']);
  expect(names('connector')).toEqual(['takeTeamsActivity']);
  expect(names('operator')).toEqual(['readMetrics']);
  // test/access/scim/scim-security.test.ts tries each of these with every wrong caller.
  expect(names('scim').every((name) => name.includes('Scim'))).toBe(true);
});

describe('anyone who is not let in', () => {
  expectNoWrites(tables);

  test.each([...byAuth('key'), ...byAuth('session'), ...byAuth('signature'), ...byAuth('operator')])(
    'is refused at %s, and nothing is written',
    async (id, route) => {
      const wrongKind: Record<string, string> =
        route.auth === 'key' ? { cookie: users.admin.cookie } : { authorization: `Bearer ${asking.key}` };
      const callers = Object.entries({ ...strangers(), 'the other kind of caller': wrongKind });
      for (const [name, headers] of drawn(id, callers, { least: 1 })) {
        const response = await call(route, { ...headers, origin: server.url });
        const problem = await json<ProblemDocument>(response);
        expect([name, response.status, problem.code]).toEqual([name, 401, 'unauthenticated']);
      }
    },
  );
});

test('a disabled person is refused at once', async () => {
  const browser = await openBrowser(server, 'admin');
  await runSql('UPDATE app_user SET disabled_at = now() WHERE id = $1', [browser.user.id]);
  expect((await browser.call('GET', '/api/session')).status).toBe(401);
  const vote = { action: 'accept', content: {}, digest: opened.digest };
  expect((await browser.call('POST', `/api/elicitations/${opened.id}/vote`, vote)).status).toBe(401);
});

describe('a session without its second factor', () => {
  let strict: TestServer;
  let unfinished: Record<SignInStep, Browser>;
  beforeAll(async () => {
    strict = await startTestServer({ slack, databaseUrl: server.databaseUrl, secondFactor: 'required' });
    const [none, some] = [
      await openBrowser(strict, 'admin', 'password'),
      await openBrowser(strict, 'admin', 'password'),
    ];
    await addTotpRow(strict.engine, some.user.id);
    unfinished = { 'enrol-factor': none, 'prove-factor': some };
  });
  afterAll(() => strict?.stop());
  expectNoWrites(tables);

  test('opens these routes alone', () => {
    const openAt = (step: SignInStep) => byAuth('session').filter(([, route]) => route.isOpenAt?.includes(step));
    const always = [
      'whoAmI',
      'signOut',
      'beginPasskeyConfirmation',
      'confirmByPasskey',
      'confirmByCode',
      'beginConfirmation',
      'confirmPassword',
    ];
    const enrolling = ['beginPasskey', 'addPasskey', 'beginTotp', 'addTotp'];
    expect(new Set(openAt('prove-factor').map(([id]) => id))).toEqual(new Set(always));
    expect(new Set(openAt('enrol-factor').map(([id]) => id))).toEqual(new Set([...always, ...enrolling]));
    expect(all.filter(([, { auth, isOpenAt }]) => isOpenAt && !auth.startsWith('session'))).toEqual([]);
  });

  test.each(byAuth('session'))(
    'is refused at %s unless it proves the factor, and nothing is written',
    async (id, route) => {
      for (const step of signInSteps) {
        if (route.isOpenAt?.includes(step)) continue;
        const sent = fullBodies[id] ?? (route.body && {});
        const response = await unfinished[step].call(route.method.toUpperCase(), pathOf(route), sent);
        expect([step, response.status, await response.json()]).toMatchObject([
          step,
          403,
          { code: 'second-factor-needed' },
        ]);
      }
    },
  );
});

const fullBodies: Record<string, unknown> = {
  answerElicitation: { action: 'accept', content: {} },
  cancelElicitation: {},
  markCaller: { state: 'gone' },
  giveInformation: { inquiry: `rem_${'A'.repeat(22)}`, action: 'decline' },
  claimToolCall: { attempt: 'a', run: '0'.repeat(64) },
  releaseToolCall: { attempt: 'a' },
  completeToolCall: { attempt: 'a', delivered: true },
  refuseCredential: { accessToken: 'x' },
  useConnection: { requester: { subject: 'named' } },
  refuseConnection: { requester: { subject: 'named' } },
  findSecret: { label: 'Key', requester: { subject: 'named' } },
  useSecret: { requester: { subject: 'named' } },
  refuseSecret: { requester: { subject: 'named' } },
  keepMemo: { id: 'x', key: 'checkout', value: 1 },
};

test.each([...byAuth('key'), ...byAuth('session')].filter(([, { body }]) => body !== undefined))(
  '%s refuses a stranger before it reads what they send',
  async (_name, route) => {
    const headers = { 'content-type': 'application/json', 'content-length': '1000', origin: server.url };
    const sent = request(`${server.url}${pathOf(route)}`, { method: route.method, headers, agent: false });
    sent.flushHeaders(); // and never the body
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(401);
    sent.on('error', () => {}).destroy();
  },
);

test('a key that is revoked while the body is on its way opens nothing', async () => {
  const key = await server.newServerKey('slow');
  const body = JSON.stringify(question);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length };
  const sent = request(`${server.url}/v1/elicitations`, { method: 'POST', headers, agent: false });
  sent.write(body.slice(0, 1));
  const ofSlow = 'WHERE server_id = (SELECT id FROM server WHERE name = $1)';
  // The first use of the key is recorded when it is read.
  await until(
    async () => (await runSql(`SELECT FROM api_key ${ofSlow} AND last_used_at IS NOT NULL`, ['slow'])).length,
  );
  await runSql(`UPDATE api_key SET revoked_at = now() ${ofSlow}`, ['slow']);
  const { now } = performance;
  performance.now = () => now.call(performance) + 2_000;
  sent.end(body.slice(1));
  const [response] = (await once(sent, 'response').finally(() => (performance.now = now))) as [IncomingMessage];
  expect(response.statusCode).toBe(401);
  response.resume();
});

const prefixIn = (path: string): string =>
  /credentials|connections|secrets/.test(path) ? 'crd' : path.includes('calls') ? 'call' : 'eli';

describe('another server', () => {
  test.each(byAuth('key').filter(([, { params }]) => params))('gets nothing at %s', async (id, route) => {
    const before = await tables.read();
    const response = await call(route, { authorization: `Bearer ${foreign.key}` }, fullBodies[id]);
    const { errorId: _one, requestId: _first, ...result } = await json<ProblemDocument>(response);
    const absent = await fetch(
      `${server.url}${route.path.replace('{id}', `${prefixIn(route.path)}_${'A'.repeat(22)}`)}`,
      {
        method: route.method.toUpperCase(),
        headers: { authorization: `Bearer ${foreign.key}`, ...(route.body && { 'content-type': 'application/json' }) },
        ...(route.body && { body: JSON.stringify(fullBodies[id]) }),
      },
    );
    const { errorId: _other, requestId: _second, ...missing } = await json<ProblemDocument>(absent);
    expect([response.status, result]).toEqual([404, missing]);
    expect(await tables.read()).toEqual(before);
  });

  test('gets no token for it', async () => {
    const body = { session: 'alice', elicitation: opened.id, purpose: 'page' };
    expect((await foreign.call('POST', '/v1/tokens', body)).status).toBe(404);
  });
});

/** AI-16 */
describe("a server's key never approves", () => {
  test('whatever it sends to the route of votes', async () => {
    const vote = { action: 'accept', content: {}, digest: opened.digest };
    const path = `/api/elicitations/${opened.id}/vote`;
    for (const headers of [
      {},
      { origin: server.url },
      { 'sec-fetch-site': 'same-origin' },
      { origin: server.url, cookie: `assentry=${asking.key}` },
      { origin: server.url, 'x-forwarded-user': users.admin.user.email },
    ]) {
      expect([401, 403]).toContain((await asking.call('POST', path, vote, headers as Record<string, string>)).status);
    }
    expect(await stateOf(opened.id)).toEqual({ status: 'open', votes: 0 });
  });

  test('nor by a relayed answer, a result, or an identity in the body', async () => {
    for (const action of ['accept', 'decline', 'cancel']) {
      const answer = await asking.call('POST', `/v1/elicitations/${opened.id}/answer`, { action, content: {} });
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'forbidden' }]);
    }
    const posed = { action: 'accept', content: {}, user: users.admin.user.id };
    expect((await asking.call('POST', `/v1/elicitations/${opened.id}/answer`, posed)).status).toBe(400);
    const claim = await asking.claim(opened.toolCall, 'a');
    expect([claim.status, await claim.json()]).toMatchObject([409, { code: 'not-now' }]);
    expect(await stateOf(opened.id)).toEqual({ status: 'open', votes: 0 });
  });

  test('nor by naming the requester for a destructive tool', async () => {
    const tool = { name: 'wipe', annotations: { destructiveHint: true } };
    const { id, audience } = await asking.open({ tool, audience: 'requester' });
    expect(audience).toBe('approvers');
    const answer = await asking.call('POST', `/v1/elicitations/${id}/answer`, { action: 'accept', content: {} });
    expect(answer.status).toBe(403);
  });
});

describe('the table of permissions', () => {
  const guarded = byAuth('session').flatMap(([id, route]) =>
    route.permission ? [[id, route.permission, route] as const] : [],
  );
  const sentTo = (browser: Browser, route: RouteContract) =>
    browser.call(route.method.toUpperCase(), pathOf(route), route.body && {});

  describe('where it is missing', () => {
    expectNoWrites(tables);

    test.each(guarded)(
      '%s refuses everyone without the permission to %s, says who can, and writes nothing',
      async (id, needed, route) => {
        const without = everyone.filter(({ holder }) => !may(holder, needed));
        expect(without).not.toEqual([]);
        for (const {
          holder: { role },
          browser,
        } of drawn(id, without, { least: 2 })) {
          const response = await sentTo(browser, route);
          const refused = { code: 'forbidden', refusal: { code: refusalWithout(needed) } };
          expect([role, response.status, await response.json()]).toMatchObject([role, 403, refused]);
        }
      },
    );
  });

  test.each(guarded.filter(([, , { method, body }]) => method === 'get' || body))(
    '%s opens for everyone who may %s',
    async (id, needed, route) => {
      const entitled = everyone.filter(({ holder }) => may(holder, needed));
      for (const { holder, browser } of drawn(id, entitled, { least: 2 })) {
        const response = await sentTo(browser, route);
        const text = await response.text();
        expect([holder.role, response.status, text]).not.toEqual([
          holder.role,
          403,
          expect.stringContaining(refusalWithout(needed)),
        ]);
        expect(response.status).not.toBe(401);
      }
    },
  );

  test('every permission is needed by a route, and administrators alone have all', () => {
    expect(new Set(guarded.map(([, needed]) => needed))).toEqual(new Set(permissions));
    expect(builtInRoles.filter((role) => permissions.every((needed) => may(role, needed)))).toEqual(['admin']);
  });

  test('someone whose role is taken away is refused at once, also where the session is kept', async () => {
    const demoted = await openBrowser(server, 'approver');
    expect((await demoted.call('GET', '/api/session')).status).toBe(200);
    await changeUser(server.engine, 'operator', demoted.user.id, { role: 'operator' });
    const vote = { action: 'accept', content: {}, digest: opened.digest };
    const response = await demoted.call('POST', `/api/elicitations/${opened.id}/vote`, vote);
    expect([response.status, await response.json()]).toMatchObject([403, { refusal: { code: 'approvers-decide' } }]);
  });
});

describe('a reviewer', () => {
  beforeAll(() => users.reviewer.look(opened.id));

  describe('changes nothing:', () => {
    expectNoWrites(tables);

    test.each([
      ['vote', { action: 'accept', content: {} }],
      ['vote', { action: 'decline', comment: 'no' }],
      ['cancel', {}],
      ['extend', { by: 60_000 }],
      ['edit', { arguments: { amount: 1 } }],
      ['approvers', { user: `usr_${'A'.repeat(22)}` }],
      ['inquiry', { message: 'Why?' }],
      ['postpone', { notBefore: 9e12 }],
      ['break-glass', { reason: 'The pager says production is down.', content: {} }],
      ['withdraw-vote', undefined],
      ['watch', { held: true, digest: undefined }],
      ['comments', { text: 'Hello', digest: undefined }],
    ])('cannot %s %j', async (verb, body) => {
      const sent = body && { digest: opened.digest, ...body };
      const response = await users.reviewer.call('POST', `/api/elicitations/${opened.id}/${verb}`, sent);
      expect([response.status, await response.json()]).toMatchObject([403, { code: 'forbidden' }]);
    });
  });

  test('reads, and is told what they may not', async () => {
    expect((await users.reviewer.call('GET', '/api/elicitations?view=all')).status).toBe(200);
    const { can } = await users.reviewer.look(opened.id);
    expect(Object.values(can).map(({ allowed }) => allowed)).not.toContain(true);
  });
});

test.each(['admin', 'approver'] as const)('an %s votes, once', async (role) => {
  const { id, digest } = await asking.open();
  const vote = { action: 'accept', content: {}, digest };
  expect((await users[role].call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
  expect((await users[role].call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(409);
  expect(await stateOf(id)).toEqual({ status: 'accepted', votes: 1 });
});

const foreignPages: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: server.url },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  {},
];

/** WB-02 */
test('a page of another site cannot change anything for a signed-in person', async () => {
  const before = await tables.read();
  const changing = all.filter(
    ([, { method, auth }]) => method !== 'get' && (auth.startsWith('session') || auth === 'none'),
  );
  for (const [id, route] of changing) {
    for (const headers of drawn(`cross-site ${id}`, foreignPages, { least: 2 })) {
      const response = await call(route, { cookie: users.admin.cookie, ...headers });
      const { code } = await json<ProblemDocument>(response);
      expect([id, headers, response.status, code]).toEqual([id, headers, 403, 'cross-site']);
    }
  }
  expect(await tables.read()).toEqual(before);
});

/** AI-22 */
describe('a read', () => {
  expectNoWrites(tables);

  test.each(all.filter(([, { method, auth }]) => method === 'get' && !['token', 'operator', 'scim'].includes(auth)))(
    'reading changes nothing: %s',
    async (_id, route) => {
      for (const method of ['GET', 'HEAD']) {
        const gone = new AbortController();
        const response = await fetch(`${server.url}${pathOf(route)}`, {
          method,
          headers: route.auth === 'key' ? { authorization: `Bearer ${asking.key}` } : { cookie: users.admin.cookie },
          signal: gone.signal,
        });
        expect(response.status).toBe(200);
        gone.abort();
      }
    },
  );
});

async function runSql(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const { rows } = await client.query(sql, values).finally(() => client.end());
  return rows;
}

async function stateOf(id: string): Promise<unknown> {
  const [row] = await runSql(
    'SELECT status, (SELECT count(*)::int FROM vote WHERE elicitation_id = $1) AS votes FROM elicitation WHERE id = $1',
    [id],
  );
  return row;
}
