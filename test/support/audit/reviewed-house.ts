import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { GrantList } from '#requests/grants/contract';
import type { PolicyDetail } from '#policies/contract/documents';
import { newId } from '#platform/crypto/random';
import { eraseContent } from '#keeping/content/verbs/erase';
import { endDelivery } from '#notify/verbs/deliveries';
import { takeDueTimers } from '#requests/state/verbs/end';
import { placeHold, releaseHold } from '#keeping/content/verbs/place-hold';
import { addGroup, changeMembers } from '#people/groups/verbs';
import { delegate } from '#people/delegations/verbs';
import { changeUser } from '#people/users/verbs';
import type { ElicitationId, GroupId, UserId } from '#platform/model/id';
import { askingAt, type Asking } from '../nodes/asking.ts';
import { drawFrom } from '../draw.ts';
import { publish } from '../requests/policies.ts';
import { signIn, startTestServer, type TestServer, type TestUser } from '../nodes/server.ts';
import { json } from '../json.ts';

/** What a reviewer is asked about: some hours of requests, drawn from a seed, under a clock of their own. */
export interface ReviewedHouse {
  server: TestServer;
  people: Record<'ada' | 'bob' | 'eve' | 'chief' | 'second' | 'reviewer', TestUser>;
  /** From before the first request until after the last. */
  from: number;
  readonly to: number;
  /** Lets so many milliseconds go by. */
  goBy(milliseconds: number): void;
}

/** 20:00 in Berlin: the evening's requests are followed by some of the night. */
const start = Date.parse('2026-08-03T18:00:00Z');
const documents = [
  `policy: refunds
match: { tool: refund }
require:
  stages: [{ name: Finance, approvers: { group: finance } }]`,
  `policy: deployments
match: { tool: deploy }
require:
  editable: { amount: { type: number } }
  stages: [{ name: One, approvers: anyone }]`,
  `policy: reading
match: { tool: read_balance }
allow: { ceiling: low }`,
  `policy: payouts
match: { tool: refund }
when: has(request.args.twice)
priority: 5
require:
  stages: [{ name: Two, approve: 2, approvers: anyone }, { name: Last, approvers: { group: finance } }]`,
  `policy: else-the-administrator
match: { tool: refund }
when: has(request.args.escalates)
priority: 6
require:
  stages: [{ name: Two, approve: 2, approvers: anyone, escalate: { after: 10m, replace: { role: admin }, approve: 1 } }]`,
  `policy: granting
match: { tool: resize }
require:
  stages: [{ name: One, approvers: anyone }]
  grant: { longest: 8h, budget: { argument: amount, total: 100000 } }`,
];

/** At least this many requests, some of each kind. */
export async function openReviewedHouse(count: number): Promise<ReviewedHouse> {
  let clock = start;
  const server = await startTestServer({ now: () => clock });
  const draw = drawFrom(7);
  const pass = (most: number): void => void (clock += 1 + Math.floor(draw() * most));
  const people = await addPeople(server);
  await publish(server, ...documents);
  pass(60_000);
  const askings = await Promise.all(
    ['payments', 'infra'].map(async (name) => askingAt(server.url, await server.newServerKey(name))),
  );
  const acts = actsOf({ server, people, pass, goBy: (milliseconds) => void (clock += milliseconds), draw });
  await acts.giveGrant(askings[0]!);
  const size = 20;
  for (let done = 0; done < count; done += size) {
    pass(20_000);
    const kind = acts.kinds[Math.floor(draw() * acts.kinds.length)]!;
    await kind(askings[Math.floor(draw() * 2)]!, size);
  }
  for (const kind of acts.rare) await kind(askings[0]!, 2);
  for (const who of Object.keys(people) as (keyof typeof people)[]) people[who] = await signIn(server.url, people[who]);
  await changePolicy(people, pass);
  await changeUser(server.engine, 'operator', people.eve.id as UserId, { disabled: true });
  await keep(server, askings[1]!, people.ada.id);
  await server.verifyLog({ keys: [], kept: [] });
  pass(1000);
  return {
    server,
    people,
    from: start,
    get to() {
      return clock;
    },
    goBy: (milliseconds) => void (clock += milliseconds),
  };
}

async function addPeople(server: TestServer): Promise<ReviewedHouse['people']> {
  const ada = await server.newUser();
  const bob = await server.newUser();
  const eve = await server.newUser();
  const [chief, second] = [await server.newUser('admin'), await server.newUser('admin')];
  const reviewer = await server.newUser('reviewer');
  const finance: GroupId = await addGroup(server.engine, 'operator', { name: 'finance' });
  await changeMembers(server.engine, 'operator', finance, { add: [ada.id, bob.id, eve.id] as UserId[] });
  await changeMembers(server.engine, 'operator', finance, { remove: [eve.id as UserId] });
  await changeUser(server.engine, 'operator', bob.id as UserId, { mayBreakGlass: true });
  return { ada, bob, eve, chief, second, reviewer };
}

