import { afterAll, expect, test } from '@jest/globals';
import type { ElicitationId, UserId } from '#platform/model/id';
import { connectClient } from '#platform/database/connection';
import type { InboxPage, InboxViewer } from '#requests/inbox/store/inbox';
import { watchStatements } from '../../bench/statement-watch.ts';
import { readBy, scansIn, type Plan } from '../../support/databases/plans.ts';
import { changeOf, openingOf, openTestStore } from '../../support/databases/rows.ts';
import { stageOf } from '../../support/requests/stages.ts';

const others = 3_000;

const openFor = async (approvers: UserId[], parts = {}) => {
  const opening = openingOf({ serverId: store.serverId, ...parts });
  const { state } = opening.elicitation;
  const context = { ...state.context, stages: [stageOf({ approvers })] };
  const elicitation = { ...opening.elicitation, state: { ...state, context } };
  expect(await store.transactor.open({ ...opening, elicitation })).toBe(true);
  return elicitation;
};

const closeFor = async (approvers: UserId[]): Promise<ElicitationId> => {
  const row = await openFor(approvers);
  const change = changeOf(row, { type: 'cancel', cause: 'admin', at: row.openedAt + 1 });
  expect(await store.transactor.change(change)).toBe(true);
  return row.id;
};

const store = await openTestStore();
afterAll(() => store.close());
const next = () => store.newUser();
const [often, seldom, absent] = [await next(), await next(), await next()];
const people: Record<'often' | 'seldom' | 'absent' | 'owner' | 'voter' | 'unknown', UserId> = {
  often,
  seldom,
  absent,
  owner: await next(),
  voter: await next(),
  unknown: await next(),
};
const open = (await openFor([often])).id;
const closed = await closeFor([often]);
const voted = await openFor([people.voter, absent]);
const ofSeldom: Record<'open' | 'closed' | 'absent' | 'voted', ElicitationId> = {
  open: (await openFor([seldom])).id,
  closed: await closeFor([seldom]),
  absent: (await openFor([absent])).id,
  voted: voted.id,
};
const vote = { type: 'vote', by: people.voter, for: absent, action: 'accept', at: voted.openedAt + 1 } as const;
expect(await store.transactor.change(changeOf(voted, vote, { userId: people.voter }))).toBe(true);
const ofOwner = (await openFor([often], { serverId: await store.newServer('owned') })).id;
await store.query(`UPDATE server SET owner_id = $1 WHERE name = 'owned'`, [people.owner]);
const owner = await connectClient({ connectionString: store.url });
await owner.query('SET session_replication_role = replica');
await owner.query(
  `INSERT INTO elicitation SELECT (jsonb_populate_record(e, jsonb_build_object('id', e.id || n, 'step', e.id || n,
       'deadline_at', e.deadline_at + n * interval '1 ms'))).*
       FROM elicitation e, generate_series(1, $1) AS n WHERE e.id IN ($2, $3)`,
  [others, open, closed],
);
await owner.query('ANALYZE elicitation');
await owner.end();

const viewer = (id: UserId, parts: Partial<InboxViewer> = {}): InboxViewer => ({
  id,
  isWatching: false,
  mayVote: true,
  lookedSince: 0,
  standIns: [],
  owns: [],
  watches: [],
  mayBreakGlass: false,
  ...parts,
});

const everyView = [
  { view: 'mine', order: 'deadline' },
  { view: 'all', order: 'risk' },
  { view: 'done', order: 'newest' },
] as const satisfies Pick<InboxPage, 'view' | 'order'>[];

const idsOf = async (by: InboxViewer): Promise<ElicitationId[][]> => {
  const pages = everyView.map((page) => store.inbox.page(by, { ...page, after: null, limit: 50 }));
  return (await Promise.all(pages)).map((rows) => rows.map(({ id }) => id).toSorted());
};

test('someone finds what names them, alone or as a stand-in, what they voted on, and what their servers asked', async () => {
  const { seldom, absent, owner, voter, unknown } = people;
  const { open, closed, absent: waiting, voted } = ofSeldom;
  expect(await idsOf(viewer(seldom))).toEqual([[open], [open], [closed]]);
  const standIn = await idsOf(viewer(seldom, { standIns: [{ fromId: absent, policies: [], issuerId: null }] }));
  expect(standIn).toEqual(
    [
      [open, waiting],
      [open, waiting],
      [closed, voted],
    ].map((ids) => ids.toSorted()),
  );
  expect(await idsOf(viewer(voter))).toEqual([[], [], [voted]]);
  const [ownerServer] = (await store.query(`SELECT id FROM server WHERE name = 'owned'`)) as InboxViewer['owns'];
  expect(await idsOf(viewer(owner, { owns: ownerServer ? [ownerServer] : [] }))).toEqual([[], [ofOwner], []]);
  expect(await idsOf(viewer(unknown))).toEqual([[], [], []]);
  const [, breaking, done] = await idsOf(viewer(unknown, { mayBreakGlass: true }));
  expect([breaking?.length, done?.length]).toEqual([50, 50]);
});

test.each(['is named by', 'watches in a space'])(
  'a page for someone who %s few requests reads those alone',
  async (how) => {
    const watches = (await store.query(`SELECT id FROM server WHERE name = 'owned'`)) as InboxViewer['watches'];
    const reader = how === 'name' ? viewer(people.seldom) : viewer(people.unknown, { watches });
    const statements = watchStatements();
    const [, open] = await idsOf(reader);
    expect(open).toHaveLength(1);
    await store.inbox.counts(reader);
    const reads = statements().filter(({ kind }) => kind === 'read');
    for (const { text, values } of reads) {
      const [[plan]] = (await store.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)) as [[{ Plan: Plan }]];
      expect(scansIn(plan.Plan).filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
      expect(readBy(plan.Plan)).toBeLessThan(10);
    }
    expect(reads).toHaveLength(4);
  },
);
