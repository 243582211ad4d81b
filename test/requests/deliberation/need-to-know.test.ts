import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Inbox } from '#requests/inbox/contract/inbox';
import type { Comparison, SignalList } from '#requests/inbox/contract/signal';
import type { HistoryRow } from '#requests/inbox/contract/history';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { newId } from '#platform/crypto/random';
import { setOwner } from '#people/groups/verbs';
import { delegate } from '#people/delegations/verbs';
import type { UserId } from '#platform/model/id';
import type { Role } from '#people/directory/contract/permission';
import type { Stage } from '#requests/voting/contract/stages';
import { builtInName } from '#policies/document/rules/verdict';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { readEvents } from '../../support/nodes/event-source.ts';
import { newGroup, publish, setUser } from '../../support/requests/policies.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { openStaged } from '../../support/requests/staged.ts';
import { stageOf } from '../../support/requests/stages.ts';
import { json } from '../../support/json.ts';

const names = [
  'ada',
  'bob',
  'deputy',
  'stranger',
  'breaker',
  'owner',
  'asker',
  'administrator',
  'reviewer',
  'demoted',
] as const;
type Name = (typeof names)[number];
const absent = newId('elicitation');
const clock = 1_800_000_000_000;
let now = clock;

const server = await startTestServer({ now: () => now });
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const roles: Partial<Record<Name, Role>> = { administrator: 'admin', reviewer: 'reviewer', demoted: 'reviewer' };
const opened: [string, Browser][] = [];
for (const name of names) opened.push([name, await openBrowser(server, roles[name])]);
const users = Object.fromEntries(opened) as Record<Name, Browser>;
await setUser(server, users.asker, { subjects: ['asker-at-work'] });
await setUser(server, users.breaker, { mayBreakGlass: true });
const { servers } = await server.engine.directory.read();
await setOwner(server.engine, 'operator', servers[0]!.id, users.owner.user.id);
const lasting = { toId: users.deputy.user.id, endsAt: clock + 86_400_000 };
await delegate(server.engine, users.ada.user, { ...lasting, policies: [builtInName] });

const idOf = (name: Name): UserId => users[name].user.id;
const page = (name: Name, id: string) => users[name].call('GET', `/api/elicitations/${id}`);

/** Everything of an answer but the number of its occurrence. */
async function bodyOf(response: Response) {
  const { errorId: _own, requestId: _request, ...problem } = await json<ProblemDocument>(response);
  return { status: response.status, problem };
}

async function listed(name: Name, view: 'all' | 'done', filter = '') {
  const response = await users[name].call('GET', `/api/elicitations?view=${view}&limit=100${filter}`);
  return await json<Inbox>(response);
}

/** A request as the test knows it: whom its stages name, and who has done what. */
interface Case {
  id: string;
  named: Name[] | 'anyone';
  voted: Name[];
  isVerified: boolean;
  isPrivate: boolean;
}

type Plan = Omit<Case, 'id'> & { stages: Stage[] };

const plan = (named: Case['named'], parts: Partial<Plan> = {}): Plan => ({
  named,
  voted: [],
  isVerified: true,
  isPrivate: false,
  stages: [stageOf({ approve: 2, approvers: named === 'anyone' ? named : named.map(idOf) })],
  ...parts,
});

const plans = (): Plan[] => [
  plan('anyone'),
  plan(['ada']),
  plan(['bob']),
  plan(['ada', 'demoted', 'administrator']),
  plan(['bob', 'reviewer'], { isVerified: false }),
  plan(['stranger', 'ada'], {
    stages: [stageOf({ approve: 2, approvers: [idOf('stranger')] }), stageOf({ approvers: [idOf('ada')] })],
  }),
  plan(['bob', 'stranger'], { voted: ['bob'] }),
  plan([], { isPrivate: true, stages: [] }),
  plan([], { isPrivate: true, stages: [], isVerified: false }),
];

async function open({ stages, ...existing }: Plan): Promise<Case> {
  const requester = { subject: 'asker-at-work', verified: existing.isVerified };
  const schema = { type: 'object', properties: { illness: { type: 'string' } } };
  const { id, digest } = existing.isPrivate
    ? await asking.open({ requester, schema, audience: 'requester' })
    : await openStaged(server, asking, { stages, parts: { requester, schema } });
  const vote = { action: 'accept', content: {}, digest };
  for (const name of existing.voted) await users[name].call('POST', `/api/elicitations/${id}/vote`, vote);
  return { id, ...existing };
}

/** The rule a second time, from what the test did instead of what is stored. */
function mayRead(name: Name, { named, voted, isVerified }: Case): boolean {
  const votes = !['reviewer', 'demoted'].includes(name);
  const isNamed = named === 'anyone' || named.includes(name) || (name === 'deputy' && named.includes('ada'));
  return (votes && isNamed) || voted.includes(name) || name === 'owner' || (name === 'asker' && isVerified);
}
const isWatching = (name: Name): boolean => ['breaker', 'administrator', 'reviewer', 'demoted'].includes(name);

