import { afterAll, describe, expect, test } from '@jest/globals';
import type { UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { changeUser } from '#people/users/verbs';
import { byLink, startSession } from '#access/sign-in/verbs/sessions';
import { browserAt } from '../../support/nodes/console.ts';
import { added, entraUser, oktaUser, scimAt, scimProvider } from '../../support/nodes/scim.ts';
import { asWritten, startTwoNodes } from '../../support/nodes/two-nodes.ts';

/** People whom Okta and Entra ID provision, by requests as these send them. */
const two = await startTwoNodes({ signInProviders: [scimProvider('okta'), scimProvider('entra', { claim: 'oid' })] });
afterAll(() => two.stop());
const [{ scim, url }] = two.nodes;
const okta = scimAt(url, (await scim.createToken('okta')).token);
const entra = scimAt(url, (await scim.createToken('entra')).token);

const personOf = async (id: string) =>
  (await two.nodes[1].engine.directory.read()).users.find((user) => user.id === id);
const entriesAbout = (id: string): Promise<unknown[]> =>
  two.query(`SELECT entry FROM audit_log WHERE entry->>'user' = $1 ${asWritten}`, [id]);

describe('Okta', () => {
  test('tries its token, looks for a person, and adds them with the role of the rule', async () => {
    expect((await okta.call('GET', '/Users?startIndex=1&count=2')).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    });
    const search = `/Users?filter=${encodeURIComponent('userName eq "Ada@example.com"')}&startIndex=1&count=100`;
    expect((await okta.call('GET', search)).body).toMatchObject({ totalResults: 0, itemsPerPage: 0 });
    const { status, body, headers } = await okta.call('POST', '/Users', oktaUser('ada'));
    expect([status, headers.get('content-type')]).toEqual([201, 'application/scim+json; charset=utf-8']);
    expect(body).toMatchObject({
      userName: 'ada@example.com',
      externalId: '00u-ada',
      active: true,
      displayName: 'ada Okta',
      name: { givenName: 'ada', familyName: 'Okta' },
      emails: [{ value: 'ada@example.com', primary: true }],
      meta: { resourceType: 'User', location: `${two.nodes[0].url}/scim/v2/Users/${body.id}` },
    });
    expect(headers.get('location')).toBe(body.meta.location);
    expect(await personOf(body.id)).toMatchObject({
      email: 'ada@example.com',
      name: 'ada Okta',
      role: 'approver',
      identities: [{ issuer: 'https://okta.example.com', subject: '00u-ada' }],
      subjects: ['https://okta.example.com#00u-ada'],
      hasPassword: false,
    });
    expect((await okta.at(two.nodes[1].url).call('GET', search)).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: body.id }],
    });
    const actor = { kind: 'provider', provider: 'https://okta.example.com' };
    expect(await entriesAbout(body.id)).toMatchObject([{ type: 'user.added', role: 'approver', actor }]);
  });

  test('changes a profile by PUT, deactivates and reactivates by PATCH without a path', async () => {
    const id = await added(okta, oktaUser('bea'));
    const moved = oktaUser('bea', {
      displayName: 'Bea Married',
      emails: [{ primary: true, value: 'bea.m@example.com' }],
    });
    const put = await okta.call('PUT', `/Users/${id}`, { ...moved, id });
    expect([put.status, put.body]).toMatchObject([
      200,
      { displayName: 'Bea Married', emails: [{ value: 'bea.m@example.com' }] },
    ]);
    expect(await personOf(id)).toMatchObject({
      email: 'bea.m@example.com',
      subjects: ['https://okta.example.com#00u-bea', 'bea@example.com'],
    });
    const off = await okta.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect([off.status, off.body]).toMatchObject([200, { active: false }]);
    expect(await personOf(id)).toMatchObject({ disabledAt: expect.any(Number) });
    expect((await okta.patch(`/Users/${id}`, { op: 'replace', value: { active: true } })).body).toMatchObject({
      active: true,
    });
    expect(await personOf(id)).toMatchObject({ disabledAt: null, role: 'approver' });
    expect(await entriesAbout(id)).toMatchObject([
      { type: 'user.added' },
      { type: 'user.changed', changed: { name: true, address: true, subjects: true } },
      { type: 'user.changed', changed: { disabled: true } },
      { type: 'user.provisioned' },
      { type: 'user.changed', changed: { disabled: false } },
      { type: 'user.provisioned' },
    ]);
  });
});

