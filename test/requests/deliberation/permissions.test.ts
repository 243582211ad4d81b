import { afterAll, expect, test } from '@jest/globals';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { delegate } from '#people/delegations/verbs';
import type { Role } from '#people/directory/contract/permission';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { setUser } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { openStaged } from '../../support/requests/staged.ts';
import { stageOf } from '../../support/requests/stages.ts';
import { json } from '../../support/json.ts';
import { drawn } from '../../support/runs.ts';

const clock = 1_800_000_000_000;
const minute = 60_000;

const names = [
  'member',
  'voter',
  'away',
  'deputy',
  'outsider',
  'administrator',
  'reviewer',
  'asker',
  'kept out',
] as const;
type Name = (typeof names)[number];
const roles: Partial<Record<Name, Role>> = {
  administrator: 'admin',
  asker: 'admin',
  reviewer: 'reviewer',
};

const server = await startTestServer({ now: () => clock });
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const entries: [string, Browser][] = [];
for (const name of names) entries.push([name, await openBrowser(server, roles[name], 'password')]);
const users = Object.fromEntries(entries) as Record<Name, Browser>;
const { asker, outsider, away, deputy } = users;
await setUser(server, asker, { subjects: ['asker-at-work'], mayBreakGlass: true });
await setUser(server, outsider, { mayBreakGlass: true });
await delegate(server.engine, away.user, { toId: deputy.user.id, endsAt: clock + 60 * minute });

const idsOf = (...some: Name[]) => some.map((name) => users[name].user.id);
const act = (browser: Browser, id: string, verb: string, body: object = {}) =>
  browser.call('POST', `/api/elicitations/${id}/${verb}`, body);

/** Asks; the requester becomes known only now, when the stage already has them. */
async function ask(parts: Partial<Parameters<typeof openStaged>[2]> = {}): Promise<string> {
  const stage = stageOf({
    approve: 2,
    approvers: idsOf('member', 'voter', 'away', 'asker', 'kept out'),
    excluded: idsOf('kept out'),
  });
  const terms = { editable: { amount: { type: 'integer' } }, notBefore: true };
  const requester = {
    requester: { subject: 'asker-at-work', verified: true },
    arguments: { amount: 0 },
    ttl: 60 * minute,
  };
  const { id, digest } = await openStaged(server, asking, { stages: [stage], terms, parts: requester, ...parts });
  if (parts.audience !== 'requester') await act(users.voter, id, 'vote', { action: 'accept', content: {}, digest });
  return id;
}

const digestOf = async (id: string) => (await users.member.show(id)).digest;
const situations: Record<string, () => Promise<string>> = {
  collects: ask,
  'has been asked about': async () => {
    const id = await ask();
    await act(users.member, id, 'inquiry', { digest: await digestOf(id), message: 'Why?' });
    await act(users.member, id, 'watch', { held: true });
    return id;
  },
  'waits for its start': async () => {
    const id = await ask({ notBefore: clock + minute });
    await users.member.vote({ id, digest: await digestOf(id) });
    return id;
  },
  'is the requester’s to answer': () => ask({ audience: 'requester', stages: [] }),
  'was approved and waits to be run': async () => {
    const id = await ask();
    await act(users.member, id, 'vote', { digest: await digestOf(id), action: 'accept', content: {} });
    return id;
  },
  'was approved past its policy': async () => {
    const id = await ask();
    const reason = 'The pager says production is down.';
    await act(users.outsider, id, 'break-glass', { digest: await digestOf(id), reason, content: {} });
    return id;
  },
};

/** Enough of them where the stage does not tell them apart. */
const watching = ['outsider', 'administrator', 'reviewer', 'asker'] as const;
const some = ['member', ...watching] as const;
const all = ['voter', 'kept out', ...some] as const;
const whoSees = (name: string) => ({ collects: all, 'is the requester’s to answer': watching })[name] ?? some;
const isNear = (who: Name): boolean => ['member', 'voter', 'kept out', 'asker'].includes(who);

