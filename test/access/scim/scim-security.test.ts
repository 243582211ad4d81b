import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { crc32 } from 'node:zlib';
import { routes, type RouteContract } from '#platform/http/contract/openapi';
import { newScimToken } from '#access/tokens/rules';
import { changeUser } from '#people/users/verbs';
import type { UserId } from '#platform/model/id';
import { openTableDigests } from '../../support/databases/table-contents.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { added, entraUser, newPeople, oktaUser, scimAt, scimProvider } from '../../support/nodes/scim.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { drawn } from '../../support/runs.ts';

const metricsToken = 'a-token-for-operators-of-32-characters';
const acme = await startHostileProvider();
const byOid = acme.settings({ newPeople, scim: { attribute: 'externalId', claim: 'oid' } });
const [first, second] = [scimProvider('okta'), scimProvider('other')];
const signInProviders = [first, second, byOid, scimProvider('gone'), scimProvider('none', null)];
// The other node no longer has one of them, and another has become someone else's.
const later = [first, { ...second, issuer: 'https://new.example.com' }, byOid];
/** What a provider, and anyone who would like to be one, may not do. */
const two = await startTwoNodes({ signInProviders, metricsToken }, { signInProviders: later, metricsToken });
const [{ scim, url, engine }] = two.nodes;
const [ofOkta, ofOther, ofAcme, ofGone] = [
  await scim.createToken('okta'),
  await scim.createToken('other'),
  await scim.createToken('acme'),
  await scim.createToken('gone'),
];
const tokens: Record<'okta' | 'other' | 'acme' | 'gone', { token: string; kid: string }> = {
  okta: ofOkta,
  other: ofOther,
  acme: ofAcme,
  gone: ofGone,
};
const okta = scimAt(url, ofOkta.token);
const other = scimAt(url, ofOther.token);
const entra = scimAt(url, ofAcme.token);
const admin = await openBrowser({ engine, url } as never, 'admin', 'password');
const tables = await openTableDigests(two.nodes[0].databaseUrl);
afterAll(async () => {
  await tables.close();
  await two.stop();
  await acme.close();
});

const personOf = async (id: string) =>
  (await two.nodes[1].engine.directory.read()).users.find((user) => user.id === id);
const asAdministrator = (id: string, changes: Parameters<typeof changeUser>[3]) =>
  changeUser(two.nodes[0].engine, 'operator', id as UserId, changes);

/** The token of Okta with the secret of another one. */
function withSecretOf(token: string): string {
  const body = token.slice(0, token.lastIndexOf('_')).replace(/(?<=^asnscim_)[^_]+/, tokens.okta.kid);
  return `${body}_${crc32(body).toString(16).padStart(8, '0')}`;
}

const scimRoutes = Object.values<RouteContract>(routes).filter(({ auth }) => auth === 'scim');

