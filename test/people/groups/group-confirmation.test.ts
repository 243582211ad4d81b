import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { GroupsDue } from '#people/groups/contract';
import type { Group, GroupList } from '#people/users/contract';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { planNews } from '#notify/verbs/plan';
import { applyPolicies } from '#policies/verbs/apply';
import { addGroup, changeMembers, keepConfirmations, setConfirmation } from '#people/groups/verbs';
import { addSpace, moveToSpace, setSpaceRole } from '#people/spaces/verbs';
import { newId } from '#platform/crypto/random';
import type { GroupId } from '#platform/model/id';
import { json } from '../../support/json.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { setUser } from '../../support/requests/policies.ts';
import { runs } from '../../support/runs.ts';

const day = 86_400_000;
let clock = Date.now();
let [admin, olga, ada, bob] = [] as unknown as Browser[] as [Browser, Browser, Browser, Browser];
let id: GroupId;

const smtp = { host: '127.0.0.1', port: 9, isSecure: false, isLocal: true, auth: null, from: 'assentry@example.com' };
const two = await startTwoNodes({ now: () => clock, smtp, sessions: { idle: 9_000 * day, longest: 9_000 * day } });
afterAll(() => two.stop());
const [node] = two.nodes;
[admin, olga, ada, bob] = [
  await openBrowser(node, 'admin', 'password'),
  await openBrowser(node),
  await openBrowser(node),
  await openBrowser(node),
];

/** Ada and Bob are confirmed every 90 days, by Olga. */
beforeEach(async () => {
  id = await newGroup('People', [ada, bob]);
  await setConfirmation(two.nodes[0].engine, 'operator', { id, days: 90, owners: [olga.user.id] });
});

let groups = 0;
async function newGroup(name: string, members: Browser[]): Promise<GroupId> {
  const { engine } = two.nodes[0];
  const group = await addGroup(engine, 'operator', { name: `${name} ${++groups}` });
  await changeMembers(engine, 'operator', group, { add: members.map(({ user }) => user.id) });
  return group;
}

const groupOf = async (by: Browser, group = id): Promise<Group> =>
  (await json<GroupList>(by.call('GET', '/api/groups'))).groups.find((candidate) => candidate.id === group)!;
const membersOf = async (group = id) => (await groupOf(admin, group)).members.map((member) => member.id).toSorted();
const dueFor = async (by: Browser) =>
  (await json<GroupsDue>(by.call('GET', '/api/confirmations'))).groups.filter((group) => group.id === id);
const turn = (node = 0) => keepConfirmations(two.nodes[node]!.engine);
const entries = async (group = id) =>
  (await two.query(
    `SELECT entry - 'id' - 'at' - 'rows' - 'v' FROM audit_log WHERE entry->>'group' = $1 AND type ~ 'confirm|lapsed|members'
      ORDER BY (SELECT seq FROM audit_entry WHERE audit_entry.id = audit_log.id)`,
    [group],
  )) as { type: string }[];
const typesOf = async (group = id) => (await entries(group)).map(({ type }) => type);

async function faultOfLog() {
  const { engine } = two.nodes[0];
  await sequenceAll(engine);
  return (await verify(engine)).fault;
}

async function confirm(by: Browser, body: object = {}, group = id): Promise<string | number> {
  const { confirmation } = await groupOf(admin, group);
  const answer = await by.call('POST', `/api/groups/${group}/confirmation`, { digest: confirmation?.digest, ...body });
  const { refusal, code } = await json<Partial<ProblemDocument>>(answer);
  return answer.ok ? answer.status : (refusal?.code ?? code ?? answer.status);
}

