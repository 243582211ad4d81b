import { afterAll, describe, expect, test } from '@jest/globals';
import { addGroup, changeMembers, setOwner } from '#people/groups/verbs';
import { addSpace, setSpaceRole } from '#people/spaces/verbs';
import { changeUser } from '#people/users/verbs';
import { mailPasswordLink } from '#access/sign-in/verbs/links';
import type { UserId } from '#platform/model/id';
import { signInBy } from '../../../support/nodes/federated-sign-in.ts';
import { startHostileProvider } from '../../../support/nodes/hostile-provider.ts';
import { enterBy, mailedLink, mailsDown } from '../../../support/nodes/mailed-link.ts';
import { added, entraUser, newPeople, oktaUser, scimAt, scimProvider } from '../../../support/nodes/scim.ts';
import { asWritten, startTwoNodes } from '../../../support/nodes/two-nodes.ts';

const acme = await startHostileProvider();
const byOid = acme.settings({ newPeople, scim: { attribute: 'externalId', claim: 'oid' } });
/** Someone with the token of SCIM would like to be a person who has power here, or to give it back. */
const two = await startTwoNodes({ signInProviders: [byOid, scimProvider('okta')], smtp: mailsDown });
afterAll(async () => {
  await two.stop();
  await acme.close();
});
const [{ scim, url }] = two.nodes;
const entra = scimAt(url, (await scim.createToken('acme')).token);
const okta = scimAt(url, (await scim.createToken('okta')).token);

const personOf = async (id: string) =>
  (await two.nodes[1].engine.directory.read()).users.find((user) => user.id === id);
const signIn = (name: string) =>
  signInBy(acme, two.nodes[1].url, {
    sub: `pairwise-${name}`,
    oid: `oid-${name}`,
    email: `${name}@elsewhere.example.com`,
    email_verified: true,
  });

/** What people here give someone, each of which a policy may ask for. */
const gifts: [string, (id: UserId) => Promise<unknown>][] = [
  ['an administrator', (id) => changeUser(two.nodes[0].engine, 'operator', id, { role: 'admin' })],
  ['one for emergencies', (id) => changeUser(two.nodes[0].engine, 'operator', id, { mayBreakGlass: true })],
  [
    'a member of a group',
    async (id) => {
      const group = await addGroup(two.nodes[0].engine, 'operator', { name: `Group of ${id.slice(-6)}` });
      await changeMembers(two.nodes[0].engine, 'operator', group, { add: [id] });
    },
  ],
  [
    'an administrator of a space',
    async (id) => {
      const space = await addSpace(two.nodes[0].engine, 'operator', `Space of ${id.slice(-6)}`);
      await setSpaceRole(two.nodes[0].engine, 'operator', { space, user: id, role: 'space-admin' });
    },
  ],
  [
    'the owner of a server',
    async (id) => {
      const [server] = (await two.nodes[0].engine.directory.read()).servers.filter(({ ownerId }) => ownerId === null);
      await setOwner(two.nodes[0].engine, 'operator', server!.id, id);
    },
  ],
  [
    'someone’s manager',
    async (id) => {
      const report = await two.nodes[0].newUser();
      await changeUser(two.nodes[0].engine, 'operator', report.id as UserId, { managerId: id });
    },
  ],
];

describe('the claim by which someone signs in', () => {
  test.each(gifts)('of %s is not given to an ally before their first sign-in', async (_name, give) => {
    const name = `gift${gifts.findIndex(([, other]) => other === give)}`;
    const id = await added(entra, entraUser(name));
    await give(id);
    const other = entraUser(name, { externalId: 'oid-ally' });
    for (const answer of [
      await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'externalId', value: 'oid-ally' }),
      await entra.call('PUT', `/Users/${id}`, other),
    ])
      expect([answer.status, answer.body.detail]).toEqual([403, expect.stringMatching(/^Leave externalId as it is/)]);
    const ally = await signIn('ally');
    expect([ally.next, ally.cookie]).toEqual([expect.stringContaining('refused=not-invited'), undefined]);
    expect((await entra.call('PUT', `/Users/${id}`, entraUser(name, { displayName: 'Renamed' }))).status).toBe(200);
    expect((await signIn(name)).cookie).toBeDefined();
    expect(await personOf(id)).toMatchObject({ name: 'Renamed', identities: [{ subject: `pairwise-${name}` }] });
  });

  test('changes of someone with no more than the provider gives', async () => {
    const id = await added(entra, entraUser('plain'));
    const { status } = await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'externalId', value: 'oid-plain2' });
    expect([status, (await signIn('plain2')).cookie]).toEqual([200, expect.any(String)]);
    expect(await personOf(id)).toMatchObject({ identities: [{ subject: 'pairwise-plain2' }] });
  });

  test('changes of an administrator who has signed in with the new value', async () => {
    const id = await added(entra, entraUser('boss'));
    await changeUser(two.nodes[0].engine, 'operator', id, { role: 'admin' });
    const identity = { issuer: acme.issuer, subject: 'pairwise-boss2' };
    await two.nodes[0].connectUser('boss@example.com', identity);
    const path = `/Users/${id}`;
    const rename = () => entra.patch(path, { op: 'Replace', path: 'externalId', value: 'oid-boss2' });
    expect((await rename()).status).toBe(403);
    expect((await signIn('boss2')).cookie).toBeDefined();
    expect((await rename()).body).toMatchObject({ externalId: 'oid-boss2' });
  });

  test('is not given to an administrator who came without one, if it is the subject', async () => {
    const id = await added(okta, oktaUser('late', { externalId: undefined }));
    await changeUser(two.nodes[0].engine, 'operator', id, { role: 'admin' });
    const { status } = await okta.patch(`/Users/${id}`, { op: 'add', path: 'externalId', value: '00u-ally' });
    expect([status, await personOf(id)]).toMatchObject([403, { identities: [] }]);
  });
});