describe('a token', () => {
  test.each(scimRoutes.map((route): [string, string, RouteContract] => [route.method, route.path, route]))(
    'of another kind is refused at %s %s, and nothing is written',
    async (method, path, { body }) => {
      const revoked = await two.nodes[0].scim.createToken('okta');
      await two.nodes[0].scim.revokeToken(revoked.kid);
      const before = await tables.read();
      const altered = tokens.okta.token.replace(/(?<=asnscim_.{20})./, (letter) => (letter === 'a' ? 'b' : 'a'));
      const strangers: Record<string, Record<string, string>> = {
        nobody: {},
        'a session': { cookie: admin.cookie, origin: two.nodes[0].url },
        'a key of a server': { authorization: `Bearer ${two.asking.key}` },
        'the token of metrics': { authorization: `Bearer ${metricsToken}` },
        'a token that no one made': { authorization: `Bearer ${newScimToken().key}` },
        'a token with one letter changed': { authorization: `Bearer ${altered}` },
        'another secret under the id of a token': { authorization: `Bearer ${withSecretOf(newScimToken().key)}` },
        'a revoked token': { authorization: `Bearer ${revoked.token}` },
        'a token without the word': { authorization: tokens.okta.token },
        'a token by Basic': { authorization: `Basic ${Buffer.from(`x:${tokens.okta.token}`).toString('base64')}` },
      };
      for (const [name, headers] of drawn(`${method} ${path}`, Object.entries(strangers), { least: 2 })) {
        const answer = await fetch(`${two.nodes[0].url}${path.replace('{id}', `usr_${'A'.repeat(22)}`)}`, {
          method: method.toUpperCase(),
          headers: { ...headers, ...(body && { 'content-type': 'application/scim+json' }) },
          ...(body && { body: JSON.stringify(oktaUser('stranger')) }),
        });
        expect([name, answer.status, await answer.json()]).toEqual([
          name,
          401,
          {
            schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
            status: '401',
            detail: 'Sign in, or send a valid key or token.',
          },
        ]);
      }
      expect(await tables.read()).toEqual(before);
    },
  );

  test('opens nothing but SCIM', async () => {
    const headers = { authorization: `Bearer ${tokens.okta.token}` };
    for (const path of [
      '/v1/identity',
      '/v1/stream',
      '/api/users',
      '/api/session',
      '/metrics',
      '/openapi.json',
      '/log/checkpoint',
    ])
      expect([path, (await fetch(`${two.nodes[0].url}${path}`, { headers })).status]).toEqual([path, 401]);
  });

  test('is shown once and is stored nowhere, is listed with its last use, and is revoked at every node', async () => {
    const [first, second] = two.nodes;
    const { token, kid } = await first.scim.createToken('okta');
    const dump = await two.query(
      `SELECT row_to_json(t)::text FROM scim_token t UNION ALL SELECT entry::text FROM audit_log`,
    );
    expect(dump.join()).not.toContain(token.slice(-40));
    expect((await first.scim.listTokens()).find((stored) => stored.kid === kid)).toMatchObject({ lastUsedAt: null });
    expect((await scimAt(second.url, token).call('GET', '/Users')).status).toBe(200);
    expect((await first.scim.listTokens()).find((stored) => stored.kid === kid)).toMatchObject({
      provider: 'okta',
      issuer: 'https://okta.example.com',
      lastUsedAt: expect.any(Number),
      revokedAt: null,
    });
    for (let at = 0; at < 2; at += 1)
      expect(await second.scim.revokeToken(kid)).toMatchObject({ revokedAt: expect.any(Number) });
    for (const { url } of two.nodes) expect((await scimAt(url, token).call('GET', '/Users')).status).toBe(401);
    const entries = await two.query(`SELECT entry FROM audit_log WHERE entry->>'kid' = $1 ORDER BY at`, [kid]);
    expect(entries).toMatchObject([
      { type: 'scim-token.created', provider: 'okta', actor: { kind: 'operator' } },
      { type: 'scim-token.revoked' },
    ]);
    await expect(first.scim.revokeToken('0123456789abcdef')).rejects.toMatchObject({ code: 'not-found' });
  });

  test('is for a provider whose settings have SCIM, and as long as it is the same provider', async () => {
    for (const key of ['none', 'unknown'])
      await expect(two.nodes[0].scim.createToken(key)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (const { token } of [tokens.gone, tokens.other]) {
      expect((await scimAt(two.nodes[0].url, token).call('GET', '/Users')).status).toBe(200);
      expect((await scimAt(two.nodes[1].url, token).call('GET', '/Users')).status).toBe(401);
    }
  });

  test('that is refused is in the log by its id, and cannot be guessed without end', async () => {
    const rates = { opened: 1e6, calls: 4, streams: 1e6, inProgress: 1e6, inProgressPerCaller: 1e6 };
    const house = await startTwoNodes({ rates, signInProviders: [scimProvider('okta')] });
    const [server] = house.nodes;
    const { token, kid } = await server.scim.createToken('okta');
    await server.scim.revokeToken(kid);
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) statuses.push((await scimAt(server.url, token).call('GET', '/Users')).status);
    const refused = await house.query(`SELECT entry->'about' FROM audit_log WHERE type = 'access.refused'`);
    await house.stop();
    expect(refused).toEqual([[kid]]);
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
  });
});

