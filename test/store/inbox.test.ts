import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../src/crypto/random.ts';
import type { Risk } from '../../src/model/elicitation.ts';
import type { UserId } from '../../src/model/id.ts';
import type { ElicitationRow } from '../../src/store/elicitation-row.ts';
import { position, type InboxPage } from '../../src/store/inbox.ts';
import { changeOf, openingOf, openTestStore, type TestStore } from '../support/rows.ts';

const risks: Risk[] = ['low', 'medium', 'high'];
const count = 90;
const start = 1_700_000_000_000;
let store: TestStore;
let me: UserId;
const open: string[] = [];
const done: string[] = [];

/** Many share a deadline, a risk and a moment of closing, so that only the id tells them apart. */
beforeAll(async () => {
  store = await openTestStore();
  me = await store.newPerson();
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
}, 60_000);
afterAll(() => store?.close());

const first = { after: null, limit: 200 } as const;

async function readAll(page: Omit<InboxPage, 'after'>, between = async () => {}): Promise<ElicitationRow[]> {
  const rows: ElicitationRow[] = [];
  let after: InboxPage['after'] = null;
  for (;;) {
    const found = await store.inbox.page(me, { ...page, after });
    rows.push(...found);
    const last = found.at(-1);
    if (found.length < page.limit || !last) return rows;
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
    const whole = await store.inbox.page(me, { ...page, ...first });
    expect(rows.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.length).toBe({ all: open.length, mine: open.length, done: done.length }[page.view]);
  });

  test('stand in the order they are asked for', async () => {
    const rank = { high: 0, medium: 1, low: 2 };
    const keys = {
      deadline: ({ deadlineAt }: ElicitationRow) => [deadlineAt],
      risk: ({ risk, deadlineAt }: ElicitationRow) => [rank[risk], deadlineAt],
      newest: ({ closedAt, openedAt }: ElicitationRow) => [-(closedAt ?? openedAt)],
    };
    for (const view of ['all', 'done'] as const) {
      for (const order of ['deadline', 'risk', 'newest'] as const) {
        const rows = await store.inbox.page(me, { view, order, ...first });
        const sorted = [...rows].sort((a, b) => compare([...keys[order](a), a.id], [...keys[order](b), b.id]));
        expect(rows.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
      }
    }
  });

  test('read while others come and go leave out none that was there all the time', async () => {
    const before = (await store.inbox.page(me, { view: 'all', order: 'deadline', ...first })).map(({ id }) => id);
    const rows = await readAll({ view: 'all', order: 'deadline', limit: 6 }, async () => {
      await store.transactor.open(openingOf({ serverId: store.serverId, openedAt: start, deadlineAt: start + 60_002 }));
    });
    const ids = rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(before.filter((id) => !ids.includes(id as never))).toEqual([]);
  });
});

describe('filters', () => {
  test.each([
    [{ server: 'tickets' }, (row: ElicitationRow) => row.serverName === 'tickets'],
    [{ tool: 'tool-1' }, (row: ElicitationRow) => row.tool === 'tool-1'],
    [
      { server: 'payments', tool: 'tool-3' },
      (row: ElicitationRow) => row.serverName === 'payments' && row.tool === 'tool-3',
    ],
    [{ status: 'cancelled' as const }, (row: ElicitationRow) => row.status === 'cancelled'],
  ])('%j shows what fits and only that', async (filter, fits) => {
    for (const view of ['all', 'done'] as const) {
      const page = { view, order: 'deadline', ...first } as const;
      const expected = (await store.inbox.page(me, page)).filter(fits);
      const shown = await store.inbox.page(me, { ...page, ...filter });
      expect(shown.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    }
    expect(await store.inbox.page(me, { view: 'all', order: 'deadline', ...first, server: 'none' })).toEqual([]);
  });

  test('offer the names of servers and tools that have asked', async () => {
    const { servers, tools } = await store.inbox.facets();
    expect(servers).toEqual(['payments', 'tickets']);
    expect(tools).toEqual(expect.arrayContaining(['tool-0', 'tool-1', 'tool-2', 'tool-3']));
  });
});

test('mine are those I may still vote on in their stage, and are counted so', async () => {
  const stages = [
    { approve: 2, deny: 1, approvers: 'anyone' as const },
    { approve: 1, deny: 1, approvers: [newId('user')] },
  ];
  const { elicitation, ...opening } = openingOf({ serverId: store.serverId });
  const state = { ...elicitation.state, context: { ...elicitation.state.context, stages } };
  const row = { ...elicitation, state };
  await store.transactor.open({ ...opening, elicitation: row });
  const isMine = async (person: UserId) => {
    const page = await store.inbox.page(person, { view: 'mine', order: 'newest', ...first });
    return page.some(({ id }) => id === row.id);
  };
  const other = await store.newPerson();
  const [before, { mine }] = [await isMine(me), await store.inbox.counts(me)];
  const mineVote = changeOf(row, { type: 'vote', by: me, action: 'accept', at: row.openedAt + 1 }, { accountId: me });
  await store.transactor.change(mineVote);
  expect([before, await isMine(me), await isMine(other)]).toEqual([true, false, true]);
  expect((await store.inbox.counts(me)).mine).toBe(mine - 1);
  const next = { ...row, version: 1, state: mineVote.state };
  const otherVote = { type: 'vote', by: other, action: 'accept', at: row.openedAt + 2 } as const;
  await store.transactor.change(changeOf(next, otherVote, { accountId: other }));
  const inSecondStage = [await isMine(me), await isMine(other), await isMine(stages[1]?.approvers[0] as UserId)];
  expect(inSecondStage).toEqual([false, false, true]);
});

function compare(a: (number | string)[], b: (number | string)[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at] ?? 0;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
