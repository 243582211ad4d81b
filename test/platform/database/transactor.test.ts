import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { readEntry, type AuditEntry } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import type { UserId } from '#platform/model/id';
import { openDatabase, type InCommit } from '#platform/database/database';
import type { ElicitationChange, ElicitationRow } from '#requests/state/store/row';
import { createTransactor } from '#platform/database/transactor';
import { testEvidence } from '../../support/audit/evidence.ts';
import { changeOf, openingOf, openTestStore } from '../../support/databases/rows.ts';
import { nodeLogin, nodeUrl } from '../../support/databases/node-login.ts';

const store = await openTestStore();
afterAll(() => store.close());

const tables = ['tool_call', 'elicitation', 'vote', 'audit_entry', 'outbox'];

async function countRows(): Promise<unknown[]> {
  return store.query(`SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table})`).join(', ')}`);
}

async function openWithEntry(): Promise<{ row: ElicitationRow; entry: AuditEntry }> {
  const { elicitation, ...opening } = openingOf({ serverId: store.serverId });
  expect(await store.transactor.open({ elicitation, ...opening })).toBe(true);
  const row = await store.reader.elicitation(elicitation.id);
  return { row: row as ElicitationRow, entry: opening.entry };
}

const openOne = async (): Promise<ElicitationRow> => (await openWithEntry()).row;

const accept = (row: ElicitationRow, by: UserId): ElicitationChange =>
  changeOf(row, { type: 'vote', by, action: 'accept', at: row.openedAt + 5 }, { userId: by, comment: randomBytes(20) });

describe('opening', () => {
  test('stores call, elicitation, audit entry and news in one commit', async () => {
    const before = await store.query('SELECT count(*)::int FROM outbox');
    const opening = openingOf({ serverId: store.serverId });
    expect(await store.transactor.open(opening)).toBe(true);
    const { elicitation, entry } = opening;
    expect(await store.reader.elicitation(elicitation.id)).toEqual({
      ...elicitation,
      serverName: 'payments',
      readers: ['anyone'],
      answer: null,
    });
    const written = `SELECT elicitation_id, subject_id FROM audit_entry WHERE id = $1`;
    expect(await store.query(written, [entry.id])).toEqual([elicitation.id, elicitation.toolCallId]);
    const ids = [elicitation.id];
    expect(await store.query('SELECT topic FROM outbox WHERE elicitation_id = $1', ids)).toEqual(['opened']);
    const xids = `SELECT count(DISTINCT x)::int FROM (
      SELECT xmin::text AS x FROM elicitation WHERE id = $1 UNION ALL
      SELECT xmin::text FROM audit_entry WHERE elicitation_id = $1 UNION ALL
      SELECT xmin::text FROM outbox WHERE elicitation_id = $1 UNION ALL
      SELECT xmin::text FROM tool_call WHERE id = $2) AS rows`;
    expect(await store.query(xids, [elicitation.id, elicitation.toolCallId])).toEqual([1]);
    expect(await store.query('SELECT count(*)::int FROM outbox')).toEqual([(before[0] as number) + 1]);
  });

  test('of equal names racing one opens, in one batch or in several, and the others leave nothing', async () => {
    const before = (await countRows()) as number[];
    const name = newId('entry');
    const openings = Array.from({ length: 30 }, () => openingOf({ serverId: store.serverId, name }));
    const results = await Promise.all(openings.map(store.transactor.open));
    expect(results.filter(Boolean)).toHaveLength(1);
    const after = (await countRows()) as number[];
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1, 0, 1, 1]);
  });

  test('of one step asked twice in a call that is there, one opens', async () => {
    const { toolCallId } = await openOne();
    const step = () => openingOf({ serverId: store.serverId, call: toolCallId, step: '1' });
    expect(await store.transactor.open(step())).toBe(true);
    expect(await store.transactor.open(step())).toBe(false);
    expect((await store.reader.callElicitations(toolCallId)).map((row) => row.step)).toEqual(['0', '1']);
  });

  test('one that cannot be stored leaves nothing and does not spoil the others of its batch', async () => {
    const good = Array.from({ length: 5 }, () => openingOf({ serverId: store.serverId }));
    const bad = openingOf({ serverId: newId('server') });
    const before = (await countRows()) as number[];
    const results = await Promise.allSettled([...good.slice(0, 2), bad, ...good.slice(2)].map(store.transactor.open));
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true, true]);
    const after = (await countRows()) as number[];
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([5, 5, 0, 5, 5]);
  });
});

describe('changing', () => {
  test('writes nothing again of what is sealed outside a long row', async () => {
    const opening = openingOf({ serverId: store.serverId, payload: randomBytes(2700), explanation: randomBytes(990) });
    expect(await store.transactor.open(opening)).toBe(true);
    const row = (await store.reader.elicitation(opening.elicitation.id)) as ElicitationRow;
    const places = `SELECT pg_column_toast_chunk_id(payload)::text || ' ' || pg_column_toast_chunk_id(explanation)::text
      FROM elicitation WHERE id = $1`;
    const before = await store.query(places, [row.id]);
    expect(before).toEqual([expect.any(String)]);
    expect(await store.transactor.change(accept(row, await store.newUser()))).toBe(true);
    expect(await store.query(places, [row.id])).toEqual(before);
  });

  test('stores the next state, the vote, the audit entry and the news in one commit', async () => {
    const row = await openOne();
    const by = await store.newUser();
    const change = accept(row, by);
    expect(await store.transactor.change(change)).toBe(true);
    const { status, state, closedAt, answer } = change;
    const changed = { ...row, status, state, closedAt, answer, version: 1 };
    expect(await store.reader.elicitation(row.id)).toEqual(changed);
    const votes = await store.reader.votes(row.id);
    expect(votes).toMatchObject([{ id: change.vote?.id, userId: by, action: 'accept', comment: change.vote?.comment }]);
    const history = await store.reader.history(row.id);
    expect(history.map((body) => readEntry(body).id)).toEqual([expect.anything(), change.entry.id]);
    const xids = `SELECT count(DISTINCT x)::int FROM (
      SELECT xmin::text AS x FROM elicitation WHERE id = $1 UNION ALL
      SELECT xmin::text FROM vote WHERE elicitation_id = $1 UNION ALL
      SELECT xmin::text FROM audit_entry WHERE id = $2 UNION ALL
      SELECT xmin::text FROM outbox WHERE elicitation_id = $1 AND topic = 'closed') AS rows`;
    expect(await store.query(xids, [row.id, change.entry.id])).toEqual([1]);
  });

  test.each<[string, (change: ElicitationChange, sample: AuditEntry) => Partial<ElicitationChange>]>([
    ['a vote of someone who is not there', ({ vote }) => ({ vote: vote && { ...vote, userId: newId('user') } })],
    ['an audit entry that is there already', (_change, entry) => ({ entry })],
    ['a state that is none', () => ({ status: 'undecided' as 'open' })],
    ['a topic that is missing', () => ({ topics: [null as never] })],
  ])('with %s nothing at all is stored', async (_name, spoil) => {
    const { row, entry } = await openWithEntry();
    const change = accept(row, await store.newUser());
    const before = await countRows();
    await expect(store.transactor.change({ ...change, ...spoil(change, entry) })).rejects.toThrow();
    expect(await countRows()).toEqual(before);
    expect(await store.reader.elicitation(row.id)).toEqual(row);
  });

  test('at a version that has passed nothing is stored', async () => {
    const row = await openOne();
    const by = await store.newUser();
    expect(await store.transactor.change(changeOf(row, { type: 'caller', state: 'gone', at: row.openedAt + 1 }))).toBe(
      true,
    );
    const before = await countRows();
    expect(await store.transactor.change(accept(row, by))).toBe(false);
    expect(await countRows()).toEqual(before);
    expect(await store.reader.elicitation(row.id)).toMatchObject({ version: 1, status: 'open', caller: 'gone' });
  });

  test('decided on people or policies that have changed since stores nothing; on those of now, or on none, it does', async () => {
    const by = await store.newUser();
    const stale = await store.epochs.read();
    await store.newUser();
    const now = await store.epochs.read();
    expect(now.users).toBe(stale.users + 1n);
    const [row, other] = [await openOne(), await openOne()];
    const before = await countRows();
    const late = [{ users: stale.users }, { policies: now.policies + 1n }, stale];
    for (const epoch of late) expect(await store.transactor.change({ ...accept(row, by), epoch })).toBe(false);
    expect(await countRows()).toEqual(before);
    expect(await store.transactor.change({ ...accept(row, by), epoch: now })).toBe(true);
    expect(await store.transactor.change({ ...accept(other, by), epoch: {} })).toBe(true);
  });

  test('of any number racing on one version, in one batch or in several, one gets true', async () => {
    const row = await openOne();
    const users = await Promise.all(Array.from({ length: 8 }, () => store.newUser()));
    const other = openTwin();
    const changes = users.map((by) => accept(row, by));
    const results = await Promise.all(
      changes.map((change, at) => (at % 2 ? store.transactor : other.transactor).change(change)),
    );
    await other.close();
    expect(results.filter(Boolean)).toHaveLength(1);
    const won = changes[results.indexOf(true)];
    expect(await store.reader.votes(row.id)).toMatchObject([{ id: won?.vote?.id }]);
    expect(await store.reader.elicitation(row.id)).toMatchObject({ version: 1, answer: won?.answer });
  });

  test('what commits together with a change is stored with it, or neither is', async () => {
    const [row, by] = [await openOne(), await store.newUser()];
    const statusNow = async () => (await store.reader.elicitation(row.id))?.status;
    const marked = (): Promise<unknown[]> => store.query(`SELECT 1 FROM policy WHERE name = 'together'`);
    const within = (end: () => void) => (first: InCommit) =>
      store.database.prisma.$transaction(async (tx) => {
        await first(tx);
        await tx.policy.create({ data: { id: newId('policy'), name: 'together', createdAt: new Date(0) } });
        end();
      });
    const crash = (): void => {
      throw new Error('killed');
    };
    await expect(store.transactor.change(accept(row, by), within(crash))).rejects.toThrow('killed');
    expect([await statusNow(), await marked()]).toEqual(['open', []]);
    expect(
      await store.transactor.change(
        accept({ ...row, version: 7 }, by),
        within(() => {}),
      ),
    ).toBe(false);
    expect([await statusNow(), await marked()]).toEqual(['open', []]);
    expect(
      await store.transactor.change(
        accept(row, by),
        within(() => {}),
      ),
    ).toBe(true);
    expect([await statusNow(), await marked()]).toEqual(['accepted', [1]]);
  });

  test('one bad change does not spoil the others of its batch, and each hears its own outcome', async () => {
    const rows = await Promise.all(Array.from({ length: 6 }, openOne));
    const by = await store.newUser();
    const changes = rows.map((row, at) =>
      accept({ ...row, ...(at === 3 && { version: 7 }) }, at === 1 ? newId('user') : by),
    );
    const results = await Promise.allSettled(changes.map((change) => store.transactor.change(change)));
    const outcomes = results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'));
    expect(outcomes).toEqual([true, 'failed', true, false, true, true]);
    const statuses = await Promise.all(rows.map(async ({ id }) => (await store.reader.elicitation(id))?.status));
    expect(statuses).toEqual(['accepted', 'open', 'accepted', 'open', 'accepted', 'accepted']);
  });

  test('a commit is announced if it changed something, and only then', async () => {
    const row = await openOne();
    const before = store.commits();
    await store.transactor.change(changeOf({ ...row, version: 9 }, { type: 'caller', state: 'gone', at: 1 }));
    expect(store.commits()).toBe(before);
    await store.transactor.change(changeOf(row, { type: 'caller', state: 'gone', at: row.openedAt + 1 }));
    expect(store.commits()).toBe(before + 1);
  });
});

/** AD-02 */
describe('the log and the votes only grow', () => {
  const changes = [
    `UPDATE audit_entry SET type = 'x'`,
    'DELETE FROM audit_entry',
    'TRUNCATE audit_entry',
    `UPDATE vote SET action = 'decline'`,
    'DELETE FROM vote',
    'TRUNCATE vote',
  ];
  let owner: pg.Client;
  beforeAll(async () => {
    const row = await openOne();
    await store.transactor.change(accept(row, await store.newUser()));
    owner = new pg.Client({ connectionString: store.url });
    await owner.connect();
  });
  afterAll(() => owner.end());

  test.each(changes)('the owner of the tables is refused by a trigger: %s', async (sql) => {
    await expect(owner.query(sql)).rejects.toThrow('append-only');
  });

  test.each(changes)('nodes lack the right: %s', async (sql) => {
    expect(await store.query('SELECT current_user::text')).toEqual([nodeLogin.name]);
    await expect(store.query(sql)).rejects.toThrow('permission denied');
  });

  test.each([
    'ALTER TABLE audit_entry DISABLE TRIGGER ALL',
    'DROP TABLE vote',
    'DELETE FROM elicitation',
    'TRUNCATE outbox',
    'CREATE TABLE mine (id int)',
  ])('nodes lack the right: %s', async (sql) => {
    await expect(store.query(sql)).rejects.toThrow(/permission denied|must be owner/);
  });

  test('the auditor reads the log and nothing else', async () => {
    await owner.query('SET ROLE assentry_auditor');
    const { rows } = await owner.query<{ entry: { v: number } }>('SELECT entry FROM audit_log LIMIT 1');
    expect(rows[0]?.entry.v).toBe(1);
    for (const table of [...tables, 'app_user', 'session', 'link', 'api_key', 'server']) {
      await expect(owner.query(`SELECT FROM ${table}`)).rejects.toThrow('permission denied');
    }
    await owner.query('RESET ROLE');
  });
});

/** A second node's transactor on the same database. */
function openTwin() {
  const database = openDatabase(nodeUrl(store.url));
  return {
    transactor: createTransactor({ ...database, evidence: testEvidence }, () => {}),
    close: () => database.close(),
  };
}