describe('people of another source', () => {
  test('are answered like those who do not exist', async () => {
    const [ofOther, local] = [await added(other, oktaUser('olga')), (await two.nodes[0].newUser()).id];
    const absent = await okta.call('GET', `/Users/usr_${'A'.repeat(22)}`);
    expect(absent.status).toBe(404);
    const before = [await personOf(ofOther), await personOf(local), await personOf(admin.user.id)];
    for (const id of [ofOther, local, admin.user.id, 'usr_short', 'x', '..%2fGroups']) {
      const path = `/Users/${id}`;
      for (const answer of [
        await okta.call('GET', path),
        await okta.call('PUT', path, oktaUser('olga')),
        await okta.patch(path, { op: 'replace', path: 'active', value: false }),
        await okta.call('DELETE', path),
      ])
        expect([id, answer.status, answer.body]).toEqual([id, 404, absent.body]);
    }
    expect([await personOf(ofOther), await personOf(local), await personOf(admin.user.id)]).toEqual(before);
    for (const filter of ['userName eq "olga@example.com"', `id eq "${local}"`, 'userName pr'])
      expect(JSON.stringify((await okta.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body)).not.toMatch(
        new RegExp(`${ofOther}|${local}`),
      );
  });

  test('are never taken over by their address, name or subject, and the refusal tells nothing of them', async () => {
    const local = await two.nodes[0].newUser();
    await asAdministrator(local.id, { subjects: ['known-name@example.com'] });
    await added(other, oktaUser('pia'));
    const refusals = [
      oktaUser('pat', { emails: [{ value: local.email.toUpperCase() }] }),
      oktaUser('pat', { emails: [{ value: 'known-name@example.com' }] }),
      oktaUser('pat', { emails: [{ value: 'pia@example.com' }] }),
      oktaUser('pat', { emails: [{ value: admin.user.email }] }),
    ];
    const pio = await added(okta, oktaUser('pio'));
    for (const user of refusals) {
      const [post, put] = [
        await okta.call('POST', '/Users', user),
        await okta.call('PUT', `/Users/${pio}`, { ...user, userName: 'pio@example.com', externalId: '00u-pio' }),
      ];
      for (const { status, body } of [post, put]) {
        expect([status, body.scimType]).toEqual([409, 'uniqueness']);
        expect(body.detail).not.toContain(local.name);
      }
    }
    expect(await personOf(pio)).toMatchObject({ email: 'pio@example.com' });
    expect((await okta.call('POST', '/Users', oktaUser('pio'))).body.scimType).toBe('uniqueness');
    expect((await okta.call('POST', '/Users', oktaUser('pet', { userName: 'PIO@example.com' }))).status).toBe(409);
    // The subject of one issuer is no one at another.
    expect(await personOf(await added(other, oktaUser('pit', { externalId: '00u-pio' })))).toMatchObject({
      subjects: ['https://other.example.com#00u-pio'],
    });
  });
});

test('someone whom one provider provisions is not taken over by another at which they sign in as well', async () => {
  const id = await added(other, oktaUser('rob'));
  await two.nodes[0].connectUser('rob@example.com', { issuer: 'https://okta.example.com', subject: '00u-rob-okta' });
  const answer = await okta.call('POST', '/Users', oktaUser('rob', { externalId: '00u-rob-okta' }));
  expect([answer.status, answer.body.scimType]).toEqual([409, 'uniqueness']);
  expect(await personOf(id)).toMatchObject({ provisioned: { issuer: 'https://other.example.com' } });
});

describe('power', () => {
  test('comes by the rule alone: no role, manager, group or name is read from what is sent', async () => {
    const id = await added(
      okta,
      oktaUser('quin', {
        roles: [{ value: 'admin', primary: true }],
        role: 'admin',
        password: 'a-password-from-the-provider',
        mayBreakGlass: true,
        subjects: ['alice'],
        groups: [{ value: 'finance' }],
        entitlements: [{ value: 'admin' }],
        manager: { value: admin.user.id },
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: admin.user.id } },
      }),
    );
    await okta.patch(
      `/Users/${id}`,
      { op: 'add', path: 'roles', value: [{ value: 'admin' }] },
      { op: 'add', path: 'role', value: 'admin' },
      { op: 'replace', path: 'password', value: 'a-password-from-the-provider' },
      { op: 'add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', value: admin.user.id },
    );
    expect(await personOf(id)).toMatchObject({
      role: 'approver',
      mayBreakGlass: false,
      hasPassword: false,
      managerId: null,
      subjects: ['https://okta.example.com#00u-quin'],
      sharesPower: false,
    });
  });

  test('of an administrator stays: neither their role nor their address changes, and the last one stays enabled', async () => {
    const id = await added(okta, oktaUser('rhea'));
    await asAdministrator(id, { role: 'admin' });
    const moved = await okta.call(
      'PUT',
      `/Users/${id}`,
      oktaUser('rhea', { emails: [{ value: 'thief@example.com' }] }),
    );
    expect(moved.status).toBe(403);
    expect((await okta.call('PUT', `/Users/${id}`, oktaUser('rhea', { displayName: 'Rhea' }))).status).toBe(200);
    expect(await personOf(id)).toMatchObject({ role: 'admin', email: 'rhea@example.com', name: 'Rhea' });
    for (const user of (await two.nodes[0].engine.directory.read()).users)
      if (user.role === 'admin' && user.id !== id) await asAdministrator(user.id, { role: 'reviewer' });
    const last = await okta.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    const deleted = await okta.call('DELETE', `/Users/${id}`);
    expect([last.status, deleted.status, (await personOf(id))?.disabledAt]).toEqual([409, 409, null]);
    await asAdministrator(admin.user.id, { role: 'admin' });
    // Someone who leaves is disabled, whatever else has changed with it.
    const left = await okta.call(
      'PUT',
      `/Users/${id}`,
      oktaUser('rhea', { active: false, emails: [{ value: 'x@example.com' }] }),
    );
    expect([left.status, await personOf(id)]).toMatchObject([
      200,
      { email: 'rhea@example.com', disabledAt: expect.any(Number) },
    ]);
  });

  test('that an administrator has taken away does not come back by the provider', async () => {
    const id = await added(okta, oktaUser('sam'));
    await asAdministrator(id, { disabled: true });
    const tries = [
      () => okta.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true }),
      () => okta.call('PUT', `/Users/${id}`, oktaUser('sam', { displayName: 'Sam New' })),
      async () => {
        await okta.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
        return okta.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
      },
      async () => {
        await okta.call('DELETE', `/Users/${id}`);
        return okta.call('POST', '/Users', oktaUser('sam'));
      },
    ];
    for (const attempt of tries) {
      const { status, body } = await attempt();
      expect([status, body.detail]).toEqual([403, expect.stringContaining('they were disabled here')]);
      expect(await personOf(id)).toMatchObject({ disabledAt: expect.any(Number), name: 'sam Okta' });
    }
    await asAdministrator(id, { disabled: false });
    expect(await added(okta, oktaUser('sam'))).toBe(id);
  });

  test('of the rule is for the addresses that it names', async () => {
    const answer = await okta.call('POST', '/Users', oktaUser('tia', { emails: [{ value: 'tia@example.org' }] }));
    expect([answer.status, answer.body]).toMatchObject([400, { scimType: 'invalidValue' }]);
    const id = await added(okta, oktaUser('tia'));
    const moved = await okta.call(
      'PUT',
      `/Users/${id}`,
      oktaUser('tia', { emails: [{ value: 'tia@sub.example.com' }] }),
    );
    expect([moved.status, await personOf(id)]).toMatchObject([400, { email: 'tia@example.com' }]);
  });
});

