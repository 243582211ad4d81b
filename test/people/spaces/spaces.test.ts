import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Inbox } from '#requests/inbox/contract/inbox';
import type { LogPage } from '#audit/search/contract';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { PolicyCheck, PolicyDetail, PolicyList, ShadowReport } from '#policies/contract/documents';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { SavedViewList } from '#requests/inbox/contract/history';
import type { WorkloadList } from '#access/workloads/contract';
import type { WaitingKey } from '#access/keys/contract/key';
import type { Space, SpaceList } from '#people/spaces/contract';
import { applyPolicies } from '#policies/verbs/apply';
import { saveDraft } from '#policies/verbs/draft';
import { addGroup, changeMembers } from '#people/groups/verbs';
import { addSpace, moveToSpace, setSpaceRole } from '#people/spaces/verbs';
import { addServerKey, newServerKey } from '#access/keys/verbs/keys';
import { newId } from '#platform/crypto/random';
import type { GroupId, ServerId, SpaceId } from '#platform/model/id';
import type { SpaceRole } from '#people/roles/contract';
import type { Role } from '#people/directory/contract/permission';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { openBrowser, openMember, type Browser } from '../../support/nodes/console.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { setUser } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { startTwoNodes, type TwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';
import { waiting } from '../../support/requests/waiting-change.ts';

const issuer = 'http://127.0.0.1:9';

let [admin, ben, lea, sam, olli, pia, rev, carl, plain] = [] as unknown as Browser[] as [
  Browser,
  Browser,
  Browser,
  Browser,
  Browser,
  Browser,
  Browser,
  Browser,
  Browser,
];

const member = (space: SpaceId, role: SpaceRole, globally: Role = 'approver'): Promise<Browser> =>
  openMember(server, { space, role }, globally, 'password');

// Two spaces with a server, a group and a policy each, and one server of none.
const server = await startTestServer({
  environment: 'production',
  workloadIssuers: [{ issuer, longestLife: 3_600 }],
  defaults: { requester: 'any', readingTime: 0 },
});
afterAll(() => server.stop());
const { engine } = server;
const [payments, care] = [await addSpace(engine, 'operator', 'Payments'), await addSpace(engine, 'operator', 'Care')];
const spaces: Record<'payments' | 'care', SpaceId> = { payments, care };
const serverOf = async (name: string, space: SpaceId | null) => {
  const asking = askingAt(server.url, await server.newServerKey(name));
  const { id } = (await engine.directory.read()).servers.find((candidate) => candidate.name === name)!;
  await moveToSpace(engine, 'operator', { space, server: id });
  return { id, asking };
};
const servers: Record<'payments' | 'care' | 'global', { id: ServerId; asking: Asking }> = {
  payments: await serverOf('payments', payments),
  care: await serverOf('care', care),
  global: await serverOf('global', null),
};
const groupOf = async (name: string, space: SpaceId) => {
  const group = await addGroup(engine, 'operator', { name });
  await moveToSpace(engine, 'operator', { space, group });
  return group;
};
const groups: Record<'payments' | 'care', GroupId> = {
  payments: await groupOf('payers', payments),
  care: await groupOf('carers', care),
};
for (const [name, space] of [
  ['payments', payments],
  ['care', care],
  ['all', null],
] as const)
  await applyPolicies(engine, [`policy: ${name}-denies\nmatch: { tool: denied_${name} }\ndeny: { reason: No. }\n`], {
    space,
  });
[admin, ben] = [await openBrowser(server, 'admin', 'password'), await openBrowser(server, 'admin', 'password')];
[lea, sam] = [await member(payments, 'space-admin'), await member(payments, 'space-admin')];
[olli, pia, rev] = [
  await member(payments, 'operator'),
  await member(payments, 'policy-author'),
  await member(payments, 'reviewer', 'operator'),
];
carl = await member(care, 'space-admin');
plain = await openBrowser(server);

/** How it was answered: by the refusal, else by the code of the problem, else by the status. */
async function outcome(answer: Promise<Response>): Promise<string | number> {
  const response = await answer;
  const text = await response.text();
  const { refusal, code } = (text === '' ? {} : JSON.parse(text)) as Partial<ProblemDocument>;
  return response.ok ? response.status : (refusal?.code ?? code ?? response.status);
}

const names =
  <T extends string>(path: string, list: T) =>
  async (by: Browser) =>
    (await json<Record<T, { name: string }[]>>(by.call('GET', path)))[list].map(({ name }) => name);
const serversOf = names('/api/servers', 'servers');
const groupsOf = names('/api/groups', 'groups');
const policiesOf = async (by: Browser) =>
  (await json<PolicyList>(by.call('GET', '/api/policies'))).policies.map(({ name }) => name);
const spacesSeen = async (by: Browser) => (await json<SpaceList>(by.call('GET', '/api/spaces'))).spaces;

