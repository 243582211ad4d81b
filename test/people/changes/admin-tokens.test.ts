import { afterAll, describe, expect, test } from '@jest/globals';
import type { AdminTokenList, CreatedAdminToken, WaitingAdminToken } from '#access/tokens/contract';
import type { AppliedDirectory, ChangeState, WaitingDirectory } from '#people/declared/contract';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { routes, type RouteContract } from '#platform/http/contract/openapi';
import { newAdminToken } from '#access/tokens/rules';
import { applyPolicies, importPolicies } from '#policies/verbs/apply';
import { addGroup, changeMembers } from '#people/groups/verbs';
import { findTokenCaller } from '#access/tokens/verbs/admin-tokens';
import { connectClient } from '#platform/database/connection';
import { changeUser } from '#people/users/verbs';
import { isForTokens, permissions, tokenPermissions } from '#people/directory/contract/permission';
import { openTableDigests } from '../../support/databases/table-contents.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { setUser } from '../../support/requests/policies.ts';
import { asWritten, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';
import { drawn } from '../../support/runs.ts';
import { until } from '../../support/poll.ts';
import { accept } from '../../support/requests/waiting-change.ts';

let [ada, ben, cleo]: Browser[] = [];
let clock = Date.now();
const smtp = { host: '127.0.0.1', port: 9, isSecure: false, isLocal: true, auth: null, from: 'assentry@example.com' };
/** Programs that administer, in production: two administrators decide what gives power, however it is asked for. */
const two = await startTwoNodes({ environment: 'production', now: () => clock, smtp });
const [node] = two.nodes;
[ada, ben] = [await openBrowser(node, 'admin', 'password'), await openBrowser(node, 'admin', 'password')];
cleo = await openBrowser(node, 'admin', 'password');
const tables = await openTableDigests(node.databaseUrl);
afterAll(async () => {
  await tables.close();
  await two.stop();
});

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>;

const programAt =
  (url: string, token: string): Call =>
  (method, path, body, headers) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

const [first, second] = [() => two.nodes[0].url, () => two.nodes[1].url];

async function askForToken(terms: object, by: Browser = ada!): Promise<WaitingAdminToken> {
  const response = await by.call('POST', '/api/admin-tokens', { name: 'pipeline', ...terms });
  expect(response.status).toBe(202);
  return json<WaitingAdminToken>(response);
}

async function newToken(terms: object = {}): Promise<CreatedAdminToken> {
  const answer = await askForToken({ permissions: tokenPermissions, ...terms });
  expect(await accept(ben!, answer.request)).toBe('accepted');
  return answer;
}

const entriesOf = (type: string) => two.query(`SELECT entry FROM audit_log WHERE type = $1 ${asWritten}`, [type]);
const stateAt = (call: Call, id: string) => json<ChangeState>(call('GET', `/api/changes/${id}`));

describe('a token', () => {
  test('opens nothing until a second administrator has accepted it, and then what it was made for', async () => {
    const { token, request, kid } = await askForToken({ permissions: ['change-directory'] });
    expect((await programAt(first(), token)('GET', '/api/users')).status).toBe(401);
    expect(await accept(ada!, request)).toBe('is-requester');
    expect(await accept(ben!, request)).toBe('accepted');
    const call = programAt(second(), token);
    expect((await call('GET', '/api/users')).status).toBe(200);
    const group = await call('POST', '/api/groups', { name: 'By a program' });
    expect(group.status).toBe(201);
    const [entry] = (await entriesOf('group.added')).slice(-1);
    expect(entry).toMatchObject({ actor: { kind: 'token', token: kid, name: 'pipeline' } });
    const [creation] = (await entriesOf('admin-token.created')).slice(-1);
    expect(creation).toMatchObject({ token: kid, maker: ada!.user.id, actor: { agreed: { with: [ben!.user.id] } } });
  });

  test('is listed with its last use and never with its secret, and ends at once at every node', async () => {
    const { token, kid } = await newToken();
    const call = programAt(second(), token);
    expect((await call('GET', '/api/groups')).status).toBe(200);
    const listed = await (await ada!.call('GET', '/api/admin-tokens')).text();
    expect(listed).not.toContain(token.slice(25));
    const { tokens } = JSON.parse(listed) as AdminTokenList;
    const life = 90 * 86_400_000;
    expect(tokens.find((entry) => entry.kid === kid)).toMatchObject({
      maker: { id: ada!.user.id, disabled: false },
      lastUsedAt: expect.any(Number),
      expiresAt: expect.any(Number),
    });
    expect(tokens.find((entry) => entry.kid === kid)!.expiresAt - clock).toBeLessThanOrEqual(life);
    expect((await ben!.call('POST', `/api/admin-tokens/${kid}/revoke`)).status).toBe(204);
    for (const url of [first(), second()]) expect((await programAt(url, token)('GET', '/api/groups')).status).toBe(401);
    expect(JSON.stringify(await two.query('SELECT t::text FROM admin_token t'))).not.toContain(token.slice(25));
  });

  test.each([
    ['of a token that cannot decide', { permissions: ['decide'] }],
    ['without any', { permissions: [] }],
    ['for more than a year', { permissions: ['change-keys'], expiresAt: 'later' }],
    ['from a network that is none', { permissions: ['change-keys'], networks: ['10.0.0.0/99'] }],
  ])('is not made %s', async (_what, terms) => {
    const expiresAt = 'expiresAt' in terms ? { expiresAt: clock + 366 * 86_400_000 } : {};
    const response = await ada!.call('POST', '/api/admin-tokens', { name: 'x', ...terms, ...expiresAt });
    expect([response.status, (await json<ProblemDocument>(response)).code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('opens nothing once it has expired, from another network, or while its maker is disabled', async () => {
    const [short, far, own] = [
      await newToken({ expiresAt: clock + 60_000 }),
      await newToken({ networks: ['192.0.2.0/24'] }),
      await newToken(),
    ];
    const statusOf = async ({ token }: CreatedAdminToken) =>
      (await programAt(first(), token)('GET', '/api/users')).status;
    expect([await statusOf(short), await statusOf(far), await statusOf(own)]).toEqual([200, 401, 200]);
    clock += 61_000;
    expect([await statusOf(short), await statusOf(own)]).toEqual([401, 200]);
    const [node] = two.nodes;
    await changeUser(node.engine, 'operator', ada!.user.id, { disabled: true });
    expect(await statusOf(own)).toBe(401);
    await changeUser(node.engine, 'operator', ada!.user.id, { disabled: false });
    expect(await statusOf(own)).toBe(200);
    await setUser(node, ada!, { role: 'operator' });
    expect((await programAt(first(), own.token)('POST', '/api/groups', { name: 'No more' })).status).toBe(403);
    await setUser(node, ada!, { role: 'admin' });
    ada = await openBrowserAgain(ada!);
  });

  const openBrowserAgain = (_before: Browser) => openBrowser(two.nodes[0], 'admin', 'password');

  test('opens only what takes one of its permissions', async () => {
    const without = await newToken({ permissions: ['change-webhooks'] });
    const taking = Object.values<RouteContract>(routes).filter(
      ({ auth, permission }) => auth === 'session-or-token' && permission && permission !== 'change-webhooks',
    );
    expect(taking.length).toBeGreaterThan(10);
    const before = await tables.read();
    for (const { method, path, permission } of taking) {
      const real = path.replace('{id}', `usr_${'A'.repeat(22)}`).replace('{kid}', '0'.repeat(16));
      const response = await programAt(first(), without.token)(method.toUpperCase(), real);
      expect([path, permission, response.status]).toEqual([path, permission, 403]);
    }
    const { admin_token: _touched, audit_entry: _refused, ...after } = (await tables.read()) as Record<string, unknown>;
    expect(after).toEqual(expect.objectContaining(omit(before as Record<string, unknown>, Object.keys(after))));
  });

  const closed = Object.entries<RouteContract>(routes)
    .filter(([, { auth }]) => auth === 'session' || auth === 'key' || auth === 'scim' || auth === 'operator')
    .map(([id, route]): [string, RouteContract] => [id, route]);
  const byKind = drawn('closed to tokens', closed, { least: 40, values: ([, { auth, method }]) => [auth, method] });
  test.each(byKind)('does not open %s', async (_id, { method, path }) => {
    everything ??= (await newToken()).token;
    const real = path.replace('{id}', `eli_${'A'.repeat(22)}`).replace(/\{\w+\}/g, '1');
    const origin = { origin: first() };
    const response = await programAt(first(), everything)(method.toUpperCase(), real, undefined, origin);
    expect(response.status).toBe(401);
  });
  let everything: string | undefined;

  test('has only what programs may have', () => {
    expect(permissions.filter((permission) => !isForTokens(permission))).toEqual([
      'decide',
      'tend-requests',
      'watch-requests',
      'read-log',
      'change-space',
      'read-tools',
      'stop-calls',
      'hold-content',
    ]);
  });

  test('that no one made, and one with the secret of another, open nothing', async () => {
    const [real, other] = [await newToken(), newAdminToken()];
    const mixed = other.key.replace(other.kid, real.kid);
    for (const token of [other.key, mixed, `${real.token}x`, real.token.replace('asnadm', 'asn')])
      expect((await programAt(first(), token)('GET', '/api/users')).status).toBe(401);
    const withCookie = await ada!.call('GET', '/api/users', undefined, { authorization: `Bearer ${other.key}` });
    expect(withCookie.status).toBe(401);
  });
});

describe('a token that is revoked on one connection while its accepted change is made on another', () => {
  /** How many statements about this wait for a lock, on any connection to this database. */
  const waitingFor = async (text: string): Promise<number> =>
    Number(
      (
        await two.query(
          `SELECT count(*)::int FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`,
          [text],
        )
      )[0],
    );
  const ask = async (server: string) => {
    const { token, kid } = await newToken();
    const answer = await programAt(first(), token)('POST', '/api/directory/apply', {
      servers: [{ name: server, owner: ben!.user.email }],
    });
    return { kid, ...(await json<WaitingDirectory>(answer)) };
  };
  const stateOf = (request: string) => stateAt(ada!.call, request);
  const isMade = async (name: string) =>
    (await two.nodes[1].engine.directory.read()).servers.some((server) => server.name === name);

  test('makes nothing if the revocation was first', async () => {
    const { kid, request } = await ask('raced-revoked');
    const revoking = await connectClient({ connectionString: two.nodes[0].databaseUrl });
    await revoking.query('BEGIN');
    await revoking.query('UPDATE admin_token SET revoked_at = now() WHERE kid = $1', [kid]);
    const accepted = accept(cleo!, request);
    await until(async () => (await waitingFor('FROM admin_token')) > 0);
    await revoking.query('COMMIT');
    await revoking.end();
    expect(await accepted).toBe('accepted');
    expect([await stateOf(request), await isMade('raced-revoked')]).toMatchObject([{ state: 'not-made' }, false]);
    // As the log has it, for the tests that compare rows with it.
    await two.query('UPDATE admin_token SET revoked_at = NULL WHERE kid = $1', [kid]);
  });

  test('waits with the revocation until a change that was first is made', async () => {
    const { kid, request } = await ask('raced-made');
    const holder = await connectClient({ connectionString: two.nodes[0].databaseUrl });
    // The last that the change writes waits for this row, and no trigger counts it.
    await holder.query('SET session_replication_role = replica');
    await holder.query('BEGIN');
    await holder.query(`INSERT INTO server (id, name) VALUES ('srv_held', 'raced-made')`);
    const accepted = accept(cleo!, request);
    await until(async () => (await waitingFor('INSERT INTO "public"."server"')) > 0);
    const revoked = ada!.at(second()).call('POST', `/api/admin-tokens/${kid}/revoke`);
    await until(async () => (await waitingFor('UPDATE "public"."admin_token"')) > 0);
    await holder.query('ROLLBACK');
    await holder.end();
    expect([await accepted, (await revoked).ok]).toEqual(['accepted', true]);
    expect([await stateOf(request), await isMade('raced-made')]).toMatchObject([{ state: 'made' }, true]);
    const order = `SELECT type FROM audit_log WHERE type IN ('server.owner-changed', 'admin-token.revoked') ${asWritten}`;
    expect((await two.query(order)).slice(-2)).toEqual(['server.owner-changed', 'admin-token.revoked']);
  });
});

describe('what needs a second administrator', () => {
  test('waits for one when a program asks, and its maker is not the one', async () => {
    const { token, kid } = await newToken();
    const eve = await openBrowser(two.nodes[0]);
    const call = programAt(first(), token);
    const answer = await call('PATCH', `/api/users/${eve.user.id}`, { mayBreakGlass: true });
    expect(answer.status).toBe(202);
    const { request } = await json<WaitingDirectory>(answer);
    expect(await stateAt(call, request)).toEqual({ state: 'waiting', because: null });
    const shown = await ben!.show(request);
    expect(shown.message).toContain(`token pipeline (${kid}), which ${ada!.user.name}`);
    expect(await accept(ada!, request)).toBe('is-requester');
    expect(await accept(ben!, request)).toBe('accepted');
    expect(await stateAt(call, request)).toEqual({ state: 'made', because: null });
    const [entry] = (await entriesOf('user.changed')).slice(-1);
    expect(entry).toMatchObject({
      actor: { kind: 'token', token: kid, name: 'pipeline', agreed: { with: [ben!.user.id], request } },
      user: eve.user.id,
    });
    const other = await newToken();
    expect((await programAt(first(), other.token)('GET', `/api/changes/${request}`)).status).toBe(404);
  });

  test('waits for someone else than who issued the credential with which the token was made', async () => {
    const { token, kid } = await newToken();
    const cleo = await openBrowser(two.nodes[0], 'admin', 'password');
    await two.query('UPDATE admin_token SET issuer_id = $1 WHERE kid = $2', [ben!.user.id, kid]);
    const eve = await openBrowser(two.nodes[0]);
    const answer = await programAt(first(), token)('PATCH', `/api/users/${eve.user.id}`, { mayBreakGlass: true });
    const { request } = await json<WaitingDirectory>(answer);
    const { digest } = await cleo.show(request);
    const refused = await ben!.vote({ id: request, digest }, { content: undefined, opened: [''] });
    await two.query('UPDATE admin_token SET issuer_id = NULL WHERE kid = $1', [kid]);
    expect([refused.status, await refused.json()]).toMatchObject([409, { refusal: { code: 'is-requester' } }]);
    expect(await accept(cleo, request)).toBe('accepted');
    await setUser(two.nodes[0], cleo, { role: 'reviewer' });
  });

  test('is not made if the token was revoked before it was accepted', async () => {
    const { token, kid } = await newToken();
    const eve = await openBrowser(two.nodes[0]);
    const answer = await programAt(first(), token)('PATCH', `/api/users/${eve.user.id}`, { role: 'admin' });
    const { request } = await json<WaitingDirectory>(answer);
    await ben!.call('POST', `/api/admin-tokens/${kid}/revoke`);
    expect(await accept(ben!, request)).toBe('accepted');
    expect(await stateAt(ben!.call, request)).toEqual({ state: 'not-made', because: 'change-outdated' });
    const { users } = await two.nodes[1].engine.directory.read();
    expect(users.find(({ id }) => id === eve.user.id)?.role).toBe('approver');
  });

  test('is not made if the maker of the token, or who asked for one, is no administrator any more', async () => {
    const [node] = two.nodes;
    const { token } = await newToken();
    const eve = await openBrowser(node);
    const call = programAt(first(), token);
    const { request } = await json<WaitingDirectory>(call('PATCH', `/api/users/${eve.user.id}`, { role: 'admin' }));
    const waiting = await askForToken({ permissions: tokenPermissions });
    await setUser(node, ada!, { role: 'operator' });
    for (const id of [request, waiting.request]) {
      expect(await accept(ben!, id)).toBe('accepted');
      expect(await stateAt(ben!.call, id)).toMatchObject({ state: 'not-made' });
    }
    expect((await programAt(first(), waiting.token)('GET', '/api/users')).status).toBe(401);
    const { users } = await node.engine.directory.read();
    expect(users.find(({ id }) => id === eve.user.id)?.role).toBe('approver');
    await setUser(node, ada!, { role: 'admin' });
    ada = await openBrowser(node, 'admin', 'password');
  });

  test('is anyone’s way in: a program alone mails no link, so that it adds no one who reads for it', async () => {
    const { token } = await newToken();
    const add = async (role: string) => {
      const body = { email: `added-${role}@example.com`, name: 'Added', role };
      return programAt(first(), token)('POST', '/api/users', body);
    };
    const reader = await add('reviewer');
    expect([reader.status, await reader.json()]).toMatchObject([201, { linkUntil: null }]);
    const links = () =>
      two.query(`SELECT count(*)::int FROM link l JOIN app_user u ON u.id = l.user_id WHERE u.name = 'Added'`);
    expect(await links()).toEqual([0]);
    expect((await add('approver')).status).toBe(202);
    expect(await links()).toEqual([0]);
  });

  test('is refused to a program about its maker, as it is to them', async () => {
    const { token } = await newToken();
    const response = await programAt(first(), token)('PATCH', `/api/users/${ada!.user.id}`, { role: 'reviewer' });
    expect([response.status, (await json<ProblemDocument>(response)).refusal?.code]).toEqual([403, 'own-power']);
  });
});

const person = (name: string, parts: object = {}) => ({
  email: `${name}@example.com`,
  name,
  role: 'approver',
  ...parts,
});

describe('a declared directory', () => {
  const declared = {
    groups: [{ name: 'Payments', description: 'They pay.' }, { name: 'Ledger' }],
    people: [
      person('d-mona', { groups: ['Payments'], manager: 'd-zoe@example.com' }),
      person('d-zoe', { role: 'reviewer', groups: ['Payments', 'Ledger'], mayBreakGlass: true }),
    ],
    servers: [{ name: 'd-ledger', owner: 'd-mona@example.com' }, { name: 'd-plain' }],
  };

  test('is one request, is made in one commit with an entry for each change, and changes nothing a second time', async () => {
    const { token, kid } = await newToken();
    const call = programAt(first(), token);
    const dry = await call('POST', '/api/directory/apply', { ...declared, dryRun: true });
    const { changes } = await json<AppliedDirectory>(dry);
    expect([dry.status, changes.map(({ change }) => change)]).toEqual([
      200,
      ['add-group', 'add-group', 'add-person', 'add-person', 'change-person', 'add-server', 'set-owner', 'add-server'],
    ]);
    const answer = await call('POST', '/api/directory/apply', declared);
    expect(answer.status).toBe(202);
    const { request, changes: waiting } = await json<WaitingDirectory>(answer);
    expect(waiting).toEqual(changes);
    expect((await json<WaitingDirectory>(call('POST', '/api/directory/apply', declared))).request).toBe(request);
    expect(JSON.parse((await ben!.show(request)).arguments)).toEqual({ changes });
    expect(await accept(ben!, request)).toBe('accepted');
    expect(await stateAt(call, request)).toEqual({ state: 'made', because: null });
    const again = await call('POST', '/api/directory/apply', declared);
    expect([again.status, await json<AppliedDirectory>(again)]).toEqual([200, { changes: [] }]);
    const { users, groups, servers } = await two.nodes[1].engine.directory.read();
    const [mona, zoe] = ['d-mona', 'd-zoe'].map((name) => users.find((user) => user.name === name)!);
    expect(mona).toMatchObject({ role: 'approver', managerId: zoe!.id });
    expect(zoe).toMatchObject({ role: 'reviewer', mayBreakGlass: true });
    expect(groups.find(({ name }) => name === 'Payments')?.members.toSorted()).toEqual([mona!.id, zoe!.id].toSorted());
    expect(servers.find(({ name }) => name === 'd-ledger')?.ownerId).toBe(mona!.id);
    const [added] = (await entriesOf('user.added')).slice(-1);
    expect(added).toMatchObject({ actor: { kind: 'token', token: kid, agreed: { request } } });
  });

  test('has the members of a group confirmed; what keeps them for longer, or names another owner, waits for a second administrator', async () => {
    const { token } = await newToken();
    const call = programAt(first(), token);
    const apply = (confirm: unknown) =>
      call('POST', '/api/directory/apply', { groups: [{ name: 'd-confirmed', confirm }] });
    const ruleOf = async () => {
      const { groups } = await two.nodes[1].engine.directory.read();
      const { confirmation, owners } = groups.find(({ name }) => name === 'd-confirmed')!;
      return [confirmation?.days ?? null, owners];
    };
    const wrong = await json<ProblemDocument>(apply({ days: 90, owners: ['no@one.example'] }));
    expect(wrong.errors?.map(({ path }) => path.join('.'))).toEqual(['groups.0.confirm.owners.0']);
    const answer = await apply({ days: 90, owners: [ada!.user.email] });
    expect(answer.status).toBe(202);
    const { request, changes } = await json<WaitingDirectory>(answer);
    const owner = { id: ada!.user.id, email: ada!.user.email };
    expect(changes).toEqual([
      { change: 'add-group', group: 'd-confirmed', description: '' },
      {
        change: 'set-confirmation',
        group: 'd-confirmed',
        from: { days: null, owners: [] },
        to: { days: 90, owners: [owner] },
      },
    ]);
    expect(await accept(ben!, request)).toBe('accepted');
    expect(await ruleOf()).toEqual([90, [ada!.user.id]]);
    expect((await json<AppliedDirectory>(apply({ days: 90, owners: [ada!.user.email] }))).changes).toEqual([]);
    expect([(await apply({ days: 30, owners: [ada!.user.email] })).status, await ruleOf()]).toEqual([
      200,
      [30, [ada!.user.id]],
    ]);
    const longer = await apply(null);
    expect([longer.status, await ruleOf()]).toEqual([202, [30, [ada!.user.id]]]);
    expect(await accept(ben!, (await json<WaitingDirectory>(longer)).request)).toBe('accepted');
    expect(await ruleOf()).toEqual([null, []]);
  });

  test('leaves nothing half made: an error names each place, and what can no longer be made is not made at all', async () => {
    const { token } = await newToken();
    const call = programAt(first(), token);
    const before = await two.nodes[0].engine.directory.read();
    const wrong = await call('POST', '/api/directory/apply', {
      people: [
        { email: 'd-new@example.com' },
        person('d-round', { manager: 'd-round@example.com' }),
        person('d-a', { manager: 'no@one.example', groups: ['Nowhere'] }),
        person('d-a'),
      ],
    });
    const { errors } = await json<ProblemDocument>(wrong);
    expect([wrong.status, errors?.map(({ path }) => path.join('.')).toSorted()]).toEqual([
      400,
      ['people.0.name', 'people.0.role', 'people.1.manager', 'people.2.groups.0', 'people.2.manager', 'people.3.email'],
    ]);
    const answer = await call('POST', '/api/directory/apply', {
      groups: [{ name: 'Late' }],
      people: [person('d-late', { groups: ['Late'] })],
    });
    const { request } = await json<WaitingDirectory>(answer);
    await two.nodes[0].addUser({
      email: 'd-late@example.com',
      name: 'Quicker',
      role: 'reviewer',
      password: 'a long enough passphrase',
    });
    expect(await accept(ben!, request)).toBe('accepted');
    expect(await stateAt(call, request)).toMatchObject({ state: 'not-made' });
    const after = await two.nodes[0].engine.directory.read();
    expect(after.groups).toEqual(before.groups);
  });

  test('takes out neither the maker of the token nor, with them, the last administrators', async () => {
    const { token } = await newToken();
    const call = programAt(first(), token);
    const before = await two.nodes[0].engine.directory.read();
    const disabled = [ada!, ben!].map(({ user }) => ({ email: user.email, disabled: true }));
    for (const body of [
      { people: disabled },
      { people: [{ email: ada!.user.email, role: 'approver' }] },
      { people: [{ email: ben!.user.email }], prune: true },
      { people: [], prune: true },
    ]) {
      const answer = await call('POST', '/api/directory/apply', body);
      expect([answer.status, (await json<ProblemDocument>(answer)).refusal?.code]).toEqual([
        403,
        expect.stringMatching(/^own-(access|power)$/),
      ]);
    }
    expect(await two.nodes[0].engine.directory.read()).toEqual(before);
  });

  test('disables and deletes what it leaves out only if it is told to prune', async () => {
    const { token } = await newToken();
    const call = programAt(first(), token);
    const people = (await two.nodes[0].engine.directory.read()).users
      .filter(({ name }) => name !== 'd-zoe')
      .map(({ email }) => ({ email }));
    const kept = { people, groups: [{ name: 'Payments' }] };
    expect(await json<AppliedDirectory>(call('POST', '/api/directory/apply', kept))).toMatchObject({ changes: [] });
    const pruned = await json<AppliedDirectory>(
      call('POST', '/api/directory/apply', { ...kept, prune: true, dryRun: true }),
    );
    expect(pruned.changes).toContainEqual({ change: 'delete-group', group: 'Ledger' });
    expect(pruned.changes).toContainEqual(
      expect.objectContaining({ change: 'change-person', to: { disabled: true }, from: { disabled: false } }),
    );
    const response = await call('POST', '/api/directory/apply', { ...kept, prune: true });
    expect(response.status).toBe(200); // it gives no one power
    const { users, groups } = await two.nodes[1].engine.directory.read();
    expect(users.find(({ name }) => name === 'd-zoe')?.disabledAt).not.toBeNull();
    expect(groups.map(({ name }) => name)).not.toContain('Ledger');
  });

  test('of 500 people and 100 servers is one commit, which the log proves', async () => {
    const { token } = await newToken();
    const call = programAt(first(), token);
    const people = Array.from({ length: 500 }, (_, at) =>
      person(`many-${at}`, { groups: ['Payments'], ...(at > 0 && { manager: 'many-0@example.com' }) }),
    );
    const servers = Array.from({ length: 100 }, (_, at) => ({ name: `many-${at}`, owner: `many-${at}@example.com` }));
    const { request } = await json<WaitingDirectory>(call('POST', '/api/directory/apply', { people, servers }));
    expect(await accept(ben!, request)).toBe('accepted');
    expect(await stateAt(call, request)).toEqual({ state: 'made', because: null });
    expect(await json(call('POST', '/api/directory/apply', { people, servers }))).toEqual({ changes: [] });
    await sequenceAll(two.nodes[0].engine);
    expect(await verify(two.nodes[0].engine)).toMatchObject({ fault: null });
  });

  test('has in a dry run the problems that the run would have, and none of its changes', async () => {
    const { token } = await newToken();
    const dan = await openBrowser(two.nodes[0], 'approver', 'password');
    await setUser(two.nodes[0], dan, { subjects: ['d-namesake@example.com'] });
    const group = await addGroup(two.nodes[0].engine, 'operator', { name: 'd-named' });
    await changeMembers(two.nodes[0].engine, 'operator', group, { add: [dan.user.id], remove: [] });
    await applyPolicies(two.nodes[0].engine, [
      'policy: d-named\nmatch: { tool: d-named }\nrequire: { stages: [{ name: One, approvers: { group: d-named } }] }\n',
    ]);
    const before = await tables.read();
    for (const [body, reason] of [
      [{ people: [{ email: ada!.user.email, role: 'approver' }] }, 'own-power'],
      [{ people: [], prune: true }, 'own-access'],
      [{ people: [{ email: dan.user.email, manager: ada!.user.email }] }, 'own-report'],
      [{ groups: [], prune: true }, 'group-in-policy'],
      [{ people: [person('d-namesake')] }, 'email'],
    ] as const) {
      const outcomes = [true, false].map(async (dryRun) => {
        const { status, refusal, errors } = await json<ProblemDocument>(
          programAt(first(), token)('POST', '/api/directory/apply', { ...body, dryRun }),
        );
        return [status, refusal?.code ?? errors?.[0]?.path.join('.')];
      });
      const [dry, run] = await Promise.all(outcomes);
      expect([run?.[1], dry]).toEqual([reason, run]);
    }
    expect(await tables.read()).toEqual(before);
  });
});

describe('policies from files', () => {
  const policy = (name: string, tool: string) =>
    `policy: ${name}\nmatch: { tool: ${tool} }\nrequire: { stages: [{ name: One, approvers: anyone }] }\n`;

  test('make no draft if the token was revoked while it was asked for', async () => {
    const { engine } = two.nodes[0];
    const { token, kid } = await newToken({ permissions: ['write-policies'] });
    const caller = await findTokenCaller(engine, token, undefined);
    await ben!.call('POST', `/api/admin-tokens/${kid}/revoke`);
    const drafting = importPolicies(engine, caller!, [policy('t-late', 'late')]);
    await expect(drafting).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await engine.policies.find('t-late')).toBe(null);
  });

  test('are put in force together by one acceptance, which is their review', async () => {
    const { token, kid } = await newToken({ permissions: ['publish-policies'] });
    const call = programAt(first(), token);
    const documents = [policy('t-one', 'one'), policy('t-two', 'two')];
    const answer = await call('POST', '/api/policies/apply', { documents });
    expect(answer.status).toBe(202);
    const { request } = await json<WaitingDirectory>(answer);
    expect(await accept(ben!, request)).toBe('accepted');
    expect(await stateAt(call, request)).toEqual({ state: 'made', because: null });
    const again = await call('POST', '/api/policies/apply', { documents });
    expect([again.status, await again.json()]).toMatchObject([
      200,
      {
        applied: [
          { name: 't-one', version: 1, change: 'unchanged' },
          { name: 't-two', version: 1, change: 'unchanged' },
        ],
      },
    ]);
    const [published] = (await entriesOf('policy.published')).slice(-1);
    expect(published).toMatchObject({ actor: { kind: 'token', token: kid, agreed: { with: [ben!.user.id] } } });
    const [version] = (await two.nodes[1].engine.policies.find('t-one'))?.versions ?? [];
    expect(version).toMatchObject({ authorId: ada!.user.id, reviewerId: ben!.user.id, state: 'approved' });
  });

  test('are not put in force if another version was published meanwhile, or by who may only write them', async () => {
    const [{ token }, writing] = [await newToken(), await newToken({ permissions: ['write-policies'] })];
    const call = programAt(first(), token);
    const documents = [policy('t-one', 'other')];
    expect((await programAt(first(), writing.token)('POST', '/api/policies/apply', { documents })).status).toBe(403);
    const drafted = await programAt(first(), writing.token)('POST', '/api/policies/import', { documents });
    expect([drafted.status, await drafted.json()]).toMatchObject([200, { drafts: [{ name: 't-one', version: 2 }] }]);
    const { request } = await json<WaitingDirectory>(call('POST', '/api/policies/apply', { documents }));
    await two.nodes[1].applyPolicies([policy('t-one', 'quicker')]);
    expect(await accept(ben!, request)).toBe('accepted');
    expect(await stateAt(call, request)).toMatchObject({ state: 'not-made' });
  });

  test('with a fault name its place, and ask no one', async () => {
    const { token } = await newToken();
    const wrong = await programAt(first(), token)('POST', '/api/policies/apply', { documents: ['policy: [x'] });
    expect([wrong.status, (await json<ProblemDocument>(wrong)).code]).toEqual([400, 'policy-invalid']);
  });
});

const omit = (record: Record<string, unknown>, kept: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => kept.includes(key)));