describe('in production', () => {
  test('people are added as by their first sign-in, by the operator’s rule and without a second administrator', async () => {
    const server = await startTestServer({ environment: 'production', signInProviders: [scimProvider('okta')] });
    const [asking] = [await openBrowser(server, 'admin', 'password'), await openBrowser(server, 'admin', 'password')];
    const invited = { email: 'una@example.com', name: 'Una', role: 'approver' };
    expect((await asking.call('POST', '/api/users', invited)).status).toBe(202);
    const { token } = await server.scim.createToken('okta');
    expect((await scimAt(server.url, token).call('POST', '/Users', oktaUser('una'))).status).toBe(201);
    await server.stop();
  });
});

describe('the first sign-in', () => {
  const claims = (name: string, oid: string) => ({
    sub: `pairwise-${name}`,
    oid,
    email: `${name}@example.com`,
    email_verified: true,
  });

  test('connects whom the provider has added under the same value of the claim, and nothing but that', async () => {
    const id = await added(entra, entraUser('vera'));
    // The same address under another oid is someone else's.
    const thief = await signInBy(acme, two.nodes[0].url, claims('vera', 'oid-thief'));
    expect([thief.next, thief.cookie]).toEqual([expect.stringContaining('refused=address-taken'), undefined]);
    const { cookie } = await signInBy(acme, two.nodes[1].url, claims('vera', 'oid-vera'));
    expect(cookie).toBeDefined();
    expect(await personOf(id)).toMatchObject({
      identities: [{ issuer: acme.issuer, subject: 'pairwise-vera' }],
      subjects: [`${acme.issuer}#pairwise-vera`],
    });
    // From now on the subject is the person, and a second one with the oid is no one.
    const second = await signInBy(acme, two.nodes[0].url, { ...claims('vera', 'oid-vera'), sub: 'pairwise-other' });
    expect([second.next, second.cookie]).toEqual([expect.stringContaining('refused=identity-taken'), undefined]);
    expect((await signInBy(acme, two.nodes[0].url, claims('vera', 'oid-vera'))).cookie).toBeDefined();
  });

  test('before SCIM is how the provider’s attempt to add someone finds them: by the claim, not by the address', async () => {
    const { engine, newUser, connectUser } = two.nodes[0];
    const local = await newUser('reviewer');
    await connectUser(local.email, { issuer: acme.issuer, subject: 'pairwise-xia' });
    const sent = (oid: string) => entraUser('xia', { externalId: oid, emails: [{ value: local.email }] });
    const conflict = await entra.call('POST', '/Users', sent('oid-xia'));
    expect([conflict.status, conflict.body.scimType]).toEqual([409, 'uniqueness']);
    const { cookie } = await signInBy(acme, two.nodes[1].url, claims('xia', 'oid-xia'));
    expect(cookie).toBeDefined();
    expect((await entra.call('POST', '/Users', sent('oid-other'))).status).toBe(409);
    expect((await other.call('POST', '/Users', sent('oid-xia'))).status).toBe(409);
    expect(await added(entra, sent('oid-xia'))).toBe(local.id);
    expect(await engine.users.byId(local.id as UserId)).toMatchObject({ role: 'reviewer', name: 'xia Entra' });
    expect((await signInBy(acme, two.nodes[0].url, claims('xia', 'oid-xia'))).cookie).toBeDefined();
  });

  test('before SCIM of two people with one value finds neither of them', async () => {
    const { newUser, connectUser } = two.nodes[0];
    for (const name of ['yao', 'yul']) {
      await connectUser((await newUser()).email, { issuer: acme.issuer, subject: `pairwise-${name}` });
      expect((await signInBy(acme, two.nodes[0].url, claims(name, 'oid-shared'))).cookie).toBeDefined();
    }
    expect((await entra.call('POST', '/Users', entraUser('yao', { externalId: 'oid-shared' }))).status).toBe(409);
  });

  test('that is forged in the database gives the provider no one', async () => {
    const { id } = await two.nodes[0].newUser();
    await two.query(
      `INSERT INTO federated_identity (issuer, subject, user_id, created_at, scim_claim)
       VALUES ($1, 'pairwise-forged', $2, now(), '["oid","oid-forged"]')`,
      [acme.issuer, id],
    );
    await two.query('UPDATE app_user SET email = email WHERE id = $1', [id]);
    expect(await added(entra, entraUser('forged', { externalId: 'oid-forged' }))).not.toBe(id);
  });

  test('is refused to someone whom the provider has disabled before', async () => {
    const id = await added(entra, entraUser('will', { active: false }));
    expect(await personOf(id)).toMatchObject({ disabledAt: expect.any(Number) });
    const refused = await signInBy(acme, two.nodes[0].url, claims('will', 'oid-will'));
    expect([refused.next, refused.cookie]).toEqual([expect.stringContaining('refused=access-ended'), undefined]);
    await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' });
    expect((await signInBy(acme, two.nodes[0].url, claims('will', 'oid-will'))).cookie).toBeDefined();
  });

  test('never counts a claim that someone else was given', async () => {
    await added(entra, entraUser('xeno'));
    await added(okta, oktaUser('xena', { externalId: 'oid-xena' }));
    const refused = await signInBy(acme, two.nodes[0].url, claims('xena', 'oid-xena'));
    expect([refused.next, refused.cookie]).toEqual([expect.stringContaining('refused=address-taken'), undefined]);
  });
});