describe('members whom someone confirms every 90 days', () => {
  test('stay without a warning until two weeks before', async () => {
    clock += 75 * day;
    await turn();
    const { confirmation, owners } = await groupOf(ada);
    expect(owners).toEqual([{ id: olga.user.id, name: olga.user.name }]);
    expect(confirmation).toMatchObject({
      days: 90,
      lapsesAt: null,
      dueAt: (confirmation?.confirmedAt ?? 0) + 90 * day,
    });
    expect(confirmation?.members).toEqual([ada.user.id, bob.user.id].toSorted());
    expect(await dueFor(olga)).toEqual([]);
  });

  test('are announced to their owner alone, once, by both nodes', async () => {
    clock += 76 * day;
    await Promise.all([turn(0), turn(1)]);
    await turn();
    const { name } = await groupOf(admin);
    expect(await dueFor(olga)).toEqual([{ id, name, lapsesAt: clock + 14 * day }]);
    expect(await dueFor(admin)).toEqual([]);
    expect((await entries()).slice(-1)).toEqual([
      { type: 'group.confirmation-due', actor: { kind: 'timer' }, group: id, members: 2, lapsesAt: clock + 14 * day },
    ]);
    await Promise.all(two.nodes.map(({ engine }) => planNews(engine)));
    const targets = await two.query(`SELECT target FROM notification WHERE kind = 'members' AND occasion LIKE $1`, [
      `${id} %`,
    ]);
    expect(targets).toEqual([olga.user.id]);
  });

  test('stay if they are confirmed, for as long again', async () => {
    clock += 80 * day;
    await turn();
    const { digest, members } = (await groupOf(olga)).confirmation!;
    expect(await confirm(olga, { digest })).toBe(200);
    expect((await groupOf(olga)).confirmation).toMatchObject({ confirmedAt: clock, lapsesAt: null });
    expect((await entries()).slice(-1)).toEqual([
      { type: 'group.confirmed', actor: { kind: 'user', id: olga.user.id }, group: id, members, digest },
    ]);
    clock += 75 * day;
    await turn();
    expect(await dueFor(olga)).toEqual([]);
    expect(await membersOf()).toEqual(members);
  });

  test('leave if no one confirms them in time, and their votes with them', async () => {
    const [node] = two.nodes;
    const { name } = await groupOf(admin);
    await applyPolicies(node.engine, [
      `policy: by-${id
        .slice(4)
        .toLowerCase()
        .replaceAll(
          /[^a-z0-9]/g,
          'x',
        )}\nmatch: { tool: lapsing }\nrequire: { stages: [{ name: One, approve: 2, approvers: { group: "${name}" } }], deadline: 30d }\n`,
    ]);
    clock += 80 * day;
    await turn();
    const opened = await two.asking.open({ tool: { name: 'lapsing' } });
    expect((await ada.vote(opened)).status).toBe(200);
    clock += 14 * day - 1;
    await turn();
    expect(await membersOf()).toHaveLength(2);
    clock += 1;
    await Promise.all([turn(0), turn(1)]);
    expect(await membersOf()).toEqual([]);
    expect((await entries()).slice(-2)).toEqual([
      {
        type: 'group.members-changed',
        actor: { kind: 'timer' },
        group: id,
        added: [],
        removed: [ada.user.id, bob.user.id].toSorted(),
      },
      { type: 'group.lapsed', actor: { kind: 'timer' }, group: id, members: 2 },
    ]);
    expect((await bob.vote(opened)).status).toBeGreaterThanOrEqual(400);
    const reviewer = await openBrowser(node, 'reviewer');
    const { status, progress } = await reviewer.look(opened.id);
    expect([status, progress]).toMatchObject(['open', { have: 0, need: 2 }]);
    expect(await dueFor(olga)).toEqual([]);
    expect(await faultOfLog()).toBe(null);
  });

  test('are warned of for the whole time, also if no node ran when it was due', async () => {
    clock += 400 * day;
    await turn();
    expect(await membersOf()).toHaveLength(2);
    expect(await dueFor(olga)).toMatchObject([{ lapsesAt: clock + 14 * day }]);
    clock += 14 * day;
    await turn();
    expect(await membersOf()).toEqual([]);
  });

  test('who join a group that has become empty are not taken out by the warning before', async () => {
    clock += 80 * day;
    await turn();
    const { engine } = two.nodes[0];
    await changeMembers(engine, 'operator', id, { remove: [ada.user.id, bob.user.id] });
    await turn();
    await changeMembers(engine, 'operator', id, { add: [bob.user.id] });
    clock += 14 * day;
    await turn();
    expect(await membersOf()).toEqual([bob.user.id]);
  });

  test('leave at the time that was announced, also if the rule is changed by one day or to fewer owners meanwhile', async () => {
    clock += 80 * day;
    await turn();
    const lapsesAt = clock + 14 * day;
    const set = async (days: number, owners: Browser[]) =>
      admin.call('PUT', `/api/groups/${id}/confirmation`, { days, owners: owners.map(({ user }) => user.id) });
    for (const [days, owners] of [
      [89, [olga]],
      [89, []],
      [1, []],
    ] as [number, Browser[]][]) {
      clock += 4 * day;
      expect((await set(days, owners)).status).toBe(200);
      await turn();
      expect((await groupOf(admin)).confirmation).toMatchObject({ days, lapsesAt });
    }
    clock = lapsesAt;
    await turn();
    expect(await membersOf()).toEqual([]);
  });

  test('whom a provider put there are confirmed at the provider, and stay', async () => {
    const by = { kind: 'provider', issuer: 'https://id.example.com' } as const;
    const carl = await openBrowser(two.nodes[0]);
    await changeMembers(two.nodes[0].engine, by, id, { add: [carl.user.id] });
    expect((await groupOf(olga)).confirmation?.members).toEqual([ada.user.id, bob.user.id].toSorted());
    clock += 90 * day;
    await turn();
    clock += 14 * day;
    await turn();
    expect(await membersOf()).toEqual([carl.user.id]);
  });
});

