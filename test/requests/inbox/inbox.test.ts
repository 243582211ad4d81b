import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isMine } from '#requests/inbox/verbs/inbox';
import type { CastVote } from '#requests/machine/rules/machine';
import type { Risk } from '#requests/asking/contract/elicitation';
import type { UserId } from '#platform/model/id';
import type { Stage } from '#requests/voting/contract/stages';
import type { ElicitationRow } from '#requests/state/store/row';
import { connectClient } from '#platform/database/connection';
import { position, type InboxPage, type SearchTerms, type InboxViewer } from '#requests/inbox/store/inbox';
import { watchStatements } from '../../bench/statement-watch.ts';
import { readBy, scansIn, type Plan } from '../../support/databases/plans.ts';
import { changeOf, openingOf, openTestStore } from '../../support/databases/rows.ts';
import { groupOf, stageOf } from '../../support/requests/stages.ts';

const risks: Risk[] = ['low', 'medium', 'high'];
const count = 90;
const start = 1_700_000_000_000;
const open: string[] = [];
const done: string[] = [];

/** Many share a deadline, a risk and a moment of closing, so that only the id tells them apart. */
const store = await openTestStore();
afterAll(() => store.close());
const me = await store.newUser();
const other = await store.newServer('tickets');
for (let at = 0; at < count; at += 1) {
  const openedAt = start + (at % 7);
  const opening = openingOf({
    serverId: at % 5 ? store.serverId : other,
    tool: `tool-${at % 4}`,
    risk: risks[at % 3] ?? 'low',
    openedAt,
    deadlineAt: start + 6e4 + (at % 6),
    audience: at % 10 ? 'approvers' : 'requester',
  });
  await store.transactor.open(opening);
  if (at % 2) open.push(opening.elicitation.id);
  else {
    done.push(opening.elicitation.id);
    await store.transactor.change(
      changeOf(opening.elicitation, { type: 'cancel', cause: 'admin', at: start + 100 + (at % 8) }),
    );
  }
}

/** Who watches over requests finds all; `maySee` has a test of its own. */
const viewer = (id: UserId, standIns: InboxViewer['standIns'] = []): InboxViewer => ({
  id,
  isWatching: true,
  mayVote: true,
  lookedSince: 0,
  standIns,
  owns: [],
  watches: [],
  mayBreakGlass: false,
});

const first = { after: null, limit: 200 } as const;

async function readAll(page: Omit<InboxPage, 'after'>, between = async () => {}): Promise<ElicitationRow[]> {
  const rows: ElicitationRow[] = [];
  let after: InboxPage['after'] = null;
  for (;;) {
    const pages = await store.inbox.page(viewer(me), { ...page, after });
    rows.push(...pages);
    const last = pages.at(-1);
    if (pages.length < page.limit || !last) return rows;
    after = position(page.order, last);
    await between();
  }
}

const cases = (['all', 'mine', 'done'] as const).flatMap((view) =>
  (['deadline', 'risk', 'newest'] as const).flatMap((order) => [1, 7, 45].map((limit) => ({ view, order, limit }))),
);