interface Acting {
  server: TestServer;
  people: ReviewedHouse['people'];
  pass: (most: number) => void;
  goBy: (milliseconds: number) => void;
  draw: () => number;
}

/** A node that has more to do than it can turns openings away. */
const atATime = 25;

type Act = (asking: Asking, size: number) => Promise<void>;

function actsOf({ server, people, pass, goBy, draw }: Acting): {
  kinds: Act[];
  rare: Act[];
  giveGrant: (asking: Asking) => Promise<void>;
} {
  const { ada, bob } = people;
  const openSome = async (asking: Asking, size: number, tool: string, parts = {}): Promise<OpenedElicitation[]> => {
    const opened: OpenedElicitation[] = [];
    while (opened.length < size) {
      const next = Array.from({ length: Math.min(atATime, size - opened.length) });
      opened.push(...(await Promise.all(next.map(() => asking.open({ tool: { name: tool }, ...parts })))));
    }
    return opened;
  };
  const decided =
    (tool: string): Act =>
    async (asking, size) => {
      const opened = await openSome(asking, size, tool);
      pass(60_000);
      const by = await signIn(server.url, draw() < 0.5 ? ada : bob);
      const shown = await Promise.all(opened.map(({ id }) => by.show(id)));
      pass(9_000);
      const action = draw() < 0.7 ? 'accept' : 'decline';
      const more = action === 'accept' ? { content: {} } : { comment: 'Not this one.' };
      await must(
        shown.map(({ id, digest }) => by.call('POST', `/api/elicitations/${id}/vote`, { action, digest, ...more })),
      );
    };
  const automatic: Act = async (asking, size) =>
    void (await openSome(asking, size, 'read_balance', {
      tool: { name: 'read_balance', annotations: { readOnlyHint: true } },
    }));
  const granted: Act = async (asking, size) =>
    void (await openSome(asking, size, 'resize', { requester: alice, arguments: { amount: 1 } }));
  const edited: Act = async (asking, size) => {
    const [editor, by] = [await signIn(server.url, ada), await signIn(server.url, bob)];
    for (const { id } of await openSome(asking, size, 'deploy')) {
      const { digest } = await editor.show(id);
      const answer = await editor.call('POST', `/api/elicitations/${id}/edit`, { digest, arguments: { amount: 50 } });
      const after = await json<{ digest: string }>(answer);
      await must([
        by.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest: after.digest }),
      ]);
    }
  };
  const overridden: Act = async (asking, size) => {
    const [fresh, chief] = [await signIn(server.url, people.bob), await signIn(server.url, people.chief)];
    for (const [at, { id, digest }] of (await openSome(asking, size, 'deploy')).entries()) {
      const body = { digest, reason: 'Production is down, says the pager.', content: {} };
      await must([fresh.call('POST', `/api/elicitations/${id}/break-glass`, body)]);
      pass(60_000);
      const finding = { isJustified: true, finding: 'It was down.' };
      if (at > 0) await must([chief.call('POST', `/api/elicitations/${id}/break-glass/review`, finding)]);
    }
  };
  const looked: Act = async (asking, size) => {
    const chief = await signIn(server.url, people.chief);
    for (const { id } of await openSome(asking, size, 'refund')) {
      await must([chief.call('POST', `/api/elicitations/${id}/look`, { reason: 'The yearly audit.' })]);
      await chief.show(id);
    }
  };
  /** Two stages: a vote that is withdrawn, one for someone absent, and two that count. */
  const twice: Act = async (asking, size) => {
    const [first, deputy, chief] = await Promise.all([ada, bob, people.chief].map((who) => signIn(server.url, who)));
    const until = { toId: bob.id as UserId, endsAt: server.engine.now() + 3_600_000 };
    const { id: eve, name, email } = people.eve;
    await delegate(server.engine, { kind: 'user', id: eve as UserId, name, email, role: 'approver' }, until);
    for (const { id, digest } of await openSome(asking, size, 'refund', { arguments: { twice: true } })) {
      const vote = { action: 'accept', content: {}, digest };
      const on = (verb: string, by: TestUser | undefined, body: object) =>
        must([by!.call('POST', `/api/elicitations/${id}/${verb}`, body)]);
      await on('vote', first, vote);
      pass(1000);
      await on('withdraw-vote', first, { digest });
      pass(1000);
      await on('vote', deputy, { ...vote, for: eve });
      pass(1000);
      await on('vote', chief, vote);
      pass(1000);
      await on('vote', first, vote);
    }
  };
  /** A vote that no longer counts when its stage begins again. */
  const escalated: Act = async (asking, size) => {
    const [first, chief] = await Promise.all([ada, people.chief].map((who) => signIn(server.url, who)));
    const opened = await openSome(asking, size, 'refund', { arguments: { escalates: true } });
    const voteAs = (by: TestUser | undefined) =>
      must(
        opened.map(({ id, digest }) =>
          by!.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest }),
        ),
      );
    await voteAs(first);
    goBy(660_000);
    await takeDueTimers(server.engine);
    await voteAs(chief);
  };
  /** No one answers it in time. */
  const lapsed: Act = async (asking, size) => {
    await openSome(asking, size, 'deploy', { requester: nightly, ttl: 60_000 });
    goBy(61_000);
    await takeDueTimers(server.engine);
  };
  /** 22:00 in Berlin. */
  const untilNight: Act = async () => goBy(Date.parse('2026-08-03T20:00:00Z') - server.engine.now());
  /** Approved, and revoked before it ran. */
  const revoked: Act = async (asking, size) => {
    const by = await signIn(server.url, ada);
    for (const { id, digest } of await openSome(asking, size, 'deploy', { requester: nightly })) {
      await must([by.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest })]);
      await must([by.call('POST', `/api/elicitations/${id}/revoke`, { digest })]);
    }
  };
  const byOwnKey: Act = async (_, size) => {
    const chief = await signIn(server.url, people.chief);
    const { key } = await json<{ key: string }>(chief.call('POST', '/api/keys', { server: 'own' }));
    for (const { id, digest } of await openSome(askingAt(server.url, key), size, 'deploy'))
      await must([chief.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest })]);
  };
  return {
    kinds: [decided('refund'), decided('refund'), decided('deploy'), decided('deploy'), automatic, granted],
    rare: [edited, overridden, looked, twice, escalated, lapsed, untilNight, lapsed, revoked, byOwnKey],
    async giveGrant(asking) {
      const { id, digest } = await asking.open({
        tool: { name: 'resize' },
        requester: alice,
        arguments: { amount: 1 },
      });
      const vote = { action: 'accept', digest, content: {}, allowFor: 8 * 3_600_000 };
      await must([ada.call('POST', `/api/elicitations/${id}/vote`, vote)]);
      const { grants } = await json<GrantList>(ada.call('GET', '/api/grants'));
      if (grants.length !== 1) throw new TypeError('there is no standing approval');
    },
  };
}