describe('Entra ID', () => {
  test('tries its token with a person who is not there, and adds one', async () => {
    const search = `/Users?filter=${encodeURIComponent('externalId eq "6a2b"')}`;
    expect((await entra.call('GET', search)).body).toMatchObject({ totalResults: 0 });
    const id = await added(entra, entraUser('cai'));
    // Its oid is not the subject of its tokens: the person is connected when they sign in.
    expect(await personOf(id)).toMatchObject({
      email: 'cai@example.com',
      name: 'cai Entra',
      identities: [],
      subjects: [],
    });
    expect(
      (await entra.call('GET', `/Users?filter=${encodeURIComponent('externalId eq "oid-cai"')}`)).body,
    ).toMatchObject({
      Resources: [{ id, userName: 'cai@upn.example.com' }],
    });
  });

  test('changes attributes by operations with capitals, and disables with the word False', async () => {
    const id = await added(entra, entraUser('dag'));
    const answer = await entra.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'displayName', value: 'Dag New' },
      { op: 'Replace', path: 'name.familyName', value: 'New' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'dag.new@example.com' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Legal' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Bremen' },
    );
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        displayName: 'Dag New',
        name: { givenName: 'dag', familyName: 'New' },
        emails: [{ value: 'dag.new@example.com' }],
      },
    ]);
    expect((await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).body).toMatchObject({
      active: false,
    });
    expect((await entra.patch(`/Users/${id}`, { op: 'Add', path: 'active', value: 'True' })).body).toMatchObject({
      active: true,
    });
    const names = { displayName: 'Dag Again', 'name.givenName': 'Dag', externalId: 'oid-other' };
    expect((await entra.patch(`/Users/${id}`, { op: 'replace', value: names })).body).toMatchObject({
      displayName: 'Dag Again',
      name: { givenName: 'Dag', familyName: 'New' },
      externalId: 'oid-other',
    });
  });

  test('deletes: the person is disabled and absent, the log keeps them, and the same person comes back', async () => {
    const id = await added(entra, entraUser('eli'));
    expect((await entra.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await personOf(id)).toMatchObject({ disabledAt: expect.any(Number) });
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', entraUser('eli')]] as const)
      expect((await entra.call(method, `/Users/${id}`, body)).status).toBe(404);
    expect(await entriesAbout(id)).toMatchObject([
      { type: 'user.added' },
      { type: 'user.changed', changed: { disabled: true } },
      { type: 'user.provisioned', isDeleted: true },
    ]);
    // The address alone, given to a new colleague, is not enough.
    const other = await entra.call('POST', '/Users', entraUser('eli', { externalId: 'oid-colleague' }));
    expect([other.status, other.body.scimType]).toEqual([409, 'uniqueness']);
    expect(await added(entra, entraUser('eli'))).toBe(id);
    expect(await personOf(id)).toMatchObject({ disabledAt: null });
  });
});

describe('a rehire', () => {
  const byPatch = (id: string, active: string) =>
    okta.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: active });

  test.each<[string, (id: string) => Promise<{ status: number }>, (id: string, name: string) => Promise<unknown>]>([
    ['deactivated', (id) => byPatch(id, 'False'), (id) => byPatch(id, 'True')],
    ['deleted', (id) => okta.call('DELETE', `/Users/${id}`), (_id, name) => added(okta, oktaUser(name))],
  ])(
    'who was %s is the same person again, without sessions, links, passkeys and rights that ended',
    async (way, leave, comeBack) => {
      const [{ engine, url }] = two.nodes;
      const name = `rehired-${way}`;
      const id = (await added(okta, oktaUser(name))) as UserId;
      const user = (await engine.users.byId(id)) as User;
      const session = await startSession(engine, user, byLink);
      const browser = browserAt(url, user, `assentry=${session?.secret}`);
      expect((await browser.call('GET', '/api/session')).status).toBe(200);
      const displayName = `Team of ${name}`;
      const group = (await okta.call('POST', '/Groups', { displayName, members: [{ value: id }] })).body.id;
      expect((await leave(id)).status).toBeLessThan(300);
      await changeUser(engine, 'operator', id, { role: 'reviewer' });
      await comeBack(id, name);
      expect(await personOf(id)).toMatchObject({
        id,
        disabledAt: null,
        role: 'reviewer',
        provisioned: { deletedAt: null },
      });
      expect((await browser.call('GET', '/api/session')).status).toBe(401);
      expect(await two.query('SELECT hash FROM link WHERE user_id = $1 AND used_at IS NULL', [id])).toEqual([]);
      const { groups } = await engine.directory.read();
      // Who is deleted has left the provider's groups; who is deactivated stays in them at the provider.
      expect(groups.find((each) => each.id === group)?.members).toEqual(way === 'deleted' ? [] : [id]);
    },
  );
});

test('someone who comes back under another subject is the same person once the operator has connected them', async () => {
  const id = await added(okta, oktaUser('ivy'));
  expect((await okta.call('DELETE', `/Users/${id}`)).status).toBe(204);
  const returning = oktaUser('ivy', { externalId: '00u-ivy-again' });
  const conflict = (await okta.call('POST', '/Users', returning)).body;
  expect([conflict.scimType, conflict.detail]).toEqual([
    'uniqueness',
    expect.stringContaining('assentry user connect EMAIL ISSUER SUBJECT'),
  ]);
  const identity = { issuer: 'https://okta.example.com', subject: '00u-ivy-again' };
  await two.nodes[0].connectUser('ivy@example.com', identity);
  expect(await added(okta, returning)).toBe(id);
  expect(await personOf(id)).toMatchObject({ disabledAt: null });
});