describe('a confirmation', () => {
  beforeEach(async () => {
    clock += 80 * day;
    await turn();
  });

  test('is of exactly the members that were shown: who was added meanwhile is not confirmed unseen', async () => {
    const { digest } = (await groupOf(olga)).confirmation!;
    const carl = await openBrowser(two.nodes[0]);
    await changeMembers(two.nodes[1].engine, 'operator', id, { add: [carl.user.id] });
    const before = await entries();
    expect(await confirm(olga, { digest })).toBe('members-changed');
    expect(await entries()).toEqual(before);
    expect(await dueFor(olga)).toHaveLength(1);
    expect(await confirm(olga)).toBe(200);
  });

  test('can leave people out, who leave at once', async () => {
    expect(await confirm(olga, { remove: [bob.user.id] })).toBe(200);
    expect(await membersOf()).toEqual([ada.user.id]);
    expect(await typesOf()).toEqual([
      'group.members-changed',
      'group.confirmation-set',
      'group.confirmation-due',
      'group.members-changed',
      'group.confirmed',
    ]);
  });

  test('leaves out no one whom the list has not: neither a member of a provider nor someone else', async () => {
    const by = { kind: 'provider', issuer: 'https://id.example.com' } as const;
    const carl = await openBrowser(two.nodes[0]);
    await changeMembers(two.nodes[0].engine, by, id, { add: [carl.user.id] });
    const before = await entries();
    for (const other of [carl, admin]) expect(await confirm(olga, { remove: [other.user.id] })).toBe('INVALID_INPUT');
    expect(await entries()).toEqual(before);
    expect(await membersOf()).toContain(carl.user.id);
  });

  test('is for owners and administrators: no one else, and of nothing that is absent or no list', async () => {
    const before = await entries();
    expect(await confirm(ada)).toBe('owners-confirm');
    expect(await confirm(olga, { digest: '0'.repeat(64) })).toBe('members-changed');
    const absent = await olga.call('POST', `/api/groups/${newId('group')}/confirmation`, { digest: '0'.repeat(64) });
    expect(absent.status).toBe(404);
    const plain = await newGroup('Plain', [ada]);
    const digest = '0'.repeat(64);
    expect(await confirm(admin, { digest }, plain)).toBe('no-confirmation-needed');
    expect(await entries()).toEqual(before);
    expect(await confirm(admin)).toBe(200);
  });

  test('is never of oneself: if the owner is a member, administrators are asked', async () => {
    await changeMembers(two.nodes[0].engine, 'operator', id, { add: [olga.user.id] });
    expect([await dueFor(olga), await dueFor(admin)]).toMatchObject([[], [{ id }]]);
    expect(await confirm(olga)).toBe('own-confirmation');
    expect(await confirm(admin)).toBe(200);
  });

  test('is asked of administrators if the owner is disabled or there is none', async () => {
    await setUser(two.nodes[0], olga, { disabled: true });
    expect(await dueFor(admin)).toHaveLength(1);
    olga = await openBrowser(two.nodes[0]);
    await setConfirmation(two.nodes[0].engine, 'operator', { id, days: 90, owners: [] });
    await turn();
    expect(await dueFor(admin)).toHaveLength(1);
  });

  test('in a space is for its administrators; for others the group is absent', async () => {
    const { engine } = two.nodes[0];
    const [space, other] = [await addSpace(engine, 'operator', 'Here'), await addSpace(engine, 'operator', 'There')];
    const [lea, carl] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[0])];
    await setSpaceRole(engine, 'operator', { space, user: lea.user.id, role: 'space-admin' });
    await setSpaceRole(engine, 'operator', { space: other, user: carl.user.id, role: 'space-admin' });
    await moveToSpace(engine, 'operator', { space, group: id });
    await setConfirmation(engine, 'operator', { id, days: 90, owners: [] });
    await turn();
    expect([await dueFor(lea), await dueFor(carl), await dueFor(admin)]).toMatchObject([[{ id }], [], []]);
    expect(await confirm(carl)).toBe('not-found');
    expect(await confirm(lea)).toBe(200);
  });
});

