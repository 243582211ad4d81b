import { afterAll, describe, expect, test } from '@jest/globals';
import type { WaitingChange } from '#people/changes/contract';
import type { Group } from '#people/users/contract';
import type { PolicyCheck } from '#policies/contract/documents';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { ElicitationId, GroupId, UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { applyAccepted } from '#people/changes/verbs/changes';
import { adoptGroup, changeMembers } from '#people/groups/verbs';
import { byLink, startSession } from '#access/sign-in/verbs/sessions';
import { query } from '../../../support/databases/embedded.ts';
import { json } from '../../../support/json.ts';
import { askingAt } from '../../../support/nodes/asking.ts';
import { browserAt, openBrowser, type Browser } from '../../../support/nodes/console.ts';
import { sequenceAll, verify } from '../../../support/nodes/log.ts';
import { added, oktaUser, scimAt, scimProvider } from '../../../support/nodes/scim.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import { newGroup, publish } from '../../../support/requests/policies.ts';

const issuer = 'https://okta.example.com';
const server = await startTestServer({ environment: 'production', signInProviders: [scimProvider('okta')] });
afterAll(() => server.stop());
const { engine } = server;
const okta = scimAt(server.url, (await server.scim.createToken('okta')).token);
const asking = askingAt(server.url, await server.newServerKey('payments'));
const [root, second] = [await openBrowser(server, 'admin', 'password'), await openBrowser(server, 'admin', 'password')];
await newGroup(server, 'treasury-main', [await openBrowser(server)]);
await publish(
  server,
  `policy: treasury
match: { tool: wire }
require: { stages: [{ name: S, approvers: { cel: 'user.groups.exists(g, g.startsWith("treasury-"))' } }] }`,
  `policy: trusted
match: { tool: book }
when: requester.groups.exists(g, g.endsWith("-trusted"))
allow: { ceiling: medium }`,
);
const ally = (await added(okta, oktaUser('ally'))) as UserId;
const asAlly = await signedIn(ally);

async function signedIn(id: UserId): Promise<Browser> {
  const user = (await engine.users.byId(id)) as User;
  const session = await startSession(engine, user, byLink);
  return browserAt(server.url, user, `assentry=${session?.secret}`);
}

async function scimGroup(displayName: string): Promise<GroupId> {
  const { status, body } = await okta.call('POST', '/Groups', { displayName, members: [{ value: ally }] });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.id as GroupId;
}

const adopt = (id: GroupId, adopted = true) => root.call('PUT', `/api/groups/${id}/adoption`, { adopted });
const asOperator = (id: GroupId, adopted: boolean) => adoptGroup(engine, 'operator', { id, adopted });

async function shown(id: GroupId): Promise<Group | undefined> {
  const { groups } = await json<{ groups: Group[] }>(root.call('GET', '/api/groups'));
  return groups.find((group) => group.id === id);
}

const typesOf = async (group: GroupId): Promise<unknown[]> => {
  const sql = `SELECT type FROM audit_log WHERE entry->>'group' = '${group}' ORDER BY entry->>'at', type`;
  return (await query(server.databaseUrl, sql)).filter((type) => String(type).startsWith('group.adopt'));
};

async function accept(request: string): Promise<void> {
  const row = await engine.reader.elicitation(request as ElicitationId);
  expect((await second.vote({ id: request, digest: row?.digest ?? '' })).status).toBe(200);
  await applyAccepted(engine);
}

const voteOfAlly = async (): Promise<number> =>
  (await asAlly.vote(await asking.open({ tool: { name: 'wire' } }))).status;
const callOfAlly = async (): Promise<string> => {
  const requester = { subject: asAlly.user.email, verified: true };
  const { status } = await asking.open({
    tool: { name: 'book' },
    audience: 'requester',
    requester,
    schema: { type: 'object', properties: {} },
  });
  return status;
};

describe('a group that a provider made by SCIM', () => {
  test('fits no condition by its name until two administrators have adopted it', async () => {
    const [voters, callers] = [await scimGroup('treasury-x'), await scimGroup('very-trusted')];
    expect((await shown(voters))?.provisioned).toEqual({ issuer, isAdopted: false });
    expect([await voteOfAlly(), await callOfAlly()]).toEqual([409, 'open']);
    const waiting = [await adopt(voters), await adopt(callers)];
    expect(waiting.map(({ status }) => status)).toEqual([202, 202]);
    expect([await voteOfAlly(), await callOfAlly()]).toEqual([409, 'open']);
    for (const answer of waiting) {
      const { request } = await json<WaitingChange>(answer);
      expect((await engine.reader.elicitation(request as ElicitationId))?.tool).toBe('adopt-group');
      await accept(request);
    }
    expect([await voteOfAlly(), await callOfAlly()]).toEqual([200, 'accepted']);
    expect((await shown(voters))?.provisioned).toEqual({ issuer, isAdopted: true });
    expect(await typesOf(voters)).toEqual(['group.adopted']);
    for (const group of [voters, callers]) await asOperator(group, false);
  });

  test('counts for nothing again once its provider gives it another name, until it is adopted under that', async () => {
    const group = await scimGroup('harmless');
    await asOperator(group, true);
    const rename = (displayName: string) =>
      okta.patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: displayName });
    expect((await okta.patch(`/Groups/${group}`, { op: 'replace', path: 'externalId', value: 'g-7' })).status).toBe(
      200,
    );
    expect((await shown(group))?.provisioned?.isAdopted).toBe(true);
    expect((await rename('treasury-y')).status).toBe(200);
    expect([(await shown(group))?.provisioned?.isAdopted, await voteOfAlly()]).toEqual([false, 409]);
    expect(await typesOf(group)).toEqual(['group.adopted', 'group.adoption-ended']);
    await asOperator(group, true);
    expect(await voteOfAlly()).toBe(200);
    await asOperator(group, false);
    expect(await voteOfAlly()).toBe(409);
  });

  test('is accepted under the name that was read, and not under a later one', async () => {
    const group = await scimGroup('before');
    const { request } = await json<WaitingChange>(adopt(group));
    expect(
      (await okta.patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: 'treasury-z' })).status,
    ).toBe(200);
    await accept(request);
    expect([(await shown(group))?.provisioned?.isAdopted, await voteOfAlly()]).toEqual([false, 409]);
  });

  test('is adopted by no administrator who is a member of it', async () => {
    const group = await scimGroup('administrators');
    await changeMembers(engine, 'operator', group, { add: [root.user.id] });
    const refused = await adopt(group);
    expect([refused.status, (await json<ProblemDocument>(refused)).refusal?.code]).toEqual([403, 'own-membership']);
    await asOperator(group, true);
    const back = await adopt(group, false);
    expect([back.status, (await json<ProblemDocument>(back)).refusal?.code]).toEqual([403, 'own-leaving']);
  });

  test('is named by no policy before it is adopted, and stays adopted while one names it', async () => {
    const group = await scimGroup('finance');
    const document = `policy: named\nmatch: { tool: named }\nrequire: { stages: [{ name: S, approvers: { group: finance } }] }`;
    const warning = 'The group finance was made by SCIM and counts for nothing until an administrator adopts it.';
    const check = (text: string) => json<PolicyCheck>(root.call('POST', '/api/policies/check', { document: text }));
    expect(await check(document)).toMatchObject({
      ok: true,
      unsatisfiable: expect.stringContaining(warning),
      warnings: [warning],
    });
    const inCondition = 'policy: c\nmatch: { tool: c }\nwhen: \'"finance" in requester.groups\'\ndeny: { reason: No. }';
    expect(await check(inCondition)).toMatchObject({ ok: true, unsatisfiable: null, warnings: [warning] });
    await expect(publish(server, document)).rejects.toMatchObject({ code: 'unsatisfiable' });
    await asOperator(group, true);
    expect(await check(inCondition)).toMatchObject({ warnings: [] });
    await publish(server, document);
    await expect(asOperator(group, false)).rejects.toMatchObject({ refusal: { code: 'group-in-policy' } });
  });
});

test('a group that people here made counts, and is adopted by no one', async () => {
  const [local] = (await engine.directory.read()).groups.filter(({ provisioned }) => provisioned === null);
  await expect(asOperator(local!.id, true)).rejects.toMatchObject({ refusal: { code: 'group-not-provisioned' } });
});

test('the log notices a group that was adopted in the database alone', async () => {
  const group = await scimGroup('treasury-planted');
  while (await engine.merkleLog.isWaiting()) await sequenceAll(engine, engine.ring);
  expect(await verify(engine, {}, engine.ring)).toMatchObject({ fault: null });
  await query(server.databaseUrl, `UPDATE provisioned_group SET unadopted_since = NULL WHERE group_id = '${group}'`);
  expect((await verify(engine, {}, engine.ring)).fault).toContain(group);
});
