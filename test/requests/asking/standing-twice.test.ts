import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addGroup, changeMembers, setOwner } from '#people/groups/verbs';
import { changeUser } from '#people/users/verbs';
import { castVote } from '#requests/voting/verbs';
import type { ElicitationId, GroupId, ServerId } from '#platform/model/id';
import { builtInRoles } from '#people/directory/contract/permission';
import type { DirectoryRecord, UserRecord } from '#people/directory/store/directory-record';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { publish } from '../../support/requests/policies.ts';
import { runs } from '../../support/runs.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const denied = new Set<string>();

/** Who each tool asks: its stages, each with its seats, each with who may take it. */
const stagesOf: Record<string, Seat[][]> = {
  anyone: [['anyone']],
  finance: [['finance', 'finance']],
  manager: [['manager']],
  owner: [['owner']],
  admin: [['admin']],
  stages: [['anyone'], ['security']],
  seats: [['finance', 'security']],
};
type Seat = 'anyone' | 'finance' | 'security' | 'manager' | 'owner' | 'admin';

const policies = [
  'policy: finance\nmatch: { tool: finance }\nrequire: { stages: [{ name: A, approve: 2, approvers: { group: finance } }] }',
  'policy: manager\nmatch: { tool: manager }\nrequire: { stages: [{ name: A, approvers: { manager: requester } }] }',
  'policy: owner\nmatch: { tool: owner }\nrequire: { stages: [{ name: A, approvers: { owner: server } }] }',
  'policy: admin\nmatch: { tool: admin }\nrequire: { stages: [{ name: A, approvers: { role: admin } }] }',
  'policy: stages\nmatch: { tool: stages }\nrequire: { stages: [{ name: A, approvers: anyone }, { name: B, approvers: { group: security } }] }',
  'policy: seats\nmatch: { tool: seats }\nrequire: { stages: [{ name: A, groups: [{ name: F, approvers: { group: finance } }, { name: S, approvers: { group: security } }] }] }',
];

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey('bank'));
await openBrowser(server, 'admin');
const rita = await openBrowser(server);
const people: Browser[] = [];
for (let count = 0; count < 5; count += 1) people.push(await openBrowser(server));
const { engine } = server;
const groups: { finance: GroupId; security: GroupId } = {
  finance: await addGroup(engine, 'operator', { name: 'finance' }),
  security: await addGroup(engine, 'operator', { name: 'security' }),
};
const serverId = (await engine.directory.read()).servers.find(({ name }) => name === 'bank')?.id as ServerId;
const add = people.map(({ user }) => user.id);
for (const id of Object.values(groups)) await changeMembers(engine, 'operator', id, { add });
await make({ kind: 'manager', who: 0 });
await make({ kind: 'owner', who: 1 });
await make({ kind: 'role', who: 2, role: 'admin' });
await publish(server, ...policies);