describe('pages', () => {
  test.each(cases)('of $limit in the view $view by $order leave nothing out and repeat nothing', async (page) => {
    const rows = await readAll(page);
    const whole = await store.inbox.page(viewer(me), { ...page, ...first });
    expect(rows.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.length).toBe({ all: open.length, mine: open.length, done: done.length }[page.view]);
  });

  test('come in the requested order', async () => {
    const rank = { high: 0, medium: 1, low: 2 };
    const keys = {
      deadline: ({ deadlineAt }: ElicitationRow) => [deadlineAt],
      risk: ({ risk, deadlineAt }: ElicitationRow) => [rank[risk], deadlineAt],
      newest: ({ closedAt, openedAt }: ElicitationRow) => [closedAt ?? openedAt],
    };
    for (const view of ['all', 'done'] as const) {
      for (const order of ['deadline', 'risk', 'newest'] as const) {
        const rows = await store.inbox.page(viewer(me), { view, order, ...first });
        const sorted = [...rows].sort((a, b) => compare([...keys[order](a), a.id], [...keys[order](b), b.id]));
        if (order === 'newest') sorted.reverse();
        expect(rows.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
      }
    }
  });

  test('read while others come and go leave out none that was there all the time', async () => {
    const before = (await store.inbox.page(viewer(me), { view: 'all', order: 'deadline', ...first })).map(
      ({ id }) => id,
    );
    const rows = await readAll({ view: 'all', order: 'deadline', limit: 6 }, async () => {
      await store.transactor.open(openingOf({ serverId: store.serverId, openedAt: start, deadlineAt: start + 60_002 }));
    });
    const ids = rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(before.filter((id) => !ids.includes(id as never))).toEqual([]);
  });
});

type Narrowing = Omit<InboxPage, 'view' | 'order' | 'after' | 'limit'>;
type Filter = [page: Narrowing, fits: (row: ElicitationRow) => boolean];

describe('filters', () => {
  const noTerms = { ids: [], servers: [], tools: [], policies: [], users: [] };
  const timeOf = ({ closedAt, openedAt }: ElicitationRow) => closedAt ?? openedAt;
  /** Each filter alone: one that is added and has no row here does not compile. */
  const alone: { [Name in keyof Narrowing]-?: Filter } = {
    server: [{ server: 'tickets' }, ({ serverName }) => serverName === 'tickets'],
    tool: [{ tool: 'tool-1' }, ({ tool }) => tool === 'tool-1'],
    status: [{ status: 'cancelled' }, ({ status }) => status === 'cancelled'],
    risk: [{ risk: 'high' }, ({ risk }) => risk === 'high'],
    policy: [{ policy: 'test' }, () => true],
    policies: [{ policies: ['none'] }, () => false],
    requesters: [{ requesters: [Buffer.alloc(32)] }, () => false],
    search: [{ search: { ...noTerms, tools: ['tool-2'] } }, ({ tool }) => tool === 'tool-2'],
    from: [{ from: start + 4 }, (row) => timeOf(row) >= start + 4],
    until: [{ until: start + 103 }, (row) => timeOf(row) < start + 103],
  };
  const together: Filter[] = [
    [{ server: 'payments', tool: 'tool-3' }, ({ serverName, tool }) => serverName === 'payments' && tool === 'tool-3'],
    [{ policies: ['test'], risk: 'low' }, ({ risk }) => risk === 'low'],
    [{ policy: 'tes' }, () => false],
    [{ server: 'none' }, () => false],
  ];

  test.each([...Object.values(alone), ...together])('%j shows what fits and only that', async (filter, fits) => {
    for (const view of ['all', 'done'] as const) {
      const page = { view, order: 'deadline', ...first } as const;
      const expected = (await store.inbox.page(viewer(me), page)).filter(fits);
      const shown = await store.inbox.page(viewer(me), { ...page, ...filter });
      expect(shown.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    }
  });

  test('offer the names of servers and tools that have asked', async () => {
    const { servers, tools } = await store.inbox.facets();
    expect(servers).toEqual(['payments', 'tickets']);
    expect(tools).toEqual(expect.arrayContaining(['tool-0', 'tool-1', 'tool-2', 'tool-3']));
    // Only tools can be many: what is left out of them leaves no server and no policy out.
    expect(await store.inbox.facets(null, 2)).toMatchObject({ servers, tools: tools.slice(0, 2) });
  });
});

describe('a search', () => {
  const nothing = { ids: [], servers: [], tools: [], policies: [], users: [] };
  const search = async (view: InboxPage['view'], terms: Partial<SearchTerms>, limit = 200) =>
    store.inbox.page(viewer(me), { view, order: 'newest', after: null, limit, search: { ...nothing, ...terms } });

  test('finds what has any of its terms, in the order of the list, and each once', async () => {
    const id = done[3] as string;
    for (const view of ['all', 'done'] as const) {
      const page = await store.inbox.page(viewer(me), { view, order: 'newest', ...first });
      const expected = page.filter((row) => row.id === id || row.serverName === 'tickets' || row.tool === 'tool-1');
      const servers = page.filter(({ serverName }) => serverName === 'tickets').map(({ serverId }) => serverId);
      const rows = await search(view, { ids: [id], servers: [...new Set(servers)], tools: ['tool-1', 'none'] });
      expect(rows.map((row) => row.id)).toEqual(expected.map((row) => row.id));
      expect(rows.length).toBeGreaterThan(5);
    }
    expect(await search('done', { policies: ['test'] })).toHaveLength(done.length);
    expect(await search('done', {})).toEqual([]);
  });

  test('goes by an index for each term: what is rare is found without reading what is common', async () => {
    await store.query(
      `INSERT INTO elicitation SELECT (jsonb_populate_record(e, jsonb_build_object('id', 'eli_many-' || n, 'step', 'many-' || n,
         'tool', CASE WHEN n = 7 THEN 'rare' ELSE 'common' END,
         'policy', CASE WHEN n = 8 THEN 'rare@1' ELSE e.policy END,
         'requester_hash', CASE WHEN n = 9 THEN '\\x0907' ELSE e.requester_hash::text END, 'closed_at', e.closed_at + n * interval '1 second'))).*
         FROM elicitation e, generate_series(1, 3000) AS n WHERE e.id = $1`,
      [done[1]], // for approvers, so that any of them may read it
    );
    const owner = await connectClient({ connectionString: store.url });
    await owner.query('ANALYZE elicitation'); // a node's login may not: its ANALYZE is skipped with a warning
    await owner.end();
    const statements = watchStatements();
    expect(await search('done', { tools: ['rare'], users: [me] }, 20)).toHaveLength(1);
    expect(await search('done', { tools: ['rare'], policies: ['none'], ids: ['eli_many-9'] }, 20)).toHaveLength(2);
    const page = { view: 'done', order: 'newest', after: null, limit: 20 } as const;
    const requesters = [Buffer.from([9, 7]), Buffer.from([1])];
    expect(await store.inbox.page(viewer(me), { ...page, requesters })).toHaveLength(1);
    expect(await store.inbox.page(viewer(me), { ...page, policies: ['rare', 'none'] })).toHaveLength(1);
    expect(await store.inbox.page(viewer(me), { ...page, policies: ['rare'], requesters })).toEqual([]);
    expect(await store.inbox.page(viewer(me), { ...page, policies: [] })).toEqual([]);
    const reads = statements().filter(({ kind }) => kind === 'read');
    for (const { text, values } of reads) {
      const [[plan]] = (await store.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)) as [[{ Plan: Plan }]];
      expect(scansIn(plan.Plan).filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
      expect(readBy(plan.Plan)).toBeLessThan(20);
    }
    expect(reads).toHaveLength(6);
  });
});

describe('mine', () => {
  /** An open request with these stages; tells whose it is, and takes votes. */
  async function openStaged(stages: Stage[]) {
    const { elicitation, ...opening } = openingOf({ serverId: store.serverId });
    let row = { ...elicitation, state: { ...elicitation.state, context: { ...elicitation.state.context, stages } } };
    await store.transactor.open({ ...opening, elicitation: row });
    return {
      id: row.id,
      async isOf(user: UserId) {
        const page = await store.inbox.page(viewer(user), { view: 'mine', order: 'newest', ...first });
        return page.some(({ id }) => id === row.id);
      },
      async vote(by: UserId, absent?: UserId) {
        const at = row.state.context.now + 1;
        const change = changeOf(row, { type: 'vote', by, for: absent, action: 'accept', at }, { userId: by });
        await store.transactor.change(change);
        row = { ...row, version: row.version + 1, state: change.state };
      },
    };
  }

  test('are those I may still vote on in their stage, and are counted so', async () => {
    const [other, third] = [await store.newUser(), await store.newUser()];
    const request = await openStaged([stageOf({ approve: 2 }), stageOf({ approvers: [third] })]);
    const { mine } = await store.inbox.counts(viewer(me));
    expect(await request.isOf(me)).toBe(true);
    await request.vote(me);
    expect([await request.isOf(me), await request.isOf(other)]).toEqual([false, true]);
    expect((await store.inbox.counts(viewer(me))).mine).toBe(mine - 1);
    await request.vote(other);
    expect([await request.isOf(me), await request.isOf(other), await request.isOf(third)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('P7 are in any of its groups, and not of those it excludes', async () => {
    const [first, other, requester] = [await store.newUser(), await store.newUser(), await store.newUser()];
    const groups = [groupOf({ approvers: [first] }), groupOf({ approvers: [other, requester] })];
    const named = await openStaged([stageOf({ groups, excluded: [requester] })]);
    expect([await named.isOf(first), await named.isOf(other)]).toEqual([true, true]);
    expect([await named.isOf(requester), await named.isOf(me)]).toEqual([false, false]);
    const open = await openStaged([stageOf({ excluded: [requester] })]);
    expect([await open.isOf(me), await open.isOf(requester)]).toEqual([true, false]);
  });

  test('P8 are also those the reader may vote on for someone, under the policies that person named', async () => {
    const [absent, deputy] = [await store.newUser(), await store.newUser()];
    const request = await openStaged([stageOf({ approvers: [absent], approve: 2 })]);
    const other = await openStaged([stageOf({ approvers: [absent], excluded: [absent] })]);
    const pageFor = async (policies: string[]) => {
      const standIns = [{ fromId: absent, policies, issuerId: null }];
      const page = await store.inbox.page(viewer(deputy, standIns), {
        view: 'mine',
        order: 'newest',
        ...first,
        limit: 1000,
      });
      const { mine } = await store.inbox.counts(viewer(deputy, standIns));
      expect(mine).toBe(page.length);
      return [request, other].map(({ id }) => page.some((row) => row.id === id));
    };
    expect(await pageFor([])).toEqual([true, false]);
    expect([await pageFor(['test']), await pageFor(['other'])]).toEqual([
      [true, false],
      [false, false],
    ]);
    await request.vote(deputy, absent);
    expect(await pageFor([])).toEqual([false, false]);
  });

  test('P7 leave a stage of fresh voters to others, and count whom a delegate stood in for', async () => {
    const [first, delegate, absent] = [await store.newUser(), await store.newUser(), await store.newUser()];
    const request = await openStaged([stageOf({ approve: 2 }), stageOf({ freshVoters: true })]);
    await request.vote(delegate, absent);
    expect([await request.isOf(delegate), await request.isOf(absent), await request.isOf(first)]).toEqual([
      false,
      false,
      true,
    ]);
    await request.vote(first);
    for (const user of [first, delegate, absent]) expect(await request.isOf(user)).toBe(false);
    expect(await request.isOf(me)).toBe(true);
  });
});

describe('mine as SQL and as the engine compute it', () => {
  /** Few people and many rules, so that most requests concern everyone. */
  const worldsOf = (people: UserId[]) => {
    const person = fc.constantFrom(...people);
    const some = fc.uniqueArray(person, { maxLength: 3 });
    const maybe = fc.option(person, { nil: undefined, freq: 3 });
    const group = fc.record({ approvers: fc.oneof({ weight: 3, arbitrary: some }, fc.constant('anyone' as const)) });
    const stage = fc
      .record({ groups: fc.array(group, { minLength: 1, maxLength: 3 }), excluded: some, freshVoters: fc.boolean() })
      .map(({ groups, ...parts }) => stageOf({ ...parts, groups: groups.map(groupOf) }));
    const vote = fc.record({ by: person, for: maybe, issuer: maybe, stage: fc.nat(2), at: fc.constant(start) });
    const request = fc.record({
      stages: fc.array(stage, { minLength: 1, maxLength: 3 }),
      stage: fc.nat(2),
      votes: fc.array(vote, { maxLength: 3 }),
      audience: fc.constantFrom('approvers' as const, 'approvers' as const, 'requester' as const),
      status: fc.constantFrom('open' as const, 'open' as const, 'accepted' as const),
      policy: fc.constantFrom('test@1', 'other@2'),
    });
    const policies = fc.constantFrom<string[]>([], ['test'], ['other', 'none']);
    const standIn = fc.record({ fromId: person, policies, issuerId: fc.option(person) });
    // The engine gives the store none whose issuer is another than the reader's.
    const reader = fc
      .record({ id: person, issuer: maybe, standIns: fc.array(standIn, { maxLength: 2 }) })
      .map(({ issuer, standIns, ...rest }) => ({
        ...rest,
        issuer,
        standIns: standIns.map((each) => ({ ...each, issuerId: each.issuerId && (issuer ?? each.issuerId) })),
      }));
    return { request, reader };
  };

  test('are the same in 300 random requests for 20 readers', async () => {
    const people: UserId[] = [];
    for (let at = 0; at < 5; at += 1) people.push(await store.newUser());
    const worlds = worldsOf(people);
    for (const { stages, stage, votes, audience, status, policy } of fc.sample(worlds.request, {
      numRuns: 300,
      seed: 13,
    })) {
      const closedAt = status === 'open' ? null : start;
      const opening = openingOf({ serverId: store.serverId, audience, status, policy, tool: 'random', closedAt });
      const { state } = opening.elicitation;
      const cast = votes.map((vote): CastVote => ({ ...vote, action: 'accept' }));
      const context = { ...state.context, stages, stage: Math.min(stage, stages.length), votes: cast };
      await store.transactor.open({
        ...opening,
        elicitation: { ...opening.elicitation, state: { ...state, context } },
      });
    }
    const page = { order: 'newest', tool: 'random', after: null, limit: 1000 } as const;
    const read = (reader: InboxViewer, view: InboxPage['view']) => store.inbox.page(reader, { ...page, view });
    const rows = [...(await read(viewer(me), 'all')), ...(await read(viewer(me), 'done'))];
    expect(rows).toHaveLength(300);
    let mine = 0;
    for (const { id, issuer: credentialIssuer, standIns } of fc.sample(worlds.reader, { numRuns: 20, seed: 14 })) {
      const user = {
        kind: 'user' as const,
        id,
        credentialIssuer,
        email: `${id}@example.com`,
        name: id,
        role: 'approver' as const,
      };
      const stored = await read({ ...viewer(id, standIns), credentialIssuer }, 'mine');
      const computed = rows.filter((row) => isMine(user, row, standIns));
      expect(stored.map((row) => row.id).toSorted()).toEqual(computed.map((row) => row.id).toSorted());
      mine += stored.length;
    }
    expect(mine).toBeGreaterThan(100);
  });
});

function compare(a: (number | string)[], b: (number | string)[]): number {
  for (const [at, item] of a.entries()) {
    const other = b[at] ?? 0;
    if (item !== other) return item < other ? -1 : 1;
  }
  return 0;
}