describe('a text that people read where they decide', () => {
  test.each([
    ['of two readings', 'a%40example.org@example.com'],
    ['in another spelling of a domain', 'una@\u0435xample.com'],
  ])('is no address %s', async (_name, value) => {
    const answer = await okta.call('POST', '/Users', oktaUser('una', { emails: [{ value }] }));
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining('emails[0].value')]);
  });

  test('is no second seat behind the + of an address that someone has', async () => {
    await added(okta, oktaUser('ugo'));
    const answer = await okta.call('POST', '/Users', oktaUser('uma', { emails: [{ value: 'ugo+two@example.com' }] }));
    expect([answer.status, answer.body.scimType]).toEqual([409, 'uniqueness']);
  });

  test('hides nothing in a name: it is passed over, and the rest of the change counts', async () => {
    const reversed = 'Ada \u202Enimda';
    const id = await added(okta, oktaUser('uwe', { displayName: reversed, name: { givenName: 'U\u200Bwe' } }));
    expect(await personOf(id)).toMatchObject({ name: 'uwe@example.com' });
    await okta.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Uwe' });
    await okta.call('PUT', `/Users/${id}`, oktaUser('uwe', { displayName: reversed, name: {}, active: false }));
    expect(await personOf(id)).toMatchObject({ name: 'Uwe', disabledAt: expect.any(Number) });
  });
});

