import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GroupId, UserId } from '#platform/model/id';
import { entraUser, oktaUser, scimAt, scimProvider } from '../../../support/nodes/scim.ts';
import { startTestServer } from '../../../support/nodes/server.ts';

/** What clients and validators of SCIM send apart from what is usual: other cases, long names, filters and kinds. */
const server = await startTestServer({ signInProviders: [scimProvider('entra', { claim: 'oid' })] });
afterAll(() => server.stop());
const entra = scimAt(server.url, (await server.scim.createToken('entra')).token);

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
async function add<Id extends string>(path: string, body: object): Promise<Id> {
  const answer = await entra.call('POST', path, body);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body.id as Id;
}
let people = 0;
const newPerson = (parts: object = {}) => add<UserId>('/Users', entraUser(`p${(people += 1)}`, { ...parts }));
const addressOf = async (id: string) =>
  (await server.engine.directory.read()).users.find((user) => user.id === id)?.email;

describe('a filter', () => {
  let ada: UserId;
  let group: GroupId;
  beforeAll(async () => {
    ada = await add('/Users', entraUser('ada'));
    await add('/Users', entraUser('bea'));
    group = await add('/Groups', { displayName: 'Filtered', externalId: 'g-1', members: [{ value: ada }] });
  });

  test.each<[string, number]>([
    ['userName eq "ADA@upn.example.com"', 1],
    [`${userSchema}:userName eq "ada@upn.example.com"`, 1],
    [`${userSchema.toUpperCase()}:USERNAME sw "ada"`, 1],
    [`${userSchema}:externalId eq "OID-ada"`, 0],
    ['userName eq "ada@upn.example.com" and externalId eq "oid-ada"', 1],
    ['userName Eq "ada@upn.example.com" AND active eq true', 1],
    ['emails eq "ada@example.com"', 1],
    ['emails co "ada@"', 1],
    [`${userSchema}:emails[Type EQ "Work" and value eq "Ada@example.com"]`, 1],
    [`${userSchema}:name.familyName eq "entra" and userName sw "ada"`, 1],
    [`${userSchema}:title pr`, 0],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "x"', 0],
  ])('finds people by %s: %i', async (filter, count) => {
    const { status, body } = await entra.call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, body.totalResults]).toEqual([200, count]);
  });

  test.each([
    ['as Entra ID asks for a member', () => `id eq "${group}" and members eq "${ada}"`],
    ['by a part of the members', () => `${groupSchema}:members.value eq "${ada}"`],
    ['by a filter of members', () => `Members[Value eq "${ada}"]`],
    ['by what the provider calls it', () => `externalId eq "g-1" and displayName eq "FILTERED"`],
  ])('finds a group %s', async (_name, filter) => {
    const { body } = await entra.call(
      'GET',
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter())}`,
    );
    expect(body).toMatchObject({ totalResults: 1, Resources: [{ id: group }] });
  });
});

describe('an address', () => {
  test.each<[string, (value: string) => Record<string, unknown>]>([
    ['under a kind in capitals', (value) => ({ op: 'Replace', path: 'emails[type eq "WORK"].value', value })],
    ['under a path in capitals', (value) => ({ op: 'REPLACE', path: 'Emails[Type EQ "Work"].Value', value })],
    ['under its schema', (value) => ({ op: 'Replace', path: `${userSchema}:emails[type eq "work"].value`, value })],
    ['as the primary one', (value) => ({ op: 'Replace', path: 'emails[primary eq true].value', value })],
    ['by the word', (value) => ({ op: 'Replace', path: 'emails[primary eq "True"].value', value })],
    ['without a path', (value) => ({ op: 'replace', value: { 'emails[type eq "work"].value': value } })],
    ['that is added as primary', (value) => ({ op: 'add', path: 'emails', value: [{ value, primary: true }] })],
    ['as one object', (value) => ({ op: 'add', value: { emails: { value, type: 'work', primary: 'True' } } })],
    ['with parts in capitals', (value) => ({ op: 'replace', path: 'emails', value: [{ Value: value }] })],
  ])('changes %s', async (_name, operation) => {
    const id = await newPerson();
    const value = `moved${people}@example.com`;
    const { status, body } = await entra.patch(`/Users/${id}`, operation(value));
    expect([status, body['emails'], await addressOf(id)]).toEqual([
      200,
      [{ value, type: 'work', primary: true }],
      value,
    ]);
  });

  test('of another kind is not taken for the primary one', async () => {
    const id = await newPerson();
    const before = await addressOf(id);
    const add = { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@example.com' };
    expect((await entra.patch(`/Users/${id}`, add)).status).toBe(200);
    expect(await addressOf(id)).toBe(before);
  });
});

test('a person is added by attributes and parts in any case', async () => {
  const answer = await entra.call('POST', '/Users', {
    SCHEMAS: [userSchema],
    USERNAME: 'capital@example.com',
    Emails: [{ VALUE: 'capital@example.com', PRIMARY: 'True', TYPE: 'Work' }],
    Name: { GivenName: 'Cap', FamilyName: 'Ital' },
    Active: 'False',
  });
  expect([answer.status, answer.body]).toMatchObject([
    201,
    { displayName: 'Cap Ital', name: { givenName: 'Cap' }, active: false },
  ]);
});

describe('members leave', () => {
  test.each<[string, (ids: UserId[]) => string, number]>([
    ['by a filter of two', ([a, b]) => `members[value eq "${a}" or value eq "${b}"]`, 0],
    ['by their kind', () => 'members[type eq "User"]', 0],
    ['by kind and id', ([a]) => `Members[Type eq "User" and Value EQ "${a}"]`, 1],
    ['under the schema of the group', ([a]) => `${groupSchema}:members[value eq "${a}"]`, 1],
    ['by the id of no one', () => `members[value eq "usr_${'A'.repeat(22)}"]`, 2],
  ])('%s', async (name, path, left) => {
    const ids = [await newPerson(), await newPerson()];
    const members = ids.map((value) => ({ value }));
    const id = await add('/Groups', { displayName: `Leaving ${name.replaceAll(/\W/g, ' ')}`, members });
    const { status, body } = await entra.patch(`/Groups/${id}`, { op: 'Remove', path: path(ids) });
    expect([status, (body['members'] as unknown[]).length]).toEqual([200, left]);
  });

  test('of a group that is a member of a group: none is taken', async () => {
    const value = await add('/Groups', { displayName: 'Inner' });
    const answer = await entra.call('POST', '/Groups', { displayName: 'Outer', members: [{ value, type: 'Group' }] });
    expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue']);
  });
});

test('two groups of one provider never have the same externalId', async () => {
  await add('/Groups', { displayName: 'First', externalId: 'same' });
  const second = { displayName: 'Second', externalId: 'same' };
  const refused = await entra.call('POST', '/Groups', second);
  const id = await add('/Groups', { ...second, externalId: 'other' });
  const patched = await entra.patch(`/Groups/${id}`, { op: 'Replace', path: 'externalId', value: 'same' });
  for (const { status, body } of [refused, patched]) expect([status, body.scimType]).toEqual([409, 'uniqueness']);
  expect((await entra.call('PUT', `/Groups/${id}`, { ...second, externalId: 'other' })).status).toBe(200);
});

test('a validator goes through the life of a person and a group', async () => {
  const missing = encodeURIComponent('userName eq "non-existing@example.com"');
  expect(await entra.call('GET', `/Users?filter=${missing}`)).toMatchObject({
    status: 200,
    body: { totalResults: 0, Resources: [], startIndex: 1, itemsPerPage: 0 },
  });
  const id = await add<UserId>('/Users', oktaUser('valid'));
  const twice = await entra.call('POST', '/Users', oktaUser('valid'));
  expect([twice.status, twice.body.scimType]).toEqual([409, 'uniqueness']);
  const [first, second] = [{ value: id }, { value: await newPerson() }];
  const group = await add('/Groups', { schemas: [groupSchema], displayName: 'Valid', members: [] });
  expect((await entra.call('POST', '/Groups', { displayName: 'Valid' })).status).toBe(409);
  const short = `/Groups/${group}?excludedAttributes=members`;
  for (const [op, value, left] of [
    ['Add', [first, second], 2],
    ['Remove', [second], 1],
    ['Replace', [second], 1],
  ] as const) {
    const { status, body } = await entra.call('PATCH', short, { Operations: [{ op, path: 'members', value }] });
    expect([status, Object.hasOwn(body, 'members')]).toEqual([200, false]);
    expect((await entra.call('GET', `/Groups/${group}`)).body['members']).toHaveLength(left);
  }
  for (const path of [`/Groups/${group}`, `/Users/${id}`]) {
    expect((await entra.call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await entra.call(method, path)).status).toBe(404);
  }
  expect((await entra.call('POST', '/Bulk', { Operations: [] })).status).toBe(404);
  expect((await entra.call('GET', '/ServiceProviderConfig')).body).toMatchObject({ bulk: { supported: false } });
});

test('each description says what and where it is, and every attribute has its characteristics', async () => {
  const characteristics = ['type', 'multiValued', 'required', 'caseExact', 'mutability', 'returned', 'uniqueness'];
  type Described = { name: string; type: string; referenceTypes?: string[]; subAttributes?: Described[] };
  const check = (attribute: Described): void => {
    for (const name of characteristics)
      expect([attribute.name, attribute]).toEqual([
        attribute.name,
        expect.objectContaining({ [name]: expect.anything() }),
      ]);
    expect([attribute.name, attribute.referenceTypes !== undefined]).toEqual([
      attribute.name,
      attribute.type === 'reference',
    ]);
    expect([attribute.name, attribute.subAttributes !== undefined]).toEqual([
      attribute.name,
      attribute.type === 'complex',
    ]);
    attribute.subAttributes?.forEach(check);
  };
  for (const kind of ['ResourceType', 'Schema'])
    for (const resource of (await entra.call('GET', `/${kind}s`)).body.Resources) {
      const location = `${server.url}/scim/v2/${kind}s/${resource.id}`;
      expect(resource).toMatchObject({ meta: { resourceType: kind, location } });
      expect((await entra.call('GET', `/${kind}s/${resource.id}`)).body).toEqual(resource);
      ((resource['attributes'] ?? []) as Described[]).forEach(check);
    }
});