type Can = keyof ElicitationDetail['can'];
const verbs: Record<Can, (browser: Browser, id: string, digest: string) => Promise<Response>> = {
  vote: (browser, id, digest) => act(browser, id, 'vote', { action: 'accept', content: {}, digest }),
  cancel: (browser, id, digest) => act(browser, id, 'cancel', { digest }),
  extend: (browser, id, digest) => act(browser, id, 'extend', { digest, by: minute }),
  withdrawVote: (browser, id) => browser.call('POST', `/api/elicitations/${id}/withdraw-vote`),
  revoke: (browser, id, digest) => act(browser, id, 'revoke', { digest }),
  edit: (browser, id, digest) => act(browser, id, 'edit', { digest, arguments: { amount: 7 } }),
  addApprover: (browser, id, digest) => act(browser, id, 'approvers', { digest, user: users.outsider.user.id }),
  watch: (browser, id) => act(browser, id, 'watch', { held: true }),
  comment: (browser, id) => act(browser, id, 'comments', { text: 'Well.' }),
  inquire: (browser, id, digest) => act(browser, id, 'inquiry', { digest, message: 'Which?' }),
  postpone: (browser, id, digest) => act(browser, id, 'postpone', { digest, notBefore: clock + 5 * minute }),
  breakGlass: (browser, id, digest) =>
    act(browser, id, 'break-glass', { digest, reason: 'The pager says production is down.', content: {} }),
  reviewBreakGlass: (browser, id) => act(browser, id, 'break-glass/review', { isJustified: true, finding: 'It was.' }),
  reviewLookBack: (browser, id) => act(browser, id, 'look-back/review', { shouldHaveAsked: false }),
};

test.each(Object.keys(situations))(
  'what the page of a request that %s lets people do, its verbs take',
  async (name) => {
    const visited = new Set<boolean>();
    let id = await situations[name]!();
    const openAs = (who: Name): Promise<ElicitationDetail> => (isNear(who) ? users[who].show(id) : users[who].look(id));
    const cases: { who: Name; verb: Can; isAllowed: boolean }[] = [];
    for (const who of whoSees(name)) {
      const { can } = await openAs(who);
      for (const verb of Object.keys(verbs) as Can[]) cases.push({ who, verb, isAllowed: can[verb].allowed });
    }
    // Each verb by someone who may and by someone who may not, and each person.
    const tried = drawn(name, cases, {
      values: ({ who, verb, isAllowed }) => [who, `${verb} ${String(isAllowed)}`],
    });
    for (const who of whoSees(name)) {
      const open = () => openAs(who);
      let { can, digest } = await open();
      for (const { verb } of tried.filter((item) => item.who === who)) {
        const call = verbs[verb];
        const { allowed, refusal: objection } = can[verb];
        const response = await call(users[who], id, digest);
        const { code, refusal } = await json<Partial<ProblemDocument>>(response);
        const isSaid = allowed || refusal?.code === objection || code === 'already-closed';
        expect([who, verb, response.ok, objection, refusal, isSaid]).toEqual([
          who,
          verb,
          allowed,
          objection,
          refusal,
          true,
        ]);
        visited.add(allowed);
        if (!response.ok) continue;
        id = await situations[name]!();
        ({ can, digest } = await open());
      }
    }
    expect(visited.size).toBe(2);
  },
);

test.each<[Name, boolean]>([
  ['member', true],
  ['voter', true],
  ['deputy', true],
  ['administrator', true],
  ['outsider', false],
  ['reviewer', false],
  ['asker', false],
  ['kept out', false],
])(
  'the deadline is moved by people who may vote in the stage and by administrators: %s, %j',
  async (name, isAllowed) => {
    const id = await ask();
    const { digest, deadlineAt } = await (isNear(name) || name === 'deputy'
      ? users[name].show(id)
      : users[name].look(id));
    const response = await verbs.extend(users[name], id, digest);
    expect([response.ok, (await users.member.show(id)).deadlineAt]).toEqual([
      isAllowed,
      deadlineAt + (isAllowed ? minute : 0),
    ]);
  },
);

test('the page does not offer to extend a request that has its longest deadline', async () => {
  const id = await ask({ deadlineAt: clock + 30 * 86_400_000 });
  expect((await users.member.show(id)).can.extend.allowed).toBe(false);
});