describe('the address, to which links go that let people in,', () => {
  const moved = (name: string) =>
    entraUser(name, { emails: [{ type: 'work', value: 'ally@example.com', primary: true }] });

  test.each(gifts.filter(([name]) => /administrator|emergencies/.test(name)))('of %s stays', async (_name, give) => {
    const name = `moved${gifts.findIndex(([, other]) => other === give)}`;
    const id = await added(entra, entraUser(name));
    await give(id);
    const { status, body } = await entra.call('PUT', `/Users/${id}`, moved(name));
    expect([status, body.detail]).toEqual([403, expect.stringMatching(/^Leave the address/)]);
    expect((await personOf(id))?.email).not.toBe('ally@example.com');
  });

  test('gets no link that an administrator had asked for to another address', async () => {
    const id = await added(entra, entraUser('walt'));
    await mailPasswordLink(two.nodes[0].engine, 'operator', id, { resetsFactors: true });
    const link = await mailedLink(two.nodes[0], id);
    expect((await entra.call('PUT', `/Users/${id}`, moved('walt'))).status).toBe(200);
    await expect(mailedLink(two.nodes[1], id)).rejects.toThrow('No link is on its way');
    await expect(enterBy(link, two.nodes[1])).rejects.toThrow('The link was refused');
  });
});

describe('someone whom the provider has disabled', () => {
  test('comes back by the provider with no role in a space', async () => {
    const id = await added(okta, oktaUser('sue'));
    const space = await addSpace(two.nodes[0].engine, 'operator', 'Of Sue');
    await setSpaceRole(two.nodes[0].engine, 'operator', { space, user: id, role: 'space-admin' });
    const turn = (active: boolean) => okta.patch(`/Users/${id}`, { op: 'replace', value: { active } });
    expect((await turn(false)).status).toBe(200);
    const back = await turn(true);
    expect([back.status, back.body.detail]).toEqual([403, expect.stringContaining('more power than the rule')]);
    await setSpaceRole(two.nodes[0].engine, 'operator', { space, user: id, role: null });
    expect((await turn(true)).body).toMatchObject({ active: true });
  });

  test('stays so once an administrator has disabled them as well, until people enable them', async () => {
    const id = await added(okta, oktaUser('pam'));
    const turn = (active: boolean) => okta.patch(`/Users/${id}`, { op: 'replace', value: { active } });
    const byPeople = (disabled: boolean) => changeUser(two.nodes[1].engine, 'operator', id, { disabled });
    expect((await turn(false)).status).toBe(200);
    await byPeople(true);
    const before = await personOf(id);
    await byPeople(true);
    expect(await personOf(id)).toEqual(before);
    for (const again of [await turn(true), (await turn(false), await turn(true))])
      expect([again.status, again.body.detail]).toEqual([403, expect.stringContaining('they were disabled here')]);
    await byPeople(false);
    expect((await turn(true)).body).toMatchObject({ active: true });
    const entries = await two.query(
      `SELECT entry->'actor'->>'kind', entry->'changed'->>'disabled' FROM audit_log
        WHERE type = 'user.changed' AND entry->>'user' = $1 ${asWritten}`,
      [id],
    );
    expect(entries).toEqual(['provider', 'true', 'operator', 'true', 'operator', 'false']);
  });

  test('stays so, also if the provider says nothing of it or takes the attribute away', async () => {
    const id = await added(okta, oktaUser('tom', { active: false }));
    const { active: _unsaid, ...rest } = oktaUser('tom', { displayName: 'Tom' });
    for (const answer of [
      await okta.call('PUT', `/Users/${id}`, rest),
      await okta.call('PUT', `/Users/${id}`, { ...rest, active: null }),
      await okta.patch(`/Users/${id}`, { op: 'remove', path: 'active' }),
    ])
      expect([answer.status, answer.body]).toMatchObject([200, { displayName: 'Tom', active: false }]);
    expect(await personOf(id)).toMatchObject({ disabledAt: expect.any(Number) });
    expect((await okta.call('PUT', `/Users/${id}`, { ...rest, active: true })).body).toMatchObject({ active: true });
    expect((await okta.call('PUT', `/Users/${id}`, rest)).body).toMatchObject({ active: true });
  });
});