describe('need to know', () => {
  let cases: Case[];
  beforeAll(async () => {
    cases = [];
    for (const plan of plans()) cases.push(await open(plan));
  });

  test.each(names)('the page, its receipt and the list agree with a second rule for %s', async (name) => {
    const { items } = await listed(name, 'all');
    const ofAsker = (await listed(name, 'all', '&requester=Asker-at-work')).items.map(({ id }) => id);
    for (const [at, request] of cases.entries()) {
      const reads = mayRead(name, request);
      const expected = reads ? 200 : isWatching(name) ? 403 : 404;
      const receipt = await users[name].call('GET', `/api/elicitations/${request.id}/receipt`);
      const item = items.find(({ id }) => id === request.id);
      // Who asked finds the request by its address.
      const lists = (reads && (name !== 'asker' || request.named === 'anyone')) || isWatching(name);
      expect([at, (await page(name, request.id)).status, receipt.status]).toEqual([
        at,
        expected,
        expected === 404 ? 404 : 409,
      ]);
      expect([at, ofAsker.some((id) => id === request.id)]).toEqual([at, lists && reads]);
      expect([at, item !== undefined, typeof item?.message]).toEqual([
        at,
        lists,
        lists ? (reads ? 'string' : 'object') : 'undefined',
      ]);
    }
  });

  test('a hidden request answers every verb as an absent one', async () => {
    const { id } = cases[2]!;
    const digest = (await users.bob.show(id)).digest;
    const verbs: [string, string, object?][] = [
      ['GET', ''],
      ['GET', '/receipt'],
      ['POST', '/vote', { action: 'accept', content: {}, digest }],
      ['POST', '/vote', { action: 'decline', digest: digest.replace(/.$/, 'x') }],
      ['POST', '/cancel', { digest }],
      ['POST', '/extend', { digest, by: 60_000 }],
      ['POST', '/comments', { text: 'Well.' }],
      ['POST', '/inquiry', { digest, message: 'Which?' }],
      ['POST', '/watch', { held: true }],
      ['POST', '/look', { reason: 'I am only curious.' }],
      ['POST', '/withdraw-vote'],
    ];
    for (const [method, path, body] of verbs) {
      const hidden = await bodyOf(await users.stranger.call(method, `/api/elicitations/${id}${path}`, body));
      const missing = await bodyOf(await users.stranger.call(method, `/api/elicitations/${absent}${path}`, body));
      expect([path, hidden]).toEqual([path, missing]);
    }
    const together = {
      action: 'decline',
      comment: 'No.',
      items: [
        { id, digest },
        { id: absent, digest },
      ],
    };
    const bulk = await json<{
      results: object[];
    }>(users.stranger.call('POST', '/api/elicitations/votes', together));
    const [hidden, missing] = bulk.results;
    expect({ ...hidden, id: absent }).toEqual(missing);
    expect((await users.bob.show(id)).remarks).toEqual([]);
  });

  test('a reviewer can read for an hour after giving a reason, and the log records it', async () => {
    const { id } = await open(plan(['bob']));
    expect((await bodyOf(await page('reviewer', id))).problem.code).toBe('reason-needed');
    expect((await users.reviewer.look(id)).message).toBe('Transfer the money?');
    expect((await page('reviewer', id)).status).toBe(200);
    const item = (await listed('reviewer', 'all')).items.find((item) => item.id === id);
    expect(item?.message).toBe('Transfer the money?');
    const ofAsker = async () =>
      (await listed('reviewer', 'all', '&requester=asker-at-work')).items.map((item) => item.id);
    expect(await ofAsker()).toContain(id);
    expect((await users.bob.show(id)).timeline.map(({ event }) => event.type)).toContain('access.looked');
    for (const later of [20, 40]) {
      now = clock + later * 60_000;
      expect((await page('reviewer', id)).status).toBe(200);
    }
    now = clock + 3_600_000;
    expect((await bodyOf(await page('reviewer', id))).problem.code).toBe('reason-needed');
    expect(await ofAsker()).not.toContain(id);
    now = clock;
  });

  test('a requester is found by the whole name alone, of each issuer that the directory names for it', async () => {
    const issuer = 'https://login.example.com';
    await setUser(server, users.stranger, { subjects: [`${issuer}#Ruth-7`] });
    const ask = (requester: object) =>
      asking.open({ requester: { ...requester, verified: true }, audience: 'approvers' });
    const [{ id }, other] = [await ask({ issuer, subject: 'Ruth-7' }), await ask({ issuer, subject: 'Paul' })];
    const ofAsker = async (text: string) =>
      (await listed('bob', 'all', `&requester=${encodeURIComponent(text)}`)).items.map((item) => item.id);
    expect(await Promise.all(['Ruth-7', ` ${issuer}#Ruth-7 `].map(ofAsker))).toEqual([[id], [id]]);
    expect(await ofAsker(`${issuer}#Paul`)).toEqual([other.id]);
    expect(await Promise.all(['Ruth', 'Paul', `${issuer}#ruth-7`, 'ruth-7@example.com'].map(ofAsker))).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  test('an export of the history has all of its pages, no formula, and only content that its reader may see', async () => {
    const tool = { name: 'exported' };
    const ids: string[] = [];
    for (let count = 0; count < 102; count += 1) {
      const { id, digest } = await openStaged(server, asking, {
        stages: [stageOf({ approvers: [idOf('bob')] })],
        parts: { tool, arguments: { count }, message: '=1+1' },
      });
      const vote = { action: 'decline', comment: 'No.', digest };
      expect((await users.bob.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
      ids.push(id);
    }
    const take = async (name: Name, format = '') =>
      (await users[name].call('GET', `/api/history${format}?tool=exported&requester=alice`)).text();
    const all = async (name: Name) =>
      JSON.parse(await (await users[name].call('GET', '/api/history?tool=exported')).text()) as HistoryRow[];
    const rows = await all('bob');
    expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(rows[0]).toMatchObject({ status: 'declined', message: '=1+1', votes: [{ action: 'decline', for: null }] });
    expect(await all('stranger')).toEqual([]);
    expect((await all('reviewer')).map(({ message, requester, votes }) => [message, requester, votes])).toEqual(
      ids.map(() => [null, null, null]),
    );
    const table = await take('bob', '/csv');
    expect(table.split('\r\n')[0]).toMatch(/^id,server,tool,policy/);
    expect(table.match(/,"'=1\+1",/g)).toHaveLength(102);
    expect(JSON.parse(await take('reviewer'))).toEqual([]);
    const entries = await users.administrator.call('GET', `/api/audit/entries?person=${idOf('reviewer')}&limit=100`);
    const log = await entries.text();
    expect(log).toContain('"about":["view=done","tool=exported","requester"]');
    expect(log).not.toContain('alice');
  });

  test('a group finds the requests of the policies that ask it', async () => {
    await newGroup(server, 'finance', [users.bob]);
    await newGroup(server, 'board', [users.ada]);
    const stage = '{ name: Check, approvers: { group: finance }, escalate: { after: 1h, add: { group: board } } }';
    await publish(server, `policy: checks\nmatch: { tool: checked }\nrequire: { stages: [${stage}] }\n`);
    const { id } = await asking.open({ tool: { name: 'checked' } });
    const of = async (group: string) =>
      (await listed('administrator', 'all', `&group=${group}`)).items.map((item) => item.id);
    expect(await Promise.all(['finance', 'board', 'none'].map(of))).toEqual([[id], [id], []]);
    expect((await listed('bob', 'all')).groups).toEqual(['board', 'finance']);
  });

  test('a person’s answer at their own client is visible only to that person', async () => {
    const { id } = await open(plan([], { isPrivate: true, stages: [] }));
    const answer = { action: 'accept', content: { illness: 'flu' }, channel: 'relayed' };
    expect((await asking.call('POST', `/v1/elicitations/${id}/answer`, answer)).status).toBe(200);
    expect((await users.asker.show(id)).answer).toEqual({ illness: 'flu' });
    for (const read of [users.owner.show(id), users.reviewer.look(id), users.administrator.look(id)])
      expect(await read).toMatchObject({ id, answer: null });
    expect((await page('bob', id)).status).toBe(404);
    const text = await (await users.owner.call('GET', `/api/elicitations/${id}`)).text();
    expect(text).not.toContain('flu');
  });

  test('a request can be withdrawn by people who could extend it, and by no other approver', async () => {
    const [hidden, hosted] = [await open(plan(['ada'])), await open(plan([], { isPrivate: true, stages: [] }))];
    for (const { id } of [hidden, hosted]) {
      const { digest } = await users.owner.show(id);
      const cancel = (name: Name) => users[name].call('POST', `/api/elicitations/${id}/cancel`, { digest });
      expect([(await cancel('bob')).status, (await cancel('owner')).status]).toEqual([404, 409]);
    }
    const { digest } = await users.ada.show(hidden.id);
    expect((await users.deputy.call('POST', `/api/elicitations/${hidden.id}/cancel`, { digest })).status).toBe(200);
  });

  test('a request is compared with the last approved one that its reader may read', async () => {
    const ask = (named: Name[], amount: number) =>
      openStaged(server, asking, {
        stages: [stageOf({ approvers: named.map(idOf) })],
        parts: { tool: { name: 'compared' }, arguments: { amount } },
      });
    const approved = async (named: Name[], amount: number): Promise<string> => {
      const { id, digest } = await ask(named, amount);
      now += 1000;
      const vote = { action: 'accept', content: {}, digest };
      expect((await users.ada.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
      return id;
    };
    const shared = await approved(['ada', 'bob'], 1);
    const hidden = await approved(['ada'], 2);
    const { id } = await ask(['ada', 'bob'], 3);
    const compare = async (name: Name) => bodyOf(await users[name].call('GET', `/api/elicitations/${id}/differences`));
    const differences = (before: number) => [{ path: 'amount', pointer: '/amount', before, after: 3 }];
    expect((await compare('ada')).problem).toMatchObject({ approved: { id: hidden }, differences: differences(2) });
    expect((await compare('bob')).problem).toMatchObject({ approved: { id: shared }, differences: differences(1) });
    expect([(await compare('stranger')).status, (await compare('reviewer')).status]).toEqual([404, 403]);
    const first = await users.bob.call('GET', `/api/elicitations/${shared}/differences`);
    expect(await first.json()).toMatchObject({ approved: null, differences: [], isCut: false, signals: [] });
    now = clock;
  });

  test('what sets a request apart is computed from those past requests alone that its reader may read', async () => {
    const ask = (named: Name[], args: Record<string, unknown>) =>
      openStaged(server, asking, {
        stages: [stageOf({ approvers: named.map(idOf) })],
        parts: { tool: { name: 'signalled' }, arguments: args },
      });
    for (const [named, to] of [...Array(5).fill(['ada', 'Bob']), ...Array(5).fill(['both', 'Eve'])] as const) {
      const { id, digest } = await ask(named === 'both' ? ['ada', 'bob'] : ['ada'], { amount: 10, to });
      now += 1000;
      const vote = { action: 'accept', content: {}, digest };
      expect((await users.ada.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
    }
    const { id } = await ask(['ada', 'bob'], { amount: 30, to: 'Bob' });
    const read = async (name: Name) =>
      (await json<Comparison>(users[name].call('GET', `/api/elicitations/${id}/differences`))).signals;
    const ofAda = await read('ada');
    expect(ofAda.filter(({ kind }) => kind !== 'burst')).toMatchObject([
      { kind: 'amount', times: 3, usual: 10, of: 10 },
    ]);
    const ofBob = await read('bob');
    expect(ofBob.filter(({ kind }) => kind !== 'burst')).toMatchObject([
      { kind: 'new', what: 'payee', value: 'Bob', of: 5 },
      { kind: 'amount', times: 3, of: 5 },
    ]);
    for (const { from } of ofBob) for (const source of from) expect((await page('bob', source.id)).status).toBe(200);
    const first = async (name: Name) =>
      (await json<SignalList>(users[name].call('GET', `/api/signals?ids=${id}`))).signals;
    expect(await first('bob')).toMatchObject([{ id, signal: { kind: 'new', value: 'Bob' } }]);
    expect(await first('ada')).toMatchObject([{ id, signal: { kind: 'amount', of: 10 } }]);
    for (const name of ['stranger', 'administrator', 'reviewer'] as const) expect(await first(name)).toEqual([]);
    now = clock;
  });

  test('the stream sends only what its reader may see', async () => {
    const streams = await Promise.all(
      (['bob', 'stranger', 'reviewer'] as const).map((name) =>
        readEvents(`${server.url}/api/stream`, { cookie: users[name].cookie }),
      ),
    );
    await until(async () => streams.every(({ events }) => events.length > 0));
    const loggedEvents = () =>
      streams.map(({ events }) =>
        events.flatMap(({ event, data }) => (event === 'inbox' ? [(JSON.parse(data) as { id: string }).id] : [])),
      );
    const request = cases[6]!;
    await users.bob.call('POST', `/api/elicitations/${request.id}/comments`, { text: 'Mine.' });
    const last = cases[0]!;
    await users.bob.call('POST', `/api/elicitations/${last.id}/comments`, { text: 'Everyone hears this.' });
    await until(async () => loggedEvents().every((ids) => ids.includes(last.id)));
    const hidden = cases[2]!;
    await users.bob.call('POST', `/api/elicitations/${hidden.id}/comments`, { text: 'Hidden.' });
    await users.bob.call('POST', `/api/elicitations/${last.id}/comments`, { text: 'After it.' });
    await until(async () => loggedEvents().every((ids) => ids.filter((id) => id === last.id).length > 1));
    expect(loggedEvents().map((ids) => ids.includes(hidden.id))).toEqual([true, false, true]);
    streams.forEach(({ cut }) => cut());
  });
});