/** Accepts what waits for a second person. */
async function accept(by: Browser, id: string) {
  const shown = await by.call('GET', `/api/elicitations/${id}`);
  if (!shown.ok) return shown.status;
  const { digest } = await json<{ digest: string }>(shown);
  return outcome(by.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', digest }));
}

const absent = { server: newId('server'), group: newId('group'), space: newId('space') };

/** Another administrator approves its first version. */
async function approve(policy: string): Promise<void> {
  const { digest } = await json<PolicyDetail>(ben.call('GET', `/api/policies/${policy}/versions/1`));
  const verdict = { verdict: 'approve', digest };
  expect((await ben.call('POST', `/api/policies/${policy}/versions/1/review`, verdict)).status).toBe(200);
}

describe('people of a space', () => {
  test('see what is theirs and what is global, and nothing of another space', async () => {
    for (const by of [lea, olli, pia]) {
      expect(await serversOf(by)).toEqual(['global', 'payments']);
      expect(await groupsOf(by)).toEqual(['payers']);
      expect(await policiesOf(by)).toEqual(['all-denies', 'payments-denies']);
      expect((await spacesSeen(by)).map(({ name }) => name)).toEqual(['Payments']);
    }
    expect(await serversOf(plain)).toEqual(['global']);
    expect(await spacesSeen(plain)).toEqual([]);
    expect(await serversOf(admin)).toEqual(['care', 'global', 'payments']);
    expect((await spacesSeen(admin)).map(({ name }) => name)).toEqual(['Care', 'Payments']);
    const [space] = await spacesSeen(lea);
    expect(space).toMatchObject({ servers: [{ name: 'payments' }], groups: [{ name: 'payers' }] });
    expect(space?.members).toContainEqual({ user: { id: olli.user.id, name: olli.user.name }, role: 'operator' });
  });

  test('owners see their server, wherever it is', async () => {
    const owner = await openBrowser(server);
    await server.setOwner('care', owner.user.email);
    expect(await serversOf(owner)).toEqual(['care', 'global']);
    await server.setOwner('care', null);
  });

  test('see the tools of their servers; of others they are told no more than of what is absent', async () => {
    const tools = (by: Browser, id: string) => outcome(by.call('GET', `/api/servers/${id}/tools`));
    for (const by of [lea, olli, pia]) {
      expect(await tools(by, servers.payments.id)).toBe(200);
      const refused = await tools(by, absent.server);
      expect(refused).toBe('authors-and-operators-only');
      for (const id of [servers.care.id, servers.global.id]) expect(await tools(by, id)).toBe(refused);
    }
    expect(await tools(carl, servers.payments.id)).toBe('authors-and-operators-only');
    expect(await tools(plain, servers.payments.id)).toBe('authors-and-operators-only');
  });
});

describe('keys', () => {
  const create = (by: Browser, name: string) => by.call('POST', '/api/keys', { server: name });

  test('are made by those who may in the space, once a second administrator of it accepts', async () => {
    const { key, request } = await json<WaitingKey>(create(olli, 'payments'));
    const opens = async () => (await askingAt(server.url, key).call('GET', '/v1/identity')).status;
    for (const by of [olli, pia, rev, carl, plain]) expect(await accept(by, request)).not.toBe(200);
    expect(await opens()).toBe(401);
    expect(await accept(lea, request)).toBe(200);
    expect(await opens()).toBe(200);
    const { timeline } = await admin.look(request);
    expect(timeline.map(({ event }) => event)).toContainEqual(expect.objectContaining({ type: 'call.applied' }));
  });

  test('global administrators accept as well, and what they make is accepted in the space', async () => {
    expect(await accept(admin, await waiting(create(lea, 'payments')))).toBe(200);
    expect(await accept(sam, await waiting(create(admin, 'payments')))).toBe(200);
  });

  test('of other servers, and for names that are absent, are refused alike', async () => {
    for (const name of ['care', 'global', 'nowhere'])
      expect([name, await outcome(create(olli, name))]).toEqual([name, 'operators-only']);
    for (const by of [pia, plain]) expect(await outcome(create(by, 'payments'))).toBe('operators-only');
    expect(await outcome(create(carl, 'payments'))).toBe('operators-only');
  });

  test('are listed, rotated and revoked where they are theirs', async () => {
    const { keys } = await json<{ keys: { kid: string; server: { name: string } }[] }>(olli.call('GET', '/api/keys'));
    expect(new Set(keys.map((key) => key.server.name))).toEqual(new Set(['payments']));
    const all = (await server.engine.servers.keys()).filter(({ revokedAt }) => revokedAt === null);
    const kidOf = (name: string) => all.find((key) => key.server.name === name)?.kid ?? '';
    for (const verb of ['rotate', 'revoke']) {
      const ask = (by: Browser, kid: string) => outcome(by.call('POST', `/api/keys/${kid}/${verb}`, {}));
      for (const kid of [kidOf('care'), kidOf('global'), '0123456789abcdef'])
        expect([verb, kid, await ask(olli, kid)]).toEqual([verb, kid, 'operators-only']);
      expect(await ask(carl, kidOf('payments'))).toBe('operators-only');
    }
    const { request } = await json<WaitingKey>(
      olli.call('POST', `/api/keys/${all.findLast((key) => key.server.name === 'payments')?.kid}/rotate`, {}),
    );
    expect(await accept(sam, request)).toBe(200);
    const latest = (await server.engine.servers.keys()).findLast((key) => key.server.name === 'payments');
    expect(await outcome(olli.call('POST', `/api/keys/${latest?.kid}/revoke`))).toBe(200);
  });
});

describe('workloads', () => {
  const bind = (by: Browser, id: string) =>
    by.call('POST', `/api/servers/${id}/workloads`, { issuer, audience: 'assentry', subject: `repo:acme/${id}` });
  const listed = async (by: Browser) =>
    (await json<WorkloadList>(by.call('GET', '/api/workloads'))).workloads.map(({ kid, server: { name } }) => ({
      kid,
      name,
    }));

  test('are bound, listed and removed where they are theirs, once a second administrator of the space accepts', async () => {
    for (const id of [servers.care.id, servers.global.id, absent.server])
      expect(await outcome(bind(olli, id))).toBe('operators-only');
    for (const by of [pia, plain]) expect(await outcome(bind(by, servers.payments.id))).toBe('operators-only');
    expect(await accept(sam, await waiting(bind(olli, servers.payments.id)))).toBe(200);
    expect(await accept(ben, await waiting(bind(admin, servers.care.id)))).toBe(200);
    const [own] = await listed(olli);
    expect((await listed(olli)).map(({ name }) => name)).toEqual(['payments']);
    expect((await listed(carl)).map(({ name }) => name)).toEqual(['care']);
    const remove = (by: Browser, kid: string) => outcome(by.call('DELETE', `/api/workloads/${kid}`));
    for (const kid of [own?.kid ?? '', '0123456789abcdef']) expect(await remove(carl, kid)).toBe('operators-only');
    expect(await remove(olli, own?.kid ?? '')).toBe(204);
    expect(await outcome(plain.call('GET', '/api/workloads'))).toBe('operators-only');
  });
});

describe('stops', () => {
  const stop = (by: Browser, body: object) => by.call('POST', '/api/stops', { reason: 'It leaks.', ...body });

  test('are made and lifted for servers of the space alone', async () => {
    const { id } = await json<{ id: string }>(stop(olli, { server: 'payments', tool: 'stopped' }));
    for (const body of [{}, { tool: 'stopped' }, { server: 'care' }, { server: 'global' }, { server: 'nowhere' }])
      expect([body, await outcome(stop(olli, body))]).toEqual([body, 'operators-only']);
    expect(await outcome(stop(pia, { server: 'payments' }))).toBe('operators-only');
    const lift = (by: Browser) => by.call('POST', `/api/stops/${id}/lift`);
    expect(await outcome(lift(carl))).toBe('operators-only');
    expect(await outcome(lift(olli))).toBe('lift-by-other');
    expect(await outcome(carl.call('POST', `/api/stops/${newId('stop')}/lift`))).toBe('operators-only');
    expect(await accept(sam, await waiting(lift(lea)))).toBe(200);
    const listedFor = async (by: Browser) =>
      (await json<{ stops: { id: string }[] }>(by.call('GET', '/api/stops'))).stops;
    expect(await listedFor(olli)).toMatchObject([{ id, lifted: { by: { id: lea.user.id } } }]);
    expect([await listedFor(carl), await listedFor(plain)]).toEqual([[], []]);
  });
});

describe('groups and roles', () => {
  const add = (by: Browser, group: string) => by.call('POST', `/api/groups/${group}/members`, { add: [plain.user.id] });
  const setRole = (by: Browser, space: string, who: Browser, role: string | null) =>
    by.call('PUT', `/api/spaces/${space}/members/${who.user.id}`, { role });

  test('administrators of a space change the members of its own groups, and of no others', async () => {
    const global = await addGroup(server.engine, 'operator', { name: 'everywhere' });
    for (const group of [groups.care, global, absent.group])
      expect([group, await outcome(add(lea, group))]).toEqual([group, 'administrators-only']);
    for (const by of [olli, pia, carl]) expect(await outcome(add(by, groups.payments))).toBe('administrators-only');
    expect(await accept(sam, await waiting(add(lea, groups.payments)))).toBe(200);
    const { groups: shown } = await json<{ groups: { id: string; members: { id: string }[] }[] }>(
      lea.call('GET', '/api/groups'),
    );
    expect(shown.find(({ id }) => id === groups.payments)?.members).toMatchObject([{ id: plain.user.id }]);
    // Renaming and deleting stay global.
    expect(await outcome(lea.call('DELETE', `/api/groups/${groups.payments}`))).toBe('administrators-only');
    expect(await outcome(lea.call('PATCH', `/api/groups/${groups.payments}`, { name: 'x' }))).toBe(
      'administrators-only',
    );
  });

  test('and give roles in their space, two of them, never to themselves', async () => {
    for (const space of [spaces.care, absent.space])
      expect(await outcome(setRole(lea, space, plain, 'reviewer'))).toBe('administrators-only');
    for (const by of [olli, pia, carl])
      expect(await outcome(setRole(by, spaces.payments, plain, 'reviewer'))).toBe('administrators-only');
    expect(await outcome(setRole(lea, spaces.payments, lea, 'operator'))).toBe('own-power');
    const request = await waiting(setRole(lea, spaces.payments, plain, 'operator'));
    expect(await accept(lea, request)).not.toBe(200);
    expect(await accept(sam, request)).toBe(200);
    const roleOf = async (who: Browser) =>
      (await spacesSeen(admin))
        .find(({ id }) => id === spaces.payments)
        ?.members.find(({ user }) => user.id === who.user.id)?.role;
    expect(await roleOf(plain)).toBe('operator');
    // Looking needs no second person, and taking away never waits.
    expect(await outcome(setRole(lea, spaces.payments, plain, 'reviewer'))).toBe(200);
    expect(await outcome(setRole(lea, spaces.payments, plain, null))).toBe(200);
    expect(await roleOf(plain)).toBeUndefined();
    expect(await outcome(lea.call('PATCH', `/api/users/${plain.user.id}`, { role: 'admin' }))).toBe(
      'administrators-only',
    );
  });

  test('one who takes the role from all others decides nothing alone', async () => {
    const space = await addSpace(server.engine, 'operator', 'Contested');
    const [lone, other] = [await member(space, 'space-admin'), await member(space, 'space-admin')];
    expect(await outcome(setRole(lone, space, other, null))).toBe(200);
    const request = await waiting(setRole(lone, space, plain, 'space-admin'));
    for (const by of [lone, other, lea]) expect(await accept(by, request)).not.toBe(200);
    expect(await outcome(setRole(lone, space, lone, null))).toBe(200);
    expect(await accept(ben, request)).toBe(200);
    const { spaces: all } = await server.engine.directory.read();
    expect(all.find(({ id }) => id === space)?.members).toEqual([]);
  });

  test('one who accepted and lost the role since gives no agreement', async () => {
    const former = await member(spaces.payments, 'space-admin');
    const request = await waiting(setRole(lea, spaces.payments, plain, 'operator'));
    await setSpaceRole(server.engine, 'operator', { space: spaces.payments, user: former.user.id, role: null });
    await accept(former, request);
    expect((await spacesSeen(admin)).flatMap(({ members }) => members.map(({ user }) => user.id))).not.toContain(
      plain.user.id,
    );
  });
});

describe('policies', () => {
  const documentOf = (name: string, tool = 'pay', rule = 'deny: { reason: Not here. }') =>
    `policy: ${name}\nmatch: { tool: ${tool} }\n${rule}\n`;
  const draft = (by: Browser, document: string, space?: SpaceId) =>
    by.call('POST', '/api/policies', { document, ...(space && { space }) });

  test('are written, reviewed and published in the space, and are about its servers alone', async () => {
    const written = await json<PolicyDetail>(draft(pia, documentOf('paying'), spaces.payments));
    expect(written).toMatchObject({
      space: { name: 'Payments' },
      can: { submit: { allowed: true }, publish: { allowed: false } },
    });
    const at = '/api/policies/paying/versions/1';
    expect(await outcome(pia.call('POST', `${at}/submit`))).toBe(200);
    const review = { verdict: 'approve', digest: written.digest };
    expect(await outcome(carl.call('POST', `${at}/review`, review))).toBe('authors-change-policies');
    expect(await outcome(olli.call('POST', `${at}/review`, review))).toBe('authors-change-policies');
    expect(await outcome(lea.call('POST', `${at}/review`, review))).toBe(200);
    expect(await outcome(pia.call('POST', `${at}/publish`))).toBe('administrators-publish');
    expect(await outcome(carl.call('POST', `${at}/publish`))).toBe('not-found');
    expect(await accept(sam, await waiting(lea.call('POST', `${at}/publish`)))).toBe(200);
    const denied = async ({ asking }: { asking: Asking }) => (await asking.open({ tool: { name: 'pay' } })).status;
    expect([await denied(servers.payments), await denied(servers.care), await denied(servers.global)]).toEqual([
      'declined',
      'open',
      'open',
    ]);
  });

  test('elsewhere they are neither written nor read; a name that is taken is all that is told', async () => {
    expect(await outcome(draft(pia, documentOf('global-one')))).toBe('authors-change-policies');
    expect(await outcome(draft(pia, documentOf('care-one'), spaces.care))).toBe('authors-change-policies');
    expect(await outcome(draft(pia, documentOf('nowhere-one'), absent.space))).toBe('authors-change-policies');
    expect(await outcome(draft(pia, documentOf('all-denies'), spaces.payments))).toBe('authors-change-policies');
    expect(await outcome(draft(pia, documentOf('care-denies'), spaces.payments))).toBe('already-exists');
    expect(await outcome(draft(pia, documentOf('care-denies')))).toBe('authors-change-policies');
    for (const name of ['care-denies', 'nothing']) {
      for (const path of [`${name}/versions`, `${name}/versions/1`, `${name}/shadow`])
        expect([path, await outcome(pia.call('GET', `/api/policies/${path}`))]).toEqual([path, 'not-found']);
      for (const verb of ['submit', 'restore'])
        expect(await outcome(pia.call('POST', `/api/policies/${name}/versions/1/${verb}`))).toBe(
          'authors-change-policies',
        );
      expect(await outcome(pia.call('POST', `/api/policies/${name}/shadow`, { version: 1 }))).toBe(
        'authors-change-policies',
      );
      expect(await outcome(lea.call('POST', `/api/policies/${name}/versions/1/publish`))).toBe('not-found');
    }
    const { documents } = await json<{ documents: string[] }>(pia.call('GET', '/api/policies/export'));
    expect(documents.join()).not.toContain('care-denies');
  });

  test('one of a space lets nothing run that global ones would ask about, and keeps no content shorter', async () => {
    const allowing = documentOf('allowing', 'transfer_funds', 'priority: 1000\nallow: { ceiling: medium }');
    await applyPolicies(server.engine, [allowing], { space: spaces.payments });
    expect((await servers.payments.asking.open()).status).toBe('open');
    const keeping = `${documentOf('keeping')}keep: 1d\n`;
    expect(await outcome(draft(pia, keeping, spaces.payments))).toBe('policy-invalid');
  });

  test('name no group of another space, and checks say nothing of it', async () => {
    const { engine } = server;
    const asks = (name: string, group: string, approve = 1) =>
      documentOf(
        name,
        'pay',
        `require: { stages: [{ name: S, approve: ${approve}, approvers: { group: ${group} } }] }`,
      );
    await changeMembers(engine, 'operator', groups.care, { add: [carl.user.id] });
    const check = async (by: Browser, group: string, approve?: number) => {
      const document = asks('checked', group, approve);
      return (await json<PolicyCheck>(by.call('POST', '/api/policies/check', { document }))).unsatisfiable;
    };
    for (const [group, approve] of [
      ['carers', 1],
      ['carers', 9],
      ['carer', 1],
    ] as const)
      for (const by of [lea, pia, plain])
        expect([group, (await check(by, group, approve))?.includes(`There is no group ${group}.`)]).toEqual([
          group,
          true,
        ]);
    expect(await check(pia, 'carer')).not.toContain('carers');
    expect(await check(carl, 'carers')).toBe(null);
    expect(await check(admin, 'carers', 9)).not.toContain('There is no group');
    const owned = documentOf('owned', 'pay', 'require: { stages: [{ name: O, approvers: { owner: server } }] }');
    const document = owned.replace('match: {', 'match: { server: caree,');
    const { unsatisfiable } = await json<PolicyCheck>(pia.call('POST', '/api/policies/check', { document }));
    expect(unsatisfiable).toMatch(/There is no MCP server caree\.$/);
    const published = applyPolicies(engine, [asks('asking-care', 'carers')], { space: spaces.payments });
    await expect(published).rejects.toMatchObject({ code: 'unsatisfiable' });
    await applyPolicies(engine, [asks('asking-care', 'carers')], { space: spaces.care });
    await applyPolicies(engine, ['policy: asking-care\nretire: { reason: Done. }\n'], { space: spaces.care });
  });

  test('of another space are named neither by the limit of shadows nor when someone delegates', async () => {
    for (let at = 0; at < 10; at += 1) {
      const document = documentOf(`shadowed-${at}`, 'nothing');
      const space = at < 9 ? spaces.care : spaces.payments;
      const by = at < 9 ? carl : pia;
      await draft(by, document, space);
      await by.call('POST', `/api/policies/shadowed-${at}/versions/1/submit`);
      await approve(`shadowed-${at}`);
      expect(await outcome(by.call('POST', `/api/policies/shadowed-${at}/shadow`, { version: 1 }))).toBe(200);
    }
    await draft(pia, documentOf('one-more', 'nothing'), spaces.payments);
    await pia.call('POST', '/api/policies/one-more/versions/1/submit');
    await approve('one-more');
    const { detail } = await json<ProblemDocument>(pia.call('POST', '/api/policies/one-more/shadow', { version: 1 }));
    expect(detail).toContain('shadowed-9@1, 9 of other spaces are running');
    for (let at = 0; at < 10; at += 1)
      await (at < 9 ? carl : pia).call('POST', `/api/policies/shadowed-${at}/shadow`, { version: null });
    const delegation = (policy: string) =>
      pia.call('POST', '/api/delegations', { toId: plain.user.id, endsAt: Date.now() + 1e6, policies: [policy] });
    const { errors } = await json<ProblemDocument>(delegation('care-denie'));
    expect(errors?.[0]?.message).toBe('There is no policy care-denie.');
    expect((await json<ProblemDocument>(delegation('payments-denie'))).errors?.[0]?.message).toContain(
      'payments-denies?',
    );
  });

  test('say nothing of what Assentry itself asks, and retire nothing of elsewhere', async () => {
    const { engine } = server;
    const own = (name: string, rule: string) => `policy: ${name}\nmatch: { server: assentry, tool: '*' }\n${rule}\n`;
    const documents = [own('own-deny', 'deny: { reason: No. }'), own('own-allow', 'confirm: { ceiling: high }')];
    await applyPolicies(engine, documents, { space: spaces.payments });
    const { request } = await json<WaitingKey>(olli.call('POST', '/api/keys', { server: 'payments' }));
    expect((await admin.look(request)).status).toBe('open');
    const retire = 'policy: all-denies\nretire: { reason: Mine. }\n';
    expect(await outcome(draft(lea, retire, spaces.payments))).toBe('authors-change-policies');
    await expect(applyPolicies(engine, [retire], { space: spaces.payments })).rejects.toThrow();
    await applyPolicies(
      engine,
      ['own-deny', 'own-allow'].map((name) => `policy: ${name}\nretire: { reason: Done. }\n`),
      { space: spaces.payments },
    );
    const simulation = { document: own('own-deny', 'deny: { reason: No. }'), last: 10 };
    expect(await outcome(lea.call('POST', '/api/policies/simulate', simulation))).toBe('authors-change-policies');
  });

  test('one with a stage of the same name takes the place of no global stage', async () => {
    const [ada, voter] = [await openBrowser(server), await openBrowser(server)];
    const staged = (name: string, approvers: string) =>
      documentOf(name, 'staged', `priority: 500\nrequire: { stages: [{ name: S, approvers: ${approvers} }] }`);
    await applyPolicies(server.engine, [staged('staged-everywhere', `{ user: ${ada.user.email} }`)]);
    await applyPolicies(server.engine, [staged('staged-here', 'anyone')], { space: spaces.payments });
    const { id, digest } = await servers.payments.asking.open({ tool: { name: 'staged' } });
    expect(typeof (await outcome(voter.vote({ id, digest })))).toBe('string');
    expect(await outcome(ada.vote({ id, digest }))).toBe(200);
    await voter.vote({ id, digest });
    expect((await admin.look(id)).status).toBe('accepted');
    await applyPolicies(server.engine, ['policy: staged-everywhere\nretire: { reason: Done. }\n']);
  });

  test('what a global version in shadow mode would have done is told of servers that one sees', async () => {
    await draft(admin, documentOf('watching', 'watched'));
    await admin.call('POST', '/api/policies/watching/versions/1/submit');
    await approve('watching');
    expect(await outcome(admin.call('POST', '/api/policies/watching/shadow', { version: 1 }))).toBe(200);
    const [ours, theirs] = [
      await servers.payments.asking.open({ tool: { name: 'watched' } }),
      await servers.care.asking.open({ tool: { name: 'watched' } }),
    ];
    for (const { id } of [ours, theirs]) await admin.look(id);
    const resultsFor = async (by: Browser) => {
      const { total, different, results } = await json<ShadowReport>(by.call('GET', '/api/policies/watching/shadow'));
      return [total, different, results.map(({ elicitation }) => elicitation).toSorted()];
    };
    expect(await resultsFor(lea)).toEqual([1, 1, [ours.id]]);
    expect(await resultsFor(carl)).toEqual([1, 1, [theirs.id]]);
    expect(await resultsFor(plain)).toEqual([0, 0, []]);
    expect(await resultsFor(admin)).toEqual([2, 2, [ours.id, theirs.id].toSorted()]);
    await admin.call('POST', '/api/policies/watching/shadow', { version: null });
  });

  test('files are applied where their policy belongs, and prune nothing of elsewhere', async () => {
    const { engine } = server;
    await expect(applyPolicies(engine, [documentOf('care-denies')])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(applyPolicies(engine, [documentOf('all-denies')], { space: spaces.care })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    const pruned = await applyPolicies(engine, [documentOf('all-denies')], { isPruning: true, isDryRun: true });
    expect(pruned.map(({ name }) => name)).toEqual(['all-denies']);
  });
});

describe('requests and the log', () => {
  let [ours, theirs] = [] as unknown as OpenedElicitation[] as [OpenedElicitation, OpenedElicitation];
  let onlyAda: string;
  beforeAll(async () => {
    const ada = await openBrowser(server);
    onlyAda = `policy: only-ada\nmatch: { tool: quiet }\nrequire: { stages: [{ name: Ada, approvers: { user: ${ada.user.email} } }] }\n`;
    await applyPolicies(server.engine, [onlyAda]);
    [ours, theirs] = [
      await servers.payments.asking.open({ tool: { name: 'quiet' } }),
      await servers.care.asking.open({ tool: { name: 'quiet' } }),
    ];
    await sequenceAll(server.engine);
  });
  const listed = async (by: Browser, search = '') => {
    const { items } = await json<Inbox>(by.call('GET', `/api/elicitations?view=all&tool=quiet${search}`));
    return items.map(({ id }) => id);
  };

  test('who watches in a space finds the requests of its servers, and reads them for a reason', async () => {
    for (const by of [lea, rev]) {
      expect(await listed(by)).toEqual([ours.id]);
      expect(await listed(by, '&server=care')).toEqual([]);
      expect(await listed(by, `&q=${theirs.id}`)).toEqual([]);
      expect(await outcome(by.call('GET', `/api/elicitations/${ours.id}`))).toBe('reason-needed');
      for (const id of [theirs.id, newId('elicitation')]) {
        expect(await outcome(by.call('GET', `/api/elicitations/${id}`))).toBe('not-found');
        expect(await outcome(by.call('POST', `/api/elicitations/${id}/look`, { reason: 'It is my turn.' }))).toBe(
          'not-found',
        );
      }
      expect((await by.look(ours.id)).message).toBe('Transfer the money?');
    }
    for (const by of [olli, pia, carl, plain]) {
      expect(await listed(by)).toEqual(by === carl ? [theirs.id] : []);
      expect(await outcome(by.call('GET', `/api/elicitations/${ours.id}`))).toBe('not-found');
    }
    expect((await listed(admin)).toSorted()).toEqual([ours.id, theirs.id].toSorted());
  });

  test('what filters offer is of what they see', async () => {
    const {
      servers: shown,
      policies,
      groups: offered,
    } = await json<Inbox>(lea.call('GET', '/api/elicitations?view=all'));
    expect(shown).toEqual(['assentry', 'global', 'payments']);
    expect(policies).not.toContain('care-denies');
    expect(offered).not.toContain('carers');
  });

  test('they search the log for the requests of their servers, and nothing else of it', async () => {
    const search = (by: Browser, filter = '') => by.call('GET', `/api/audit/entries?limit=100${filter}`);
    const { entries } = await json<LogPage>(search(rev));
    expect(new Set(entries.map((entry) => entry.server))).toEqual(new Set(['payments']));
    expect((await json<LogPage>(search(rev, `&request=${ours.id}`))).entries.length).toBeGreaterThan(0);
    // What belongs to others is as unknown as what was never there.
    for (const [name, values] of Object.entries({
      request: [theirs.id, newId('elicitation')],
      server: ['care', 'nowhere'],
    }))
      for (const value of values)
        expect(await json<LogPage>(search(rev, `&${name}=${value}`))).toMatchObject({ entries: [], unknown: [name] });
    for (const by of [olli, pia, plain]) expect(await outcome(search(by))).toBe('reviewers-read-log');
    const record = (by: Browser, id: string) => outcome(by.call('GET', `/api/audit/requests/${id}`));
    expect(await record(rev, ours.id)).toBe(200);
    for (const id of [theirs.id, newId('elicitation')]) expect(await record(rev, id)).toBe('not-found');
    const offered = await json<{ servers: string[]; policies: string[]; clients: string[] }>(
      rev.call('GET', '/api/audit/names'),
    );
    expect(offered).toMatchObject({ servers: ['payments'], clients: [] });
    expect(offered.policies).not.toContain('care-denies');
  });

  test('a shared list whose filters name what is of another space is not listed', async () => {
    const share = async (filters: object) => {
      const body = { name: 'Shared', filters: { view: 'all', ...filters }, isShared: true };
      return (await json<{ id: string }>(carl.call('POST', '/api/views', body))).id;
    };
    const viewsOf = async (by: Browser) =>
      (await json<SavedViewList>(by.call('GET', '/api/views'))).views.map(({ id }) => id);
    const plainView = await share({ server: 'global' });
    const hidden = [
      await share({ server: 'care' }),
      await share({ group: 'carers' }),
      await share({ policy: 'care-denies' }),
    ];
    for (const by of [admin, carl]) expect(await viewsOf(by)).toEqual([...hidden.toReversed(), plainView]);
    for (const by of [lea, plain]) expect(await viewsOf(by)).toEqual([plainView]);
  });

  test('what is about everyone stays with global roles', async () => {
    for (const path of [
      '/api/audit/reports/could-approve?from=0',
      '/log/checkpoint',
      '/api/audit/proof',
      '/api/look-backs',
    ])
      expect([path, typeof (await outcome(lea.call('GET', path)))]).toEqual([path, 'string']);
  });
});

describe('moves', () => {
  const move = (by: Browser, what: string, spaceId: SpaceId | null) =>
    by.call('PUT', `/api/${what}/space`, { spaceId });

  test('are for two global administrators; then the people of the other space have it', async () => {
    const what = `servers/${servers.global.id}`;
    for (const by of [lea, carl, olli, plain])
      expect(await outcome(move(by, what, spaces.payments))).toBe('administrators-only');
    const request = await waiting(move(admin, what, spaces.payments));
    for (const by of [lea, sam, carl]) expect(await accept(by, request)).not.toBe(200);
    expect(await serversOf(carl)).toContain('global');
    expect(await accept(ben, request)).toBe(200);
    expect([await serversOf(lea), await serversOf(carl)]).toEqual([['global', 'payments'], ['care']]);
    await moveToSpace(server.engine, 'operator', { space: null, server: servers.global.id });
    expect(await outcome(move(admin, `servers/${absent.server}`, spaces.payments))).toBe('not-found');
    expect(await outcome(move(admin, what, absent.space))).toBe('not-found');
    expect(await outcome(move(admin, 'servers/srv_assentry-itself-000000', spaces.payments))).not.toBe(200);
  });

  test('a key that someone of the former space accepts after the move is not made', async () => {
    const { key, request } = await json<WaitingKey>(olli.call('POST', '/api/keys', { server: 'payments' }));
    await moveToSpace(server.engine, 'operator', { space: spaces.care, server: servers.payments.id });
    expect(await accept(lea, request)).toBe(200);
    expect((await askingAt(server.url, key).call('GET', '/v1/identity')).status).toBe(401);
    const { timeline } = await admin.look(request);
    expect(timeline.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'call.applied', refused: expect.any(String) }),
    );
    expect(await outcome(olli.call('POST', '/api/keys', { server: 'payments' }))).toBe('operators-only');
    await moveToSpace(server.engine, 'operator', { space: spaces.payments, server: servers.payments.id });
  });

  test('a request that is open keeps what it was opened with', async () => {
    await applyPolicies(
      server.engine,
      ['policy: two\nmatch: { tool: moving }\nrequire: { stages: [{ name: Two, approvers: anyone, approve: 2 }] }\n'],
      { space: spaces.payments },
    );
    const { id, digest } = await servers.payments.asking.open({ tool: { name: 'moving' } });
    await moveToSpace(server.engine, 'operator', { space: spaces.care, server: servers.payments.id });
    const voter = await openBrowser(server);
    const first = await json<{ status: string }>(voter.vote({ id, digest }));
    expect(first.status).toBe('open');
    await moveToSpace(server.engine, 'operator', { space: spaces.payments, server: servers.payments.id });
  });

  test('a group that a policy outside names is not moved into a space', async () => {
    const group = await addGroup(server.engine, 'operator', { name: 'named' });
    await changeMembers(server.engine, 'operator', group, { add: [plain.user.id] });
    await applyPolicies(server.engine, [
      'policy: naming\nmatch: { tool: naming }\nrequire: { stages: [{ name: N, approvers: { group: named } }] }\n',
    ]);
    expect(await outcome(move(admin, `groups/${group}`, spaces.care))).toBe('group-in-policy');
  });

  test('spaces are made by global administrators, under names of their own', async () => {
    const make = (by: Browser, name: string) => by.call('POST', '/api/spaces', { name });
    for (const by of [lea, olli, plain]) expect(await outcome(make(by, 'Mine'))).toBe('administrators-only');
    expect(await json<Space>(make(admin, 'New'))).toMatchObject({ name: 'New', members: [], servers: [] });
    expect(await outcome(make(admin, 'New'))).toBe('already-exists');
  });
});

test('the log proves all of it', async () => {
  await sequenceAll(server.engine);
  expect(await verify(server.engine)).toMatchObject({ fault: null });
});

test('a role in a space does not replace the vote that someone lacks', async () => {
  const lead = await member(spaces.payments, 'space-admin', 'operator');
  const { id, digest } = await servers.payments.asking.open();
  expect(await outcome(lead.vote({ id, digest }))).toBe('approvers-decide');
  await setUser(server, lead, { disabled: true });
  expect((await lead.call('GET', '/api/spaces')).status).toBe(401);
});

describe('while a role ends', () => {
  let two: TwoNodes;
  beforeAll(async () => {
    two = await startTwoNodes(); // a trial, in which one person makes a key
  });
  afterAll(() => two?.stop());

  test('no key is made after the end of the role that made it, on whichever node', async () => {
    const [first, other] = two.nodes;
    const space = await addSpace(first.engine, 'operator', 'Racing');
    const { servers: all } = await first.engine.directory.read();
    await moveToSpace(first.engine, 'operator', { space, server: all.find(({ name }) => name === 'payments')!.id });
    const ended = new Set<string>();
    for (let at = 0; at < 12; at += 1) {
      const { user } = await openBrowser(first);
      const role = (role: SpaceRole | null) => setSpaceRole(first.engine, 'operator', { space, user: user.id, role });
      await role('operator');
      const { record } = newServerKey('payments');
      const [creation] = await Promise.allSettled([addServerKey(other.engine, user, record), role(null)]);
      ended.add(creation.status);
      const [key, end] = (await two.query(
        `SELECT (SELECT seq FROM audit_entry WHERE convert_from(body, 'UTF8')::jsonb ->> 'kid' = $1),
                (SELECT max(seq) FROM audit_entry WHERE type = 'space.member-changed')`,
        [record.kid],
      )) as [string | null, string];
      expect(key === null).toBe(creation.status === 'rejected');
      if (key !== null) expect(Number(key)).toBeLessThan(Number(end));
      await expect(addServerKey(other.engine, user, newServerKey('payments').record)).rejects.toMatchObject({
        refusal: { code: 'operators-only' },
      });
    }
    expect(ended.size).toBeGreaterThan(0);
  });

  test('nor is a policy written', async () => {
    const [first, other] = two.nodes;
    const space = await addSpace(first.engine, 'operator', 'Writing');
    for (let at = 0; at < 12; at += 1) {
      const { user } = await openBrowser(first);
      const setRole = (role: SpaceRole | null) =>
        setSpaceRole(first.engine, 'operator', { space, user: user.id, role });
      await setRole('policy-author');
      const document = `policy: racing-${at}\nmatch: { tool: nothing }\ndeny: { reason: No. }\n`;
      const [draft] = await Promise.allSettled([saveDraft(other.engine, user, { document, space }), setRole(null)]);
      const [written, end] = (await two.query(
        `SELECT (SELECT max(seq) FROM audit_entry WHERE type = 'policy.drafted'
                   AND convert_from(body, 'UTF8')::jsonb ->> 'policy' = $1),
                (SELECT max(seq) FROM audit_entry WHERE type = 'space.member-changed')`,
        [`racing-${at}@1`],
      )) as [string | null, string];
      expect(written === null).toBe(draft.status === 'rejected');
      if (written !== null) expect(Number(written)).toBeLessThan(Number(end));
      const again = saveDraft(other.engine, user, { document: document.replace('racing', 'late'), space });
      await expect(again).rejects.toMatchObject({ refusal: { code: 'authors-change-policies' } });
    }
  });
});