describe('a list', () => {
  test('comes in pages, by the filters of the RFC, and with the attributes that are asked for', async () => {
    for (const name of ['gus', 'gil', 'ger']) await added(okta, oktaUser(name, { displayName: `Grp ${name}` }));
    const filtered = async (filter: string, more = '') =>
      (await okta.call('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`)).body;
    expect((await filtered('displayName sw "grp"')).totalResults).toBe(3);
    expect((await filtered('displayName sw "grp" and not (userName eq "GUS@example.com")')).totalResults).toBe(2);
    expect((await filtered('emails[type eq "work" and value co "gil@"]')).totalResults).toBe(1);
    expect((await filtered('externalId eq "00U-gus"')).totalResults).toBe(0);
    expect((await filtered('active eq false')).Resources.every(({ active }) => active === false)).toBe(true);
    const page = await filtered('displayName sw "grp"', '&startIndex=2&count=1&attributes=userName,name.givenName');
    expect(page).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
    expect(Object.keys(page.Resources[0] ?? {}).sort()).toEqual(['id', 'meta', 'name', 'schemas', 'userName']);
    expect((await filtered('displayName sw "grp"', '&count=0')).Resources).toEqual([]);
    expect((await filtered('displayName sw "grp"', '&excludedAttributes=emails')).Resources[0]).not.toHaveProperty(
      'emails',
    );
  });

  test('of a filter that is none says so', async () => {
    for (const filter of [
      'userName',
      'userName eq',
      '(userName eq "a"',
      'userName eq "a" and',
      `userName eq "${'\n'.repeat(40)}`,
    ]) {
      const { status, body } = await okta.call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect([filter, status, body.scimType]).toEqual([filter, 400, 'invalidFilter']);
    }
  });
});

test('says what it can do, and describes its attributes', async () => {
  expect((await okta.call('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    etag: { supported: true },
  });
  const types = (await okta.call('GET', '/ResourceTypes')).body.Resources;
  expect(types.map(({ endpoint }) => endpoint)).toEqual(['/Users', '/Groups']);
  for (const { id, schema } of types) {
    expect((await okta.call('GET', `/ResourceTypes/${id}`)).body.id).toBe(id);
    expect((await okta.call('GET', `/Schemas/${String(schema)}`)).body.id).toBe(schema);
  }
  expect((await okta.call('GET', '/Schemas')).body.totalResults).toBe(2);
  expect((await okta.call('GET', '/Schemas/none')).status).toBe(404);
});

test('a change is for the version that was read, if the caller names one', async () => {
  const id = await added(okta, oktaUser('hal'));
  const { headers, body } = await okta.call('GET', `/Users/${id}`);
  const etag = headers.get('etag') ?? '';
  expect(etag).toBe(body.meta.version);
  const rename = (displayName: string, ifMatch: string) =>
    okta.call('PUT', `/Users/${id}`, oktaUser('hal', { displayName }), { 'if-match': ifMatch });
  expect((await rename('Hal Two', etag)).status).toBe(200);
  expect((await rename('Hal Three', etag)).status).toBe(412);
  expect((await okta.call('DELETE', `/Users/${id}`, undefined, { 'if-match': etag })).status).toBe(412);
  expect((await rename('Hal Three', '*')).body).toMatchObject({ displayName: 'Hal Three' });
});

test('a hundred joiners come one after another, and each is found', async () => {
  const before = (await okta.call('GET', '/Users?count=0')).body.totalResults;
  for (let at = 0; at < 100; at += 1) await added(okta, oktaUser(`joiner${at}`));
  const all: string[] = [];
  for (let startIndex = 1; startIndex <= before + 100; startIndex += 40) {
    const { body } = await okta.call('GET', `/Users?startIndex=${startIndex}&count=40`);
    all.push(...body.Resources.map(({ id }) => id));
  }
  expect([all.length, new Set(all).size]).toEqual([before + 100, before + 100]);
  expect(await personOf(all[7] ?? '')).toBeDefined();
});

test('someone who has signed in before is taken up by the subject, and keeps what they have', async () => {
  const { engine, newUser } = two.nodes[0];
  const local = await newUser('reviewer');
  const identity = { issuer: 'https://okta.example.com', subject: '00u-ida' };
  await two.nodes[0].connectUser(local.email, identity);
  const { status, body } = await okta.call(
    'POST',
    '/Users',
    oktaUser('ida', { emails: [{ value: local.email, primary: true }] }),
  );
  expect([status, body.id]).toEqual([201, local.id]);
  expect(await engine.users.byId(local.id as UserId)).toMatchObject({ role: 'reviewer', name: 'ida Okta' });
  expect((await okta.call('POST', '/Users', oktaUser('ida'))).status).toBe(409);
});