test('a subject that is connected never changes, and one that comes later is connected', async () => {
  const id = await added(okta, oktaUser('yan'));
  const changed = await okta.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: '00u-else' });
  expect([changed.status, changed.body.scimType]).toEqual([400, 'mutability']);
  const late = await added(okta, oktaUser('yve', { externalId: undefined }));
  expect(await personOf(late)).toMatchObject({ identities: [] });
  await okta.patch(
    `/Users/${late}`,
    { op: 'add', path: 'externalId', value: '00u-yve' },
    { op: 'replace', path: 'emails', value: [{ value: 'yve.new@example.com' }] },
  );
  expect(await personOf(late)).toMatchObject({
    identities: [{ subject: '00u-yve' }],
    subjects: ['https://okta.example.com#00u-yve', 'yve@example.com'],
  });
});

describe('bad input', () => {
  let id: string;
  beforeAll(async () => {
    id = await added(okta, oktaUser('zoe'));
  });

  test.each<[string, Record<string, unknown>[], string, string]>([
    ['an unknown operation', [{ op: 'move', path: 'active', value: true }], 'invalidSyntax', 'Operations[0].op'],
    ['no path to remove', [{ op: 'remove' }], 'noTarget', 'Operations[0].path'],
    [
      'a value without a path that is no object',
      [{ op: 'replace', value: true }],
      'invalidValue',
      'Operations[0].value',
    ],
    [
      'a path that is none',
      [{ op: 'replace', path: 'emails[type eq', value: 'x' }],
      'invalidPath',
      'Operations[0].path',
    ],
    [
      'a filter that never ends',
      [{ op: 'replace', path: `emails[type eq "${'\n'.repeat(40)}`, value: 'x' }],
      'invalidPath',
      'Operations[0].path',
    ],
    ['another id', [{ op: 'replace', path: 'id', value: `usr_${'B'.repeat(22)}` }], 'mutability', 'id'],
    ['no value to put in its place', [{ op: 'replace', path: 'name' }], 'invalidValue', 'Operations[0].value'],
    ['no user name', [{ op: 'remove', path: 'userName' }], 'invalidValue', 'userName'],
    ['a word for a flag', [{ op: 'replace', path: 'active', value: 'perhaps' }], 'invalidValue', 'active'],
    [
      'an address that is none',
      [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'zoe' }],
      'invalidValue',
      'emails[0].value',
    ],
    ['a hidden character', [{ op: 'replace', path: 'userName', value: 'Zo\u0000e' }], 'invalidValue', 'userName'],
    ['a long name', [{ op: 'replace', path: 'userName', value: 'z'.repeat(201) }], 'invalidValue', 'userName'],
    [
      'more addresses than a person has',
      [
        {
          op: 'add',
          path: 'emails',
          value: Array.from({ length: 1000 }, (_, at) => ({ value: `zoe${at}@example.com` })),
        },
      ],
      'invalidValue',
      'Operations[0].value',
    ],
    ['a list of names', [{ op: 'replace', path: 'userName', value: ['Zoe'] }], 'invalidValue', 'userName'],
    ['a number for a name', [{ op: 'replace', path: 'name', value: 7 }], 'invalidValue', 'name'],
  ])(
    '%s is refused with its path, and nothing of the whole PATCH is stored',
    async (_name, operations, scimType, path) => {
      const before = await personOf(id);
      const answer = await okta.patch(`/Users/${id}`, ...operations, {
        op: 'replace',
        path: 'displayName',
        value: 'After',
      });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        400,
        'application/scim+json; charset=utf-8',
      ]);
      expect(answer.body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '400',
        scimType,
        detail: expect.stringContaining(path),
      });
      const first = await okta.patch(
        `/Users/${id}`,
        { op: 'replace', path: 'displayName', value: 'Before' },
        ...operations,
      );
      expect(first.status).toBe(400);
      expect(await personOf(id)).toEqual(before);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  const stranger = (path: string): Record<string, unknown>[] => [{ op: 'add', path, value: 'x' }];
  test.each<[string, Record<string, unknown>[]]>([
    ['the prototype', stranger('__proto__.polluted')],
    ['the constructor', [{ op: 'add', value: { 'name.constructor.prototype.polluted': 'x' } }]],
    ['a function of every object', stranger('hasOwnProperty.polluted')],
    ['a function of every text', stranger('displayName.trim.polluted')],
    [
      'a name in a value',
      [{ op: 'add', path: 'name', value: { 'toString.polluted': 'x', 'x.__proto__.polluted': 'x' } }],
    ],
    [
      'a name in the second value of an attribute that is none',
      [
        { op: 'add', path: 'displayName', value: {} },
        { op: 'add', path: 'displayName', value: { 'valueOf.polluted': 'x' } },
        { op: 'replace', path: 'displayName', value: 'zoe Okta' },
      ],
    ],
    ['a name behind a filter', stranger('emails[value pr]:hasOwnProperty.polluted[value eq "x"].value')],
    ['a filter as a name', stranger('emails[toString.polluted eq "x"].value')],
    ['the length of a list', [{ op: 'replace', path: 'emails.length', value: 1e8 }, ...stranger('title')]],
    ['a number in a list', stranger('emails.100000000.value')],
  ])('%s leads out of the resource, and changes nothing', async (_name, operations) => {
    const before = await personOf(id);
    expect([200, 400]).toContain((await okta.patch(`/Users/${id}`, ...operations)).status);
    expect(await personOf(id)).toEqual(before);
    for (const shared of [Object.prototype, Array.prototype, String.prototype])
      for (const name of Object.getOwnPropertyNames(shared))
        expect([name, Object.hasOwn(Object((shared as never)[name]), 'polluted')]).toEqual([name, false]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test.each<[string, string, number]>([
    ['no JSON', '{', 400],
    ['a list', '[]', 400],
    ['a name twice', '{"userName":"a","userName":"b"}', 400],
    ['no operations', '{"Operations":[]}', 400],
    ['too many bytes', JSON.stringify({ userName: 'x'.repeat(1024 * 1024) }), 413],
  ])('a body of %s', async (_name, body, expected) => {
    const { status, body: answer } = await okta.call(
      body.includes('Operations') ? 'PATCH' : 'PUT',
      `/Users/${id}`,
      body,
    );
    expect([status, answer]).toMatchObject([expected, { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] }]);
  });

  test('a body of another type, a method and an address that are not there are SCIM errors as well', async () => {
    const text = await okta.call('POST', '/Users', 'x', { 'content-type': 'text/plain' });
    expect([text.status, text.body]).toMatchObject([415, { status: '415' }]);
    const json = await okta.call('POST', '/Users', oktaUser('zed'), { 'content-type': 'application/json' });
    expect(json.status).toBe(201);
    expect((await okta.call('DELETE', '/Users')).status).toBe(405);
    const nothing = await okta.call('GET', '/Nothing');
    expect([nothing.status, nothing.body]).toMatchObject([404, { status: '404' }]);
    expect((await okta.call('POST', '/Bulk', {})).status).toBe(404);
  });
});