const person = fc.nat({ max: 4 });
const change = fc.oneof(
  fc.record({
    kind: fc.constant('role' as const),
    who: person,
    role: fc.constantFrom(...builtInRoles, 'approver', 'admin'),
  }),
  fc.record({
    kind: fc.constant('disabled' as const),
    who: person,
    is: fc.nat({ max: 3 }).map((index) => index === 0),
  }),
  fc.record({ kind: fc.constant('known' as const), who: person, is: fc.nat({ max: 3 }).map((index) => index === 0) }),
  fc.record({
    kind: fc.constant('member' as const),
    who: person,
    group: fc.constantFrom('finance' as const, 'security' as const),
    is: fc.nat({ max: 2 }).map((index) => index > 0),
  }),
  fc.record({ kind: fc.constant('manager' as const), who: person }),
  fc.record({ kind: fc.constant('owner' as const), who: person }),
  fc.record({
    kind: fc.constant('deny' as const),
    tool: fc.constantFrom(...Object.keys(stagesOf)),
    is: fc.nat({ max: 2 }).map((index) => index === 0),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

async function make(changed: Change): Promise<void> {
  const { engine } = server;
  if (changed.kind === 'deny') {
    if (changed.is === denied.has(changed.tool)) return;
    const rule = changed.is ? 'deny: { reason: No. }' : 'retire: { reason: Yes. }';
    await publish(server, `policy: deny-${changed.tool}\nmatch: { tool: ${changed.tool} }\n${rule}`);
    denied[changed.is ? 'add' : 'delete'](changed.tool);
    return;
  }
  const { id } = (people[changed.who] as Browser).user;
  switch (changed.kind) {
    case 'role':
      return void (await changeUser(engine, 'operator', id, { role: changed.role }));
    case 'disabled':
      return void (await changeUser(engine, 'operator', id, { disabled: changed.is }));
    case 'known': {
      // Of two with this name, neither could have it: so it goes from one to the other.
      const { users } = await engine.directory.read();
      const subjects = ['rita-at-work'];
      for (const user of users.filter((user) => user.id !== id && user.subjects.length > 0))
        await changeUser(engine, 'operator', user.id, { subjects: [] });
      return void (await changeUser(engine, 'operator', id, { subjects: changed.is ? subjects : [] }));
    }
    case 'member':
      return void (await changeMembers(engine, 'operator', groups[changed.group], {
        [changed.is ? 'add' : 'remove']: [id],
      }));
    case 'manager':
      return void (await changeUser(engine, 'operator', rita.user.id, { managerId: id }));
    case 'owner':
      return void (await setOwner(engine, 'operator', serverId, id));
  }
}

const isAble = ({ role, disabledAt }: UserRecord): boolean =>
  (role === 'admin' || role === 'approver') && disabledAt === null;

/** May this person take this seat, in this house? */
function mayTake(house: DirectoryRecord, seat: Seat, id: string, subject: string): boolean {
  const user = house.users.find((user) => user.id === id);
  if (!user || !isAble(user)) return false;
  if (user.email === subject || user.subjects.includes(subject)) return false;
  const isRequester = (record: UserRecord) => record.email === subject || record.subjects.includes(subject);
  switch (seat) {
    case 'anyone':
      return true;
    case 'admin':
      return user.role === 'admin';
    case 'finance':
    case 'security':
      return house.groups.some(({ name, members }) => name === seat && members.includes(user.id));
    case 'manager':
      return house.users.some(
        (record) => isRequester(record) && record.disabledAt === null && record.managerId === user.id,
      );
    case 'owner':
      return house.servers.some(({ name, ownerId }) => name === 'bank' && ownerId === user.id);
  }
}

/** Can these people take all of these seats, each at most one? Every way is tried. */
function fill(seats: Seat[], voters: string[], may: (seat: Seat, id: string) => boolean): boolean {
  const [seat, ...others] = seats;
  if (seat === undefined) return true;
  return voters.some(
    (voter) =>
      may(seat, voter) &&
      fill(
        others,
        voters.filter((name) => name !== voter),
        may,
      ),
  );
}

const plan = fc.record({
  tool: fc.constantFrom(...Object.keys(stagesOf)),
  isKnownAtWork: fc.boolean(),
  before: fc.array(change, { maxLength: 2 }),
  votes: fc.array(fc.record({ by: person, next: fc.option(change, { freq: 3 }) }), { minLength: 3, maxLength: 5 }),
  after: fc.array(change, { minLength: 1, maxLength: 4 }),
});

test('300 changes of people, groups, roles and policies between opening, votes and claim: a second, naive rule agrees', async () => {
  const visible = { claimed: 0, lapsed: 0, changes: 0 };
  await fc.assert(
    fc.asyncProperty(plan, async ({ tool, isKnownAtWork, before, votes, after }) => {
      const { engine } = server;
      for (const item of before) await make(item);
      const subject = isKnownAtWork ? 'rita-at-work' : rita.user.email;
      const requester = { subject, verified: true };
      const opened = await asking.open({ tool: { name: tool }, requester }).catch(() => null);
      const start = await engine.directory.read();
      if (opened?.status !== 'open') return; // denied, or no one could decide it
      for (const { by, next } of votes) {
        const { user } = people[by] as Browser;
        const vote = { action: 'accept', content: {}, digest: opened.digest } as const;
        await castVote(engine, user, opened.id as ElicitationId, vote).catch(() => null);
        if (next) await make(next);
      }
      for (const item of after) await make(item);
      const row = await engine.reader.elicitation(opened.id as ElicitationId);
      if (row?.status !== 'accepted') return;
      const house = await engine.directory.read();
      const voters = (stage: number) =>
        row.state.context.votes.filter((vote) => vote.stage === stage).map(({ by }) => by);
      const stands = (stagesOf[tool] ?? []).every((seats, stage) =>
        fill(
          seats,
          voters(stage),
          // A seat of the first stage is for those who were asked when it started, unless anyone is.
          (seat, id) =>
            mayTake(house, seat, id, subject) && (stage > 0 || seat === 'anyone' || mayTake(start, seat, id, subject)),
        ),
      );
      const claim = await asking.claim(opened.toolCall, 'run', { tool: { name: tool }, requester });
      expect([claim.ok, tool]).toEqual([stands && !denied.has(tool), tool]);
      visible[claim.ok ? 'claimed' : 'lapsed'] += 1;
      visible.changes += votes.filter(({ next }) => next !== null).length + after.length;
    }),
    { numRuns: runs(900), endOnFailure: true, seed: 1 },
  );
  // Most requests are decided by then, and both answers are seen.
  expect(visible.claimed).toBeGreaterThan(runs(100));
  expect(visible.lapsed).toBeGreaterThan(runs(20));
  expect(visible.changes).toBeGreaterThanOrEqual(runs(300));
});