const alice = { subject: 'alice', verified: true };
const nightly = { subject: 'nina', verified: true, client: { name: 'Night agent' } };

/** The content of a finished call is erased, one hold was released and one is in force, and of two mails one arrived. */
async function keep({ engine }: TestServer, asking: Asking, reader: string): Promise<void> {
  const tool = { name: 'read_balance', annotations: { readOnlyHint: true } };
  const { id, toolCall } = await asking.open({ tool });
  const done = { attempt: 'a', delivered: true };
  await must([asking.claim(toolCall, 'a', { tool })]);
  await must([asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, done)]);
  await eraseContent(engine, 'operator', { request: id as ElicitationId, of: 'request', ground: 'mistake' });
  const hold = { scope: 'everything', request: null, server: null, reason: 'Case 2026-14' } as const;
  await releaseHold(engine, 'operator', (await placeHold(engine, 'operator', hold)).id);
  await placeHold(engine, 'operator', { ...hold, scope: 'server', server: 'payments' });
  const tell = () => engine.notifications.addTest(newId('notification'), 'email', reader, engine.now());
  await tell();
  const [mail] = await engine.notifications.take({ channel: 'email' }, engine.now(), engine.now() + 60_000, 1);
  if (mail) await endDelivery(engine, mail);
  await tell();
}

/** One administrator writes a version, another approves it. */
async function changePolicy({ chief, second }: ReviewedHouse['people'], pass: Acting['pass']): Promise<void> {
  const document = `${documents[0]}\n  deadline: 2h\n`;
  const drafted = await json<PolicyDetail>(chief.call('POST', '/api/policies', { document }));
  const on = (by: TestUser, verb: string, body?: unknown) =>
    must([by.call('POST', `/api/policies/refunds/versions/${drafted.version}/${verb}`, body)]);
  await on(chief, 'submit');
  pass(60_000);
  await on(second, 'review', { verdict: 'approve', digest: drafted.digest, note: 'fine' });
  await on(chief, 'publish');
}

/** Each step must have been taken. */
async function must(answers: Promise<Response>[]): Promise<void> {
  for (const answer of await Promise.all(answers))
    if (!answer.ok) throw new TypeError(`${answer.url}: ${answer.status} ${await answer.text()}`);
}