describe('at the same moment', () => {
  test('a confirmation and the end of the time: one of them, whole', async () => {
    for (let round = 0; round < runs(10); round++) {
      const group = await newGroup('Race', [ada, bob]);
      await setConfirmation(two.nodes[0].engine, 'operator', { id: group, days: 1, owners: [olga.user.id] });
      clock += day;
      await turn();
      clock += day;
      const { digest } = (await groupOf(olga, group)).confirmation!;
      const sent = { digest };
      const confirming = olga.at(two.nodes[1].url).call('POST', `/api/groups/${group}/confirmation`, sent);
      const [answer] = await Promise.all([confirming, turn(0)]);
      const types = await typesOf(group);
      expect([answer.ok, (await membersOf(group)).length, types.at(-1), types.length]).toEqual(
        answer.ok ? [true, 2, 'group.confirmed', 4] : [false, 0, 'group.lapsed', 5],
      );
    }
  });

  test.each([1, 2])(
    'a commit that fails (%d of two) leaves its group as it was, holds up no other, and the next turn does it',
    async (failing) => {
      const other = await newGroup('Other', [bob]);
      const { engine } = two.nodes[0];
      await setConfirmation(engine, 'operator', { id: other, days: 90, owners: [] });
      clock += 90 * day;
      await turn();
      clock += 14 * day;
      let commits = 0;
      const dying: typeof engine.directory.change = (decide, also) =>
        engine.directory.change(decide, async (tx) => {
          await also?.(tx);
          if (++commits === failing) throw new Error('killed');
        });
      const failed = keepConfirmations({ ...engine, directory: { ...engine.directory, change: dying } });
      await expect(failed).rejects.toMatchObject({ errors: [{ cause: { message: 'killed' } }] });
      const sizes = [await membersOf(), await membersOf(other)].map((members) => members.length);
      expect([
        [0, 1],
        [2, 0],
      ]).toContainEqual(sizes);
      await turn(1);
      expect([await membersOf(), await membersOf(other)]).toEqual([[], []]);
      for (const group of [id, other])
        expect((await typesOf(group)).filter((type) => type === 'group.lapsed')).toHaveLength(1);
      expect(await faultOfLog()).toBe(null);
    },
  );
});

describe('in production', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ environment: 'production', defaults: { requester: 'any' } });
  });
  afterAll(() => server?.stop());

  test('to ask for less, or another owner, needs a second administrator; to ask for more does not', async () => {
    const { engine } = server;
    const [first, second] = [
      await openBrowser(server, 'admin', 'password'),
      await openBrowser(server, 'admin', 'password'),
    ];
    const third = await openBrowser(server, 'admin', 'password');
    const group = await addGroup(engine, 'operator', { name: 'Guarded' });
    const set = async (days: number | null, owners: Browser[] = []) =>
      first.call('PUT', `/api/groups/${group}/confirmation`, { days, owners: owners.map(({ user }) => user.id) });
    const now = async () => {
      const { confirmation, owners } = (await engine.directory.read()).groups[0]!;
      return [confirmation?.days ?? null, owners];
    };
    expect((await set(90)).status).toBe(200);
    expect((await set(30)).status).toBe(200);
    for (const answer of [set(31), set(null), set(30, [second])]) {
      expect((await answer).status).toBe(202);
      expect(await now()).toEqual([30, []]);
    }
    const { request } = await json<{ request: string }>(set(60, [second]));
    const { digest } = await third.show(request);
    const vote = { action: 'accept', digest };
    expect((await third.call('POST', `/api/elicitations/${request}/vote`, vote)).status).toBe(200);
    expect(await now()).toEqual([60, [second.user.id]]);
  });
});
