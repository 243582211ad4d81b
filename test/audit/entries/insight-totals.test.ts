import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { ServerId } from '#platform/model/id';
import { burstSize, runLength, spreeSize, type Among, type Insights } from '#audit/reports/store/insights';
import { drawFrom } from '../../support/draw.ts';
import { runs } from '../../support/runs.ts';
import { watchStatements } from '../../bench/statement-watch.ts';
import { comparedBy, readBy, scansOf, type Plan } from '../../support/databases/plans.ts';
import { openTestStore, type TestStore } from '../../support/databases/rows.ts';

async function openOwner({ url }: TestStore): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  return client;
}

const tables = ['tool', 'tool_week', 'wait', 'person', 'person_week', 'policy', 'burst', 'run'].map(
  (name) => `insight_${name}`,
);
const empty = () =>
  owner.query(`TRUNCATE ${tables.join()}; UPDATE insight_state SET summed_until = NULL, weeks_until = NULL`);
beforeEach(empty);

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const start = Date.parse('2026-08-03T00:00:00Z');
const end = start + 3 * day + 5 * hour;

const store = await openTestStore();
const infra = await store.newServer('infra');
/** Past the engine, which needs a minute for what a statement writes at once. */
const owner = await openOwner(store);
afterAll(async () => {
  await owner.end();
  await store.close();
});
const rows = drawRows(4711);
await insert(owner, rows);

interface Row {
  id: string;
  server: string;
  tool: string;
  policy: string;
  status: string;
  opened: number;
  closed: number;
  votes: { person: string; action: string; at: number; seen: number | null }[];
  isDrawn: boolean;
}

/** Three days and five hours of requests, in which people decide hastily or not, alone or two of them, and in sprees. */
function drawRows(seed: number): Row[] {
  const draw = drawFrom(seed);
  const among = <T>(items: readonly T[]): T => items[Math.floor(draw() * items.length)] as T;
  const servers = [store.serverId, infra];
  const rows: Row[] = [];
  const add = (opened: number, closed: number, votes: Row['votes'], parts: Partial<Row> = {}): void => {
    const status = votes.length > 0 ? among(['accepted', 'declined']) : among(['cancelled', 'expired']);
    const named = {
      server: among(servers),
      tool: among(['deploy', 'refund', 'read']),
      policy: `${among(['one', 'two'])}@1`,
    };
    rows.push({ id: `eli_${rows.length}`, ...named, status, opened, closed, votes, isDrawn: false, ...parts });
  };
  const ballot = (person: string, at: number, isHasty: boolean, action = among(['accept', 'accept', 'decline'])) => ({
    person,
    action,
    at,
    seen: isHasty ? at - 1_000 : among([null, at - minute]),
  });
  for (let at = start; at < end; at += Math.floor(draw() * 20 * minute)) {
    const closed = at + Math.floor(draw() ** 4 * 30 * hour);
    const voters = among([[], ['ada'], ['bob'], ['ada', 'bob'], ['eve']]);
    add(
      at,
      closed,
      voters.map((person, nth) => ballot(person, closed - nth * Math.floor(draw() * hour), draw() < 0.8)),
    );
    if (draw() < 0.2) add(at, at, [], { status: 'accepted', isDrawn: draw() < 0.5 });
  }
  for (const noon of [start + day / 2, start + day - 2 * minute, start + 2 * day - 5 * minute]) {
    // Hasty approvals, one each second and a half, over midnight as well: a run, a spree and a burst.
    for (let nth = 0; nth < 2 * runLength; nth += 1) {
      const at = noon + nth * 1_500;
      add(at - 20, at, [ballot('max', at, true, 'accept')], { tool: 'deploy', server: store.serverId });
    }
    if (noon === start + day / 2) add(noon + hour, noon + hour, [ballot('max', noon + hour, false)]);
  }
  return rows.filter(({ closed }) => closed < end);
}

async function insert(client: pg.Client, among: Row[]): Promise<void> {
  const json = JSON.stringify(among);
  await client.query(
    `INSERT INTO elicitation (id, tool_call_id, step, server_id, tool, audience, mode, opened_at, closed_at, deadline_at,
       request_hash, owner, digest, policy, payload, risk, revision, readers, machine_version, caller, version, status, snapshot, timers)
     SELECT id, id, '0', server, tool, 'approvers', 'form', to_timestamp(opened / 1000.0), to_timestamp(closed / 1000.0), now(),
       '', '', '', policy, '', 'low', 1, '{}', 1, 'waiting', 1, status, '{}', '{}'
       FROM jsonb_to_recordset($1) AS r(id text, server text, tool text, policy text, status text, opened bigint, closed bigint)`,
    [json],
  );
  await client.query(
    `INSERT INTO vote (id, elicitation_id, user_id, revision, stage, action, digest, at)
     SELECT r.id || v.person, r.id, v.person, 1, 1, v.action, '', to_timestamp(v.at / 1000.0)
       FROM jsonb_to_recordset($1) AS r(id text, votes jsonb), jsonb_to_recordset(votes) AS v(person text, action text, at bigint)`,
    [json],
  );
  await client.query(
    `INSERT INTO audit_entry (id, at, type, body, leaf_hash, mac)
     SELECT r.id || v.person, to_timestamp(v.seen / 1000.0), 'access.read', convert_to(jsonb_build_object(
         'about', jsonb_build_array(r.id), 'actor', jsonb_build_object('kind', 'user', 'id', v.person))::text, 'UTF8'), '', ''
       FROM jsonb_to_recordset($1) AS r(id text, votes jsonb), jsonb_to_recordset(votes) AS v(person text, seen bigint)
      WHERE v.seen IS NOT NULL`,
    [json],
  );
  await client.query(
    `INSERT INTO look_back (elicitation_id, at) SELECT id, to_timestamp(opened / 1000.0)
       FROM jsonb_to_recordset($1) AS r(id text, opened bigint, "isDrawn" boolean) WHERE "isDrawn"`,
    [json],
  );
}

const periods = [
  [start, end],
  [start + day, end],
  [start + day, start + 2 * day],
  [start, start + 3 * day],
  [start + 7 * hour, start + 2 * day + 9 * hour],
  [start + 7 * hour, start + 9 * hour],
  [start + day - hour, start + day + hour],
  [end - hour, end],
  [start - 9 * day, end + 9 * day],
] as const;
const countAll = (step: 'day' | 'week' = 'day', among: Among = null, { insights } = store) =>
  Promise.all(periods.map(([from, to]) => insights.count({ from, to, step, among })));
const wholePeriod = { from: start, to: end, step: 'day', among: null } as const;
const countNext = (before: number, most = 1000) => store.insightTotals.countNext(before, most);
const ask = async (sql: string): Promise<unknown[]> => (await owner.query({ text: sql, rowMode: 'array' })).rows.flat();
const countedUntil = async () => (await ask('SELECT summed_until FROM insight_state'))[0];

test.each([3, 50, 1000])('totals say what a fresh count says, however far they are: slices of %d', async (most) => {
  const some: Among = [infra];
  const [fresh, weeks, ofSome] = [await countAll(), await countAll('week'), await countAll('day', some)];
  const { runs, sprees, bursts, samples, voters, spans } = fresh[0]!;
  expect(voters.map(({ person }) => person).sort()).toEqual(['ada', 'bob', 'eve', 'max']);
  // The second one goes on over midnight, and the third one follows on it, for there is no vote between.
  expect(runs.filter(({ person }) => person === 'max').map(({ votes }) => votes)).toEqual([
    4 * runLength,
    2 * runLength,
  ]);
  expect(sprees[0]).toMatchObject({ person: 'max', approvals: 2 * runLength });
  expect([bursts.length, samples.length, spans.length]).toEqual([expect.any(Number), 2, 4]);
  expect(Math.min(...bursts.map(({ requests }) => requests))).toBeGreaterThanOrEqual(burstSize);
  expect(2 * runLength).toBeGreaterThan(spreeSize);
  for (let isLeft = true, slices = 1; isLeft; slices *= 4) {
    for (let done = 0; done < slices && isLeft; done += 1) isLeft = await countNext(end, most);
    expect(await countAll()).toEqual(fresh);
    expect(await countAll('day', some)).toEqual(ofSome);
  }
  expect(await countAll('week')).toEqual(weeks);
  expect(await countedUntil()).toEqual(new Date(end));
});

describe('someone who reads about some servers', () => {
  /** As if there were no other requests; what is by server has its name. */
  const alone = async (server: ServerId, name: string): Promise<Insights[]> => {
    const only = await openTestStore();
    const client = await openOwner(only);
    await client.query('INSERT INTO server (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING', [server, name]);
    await client.query('UPDATE server SET id = $1 WHERE name = $2', [server, name]);
    await insert(
      client,
      rows.filter((row) => row.server === server),
    );
    const counted = await countAll('day', null, only);
    await client.end();
    await only.close();
    return counted.map(({ runs, sprees, ...rest }) => ({
      ...rest,
      runs: runs.map((run) => ({ ...run, server: name })),
      sprees: sprees.map((spree) => ({ ...spree, server: name })),
    }));
  };

  test('reads what there would be without all others, from totals and from requests', async () => {
    const expected = [
      [store.serverId, await alone(store.serverId, 'payments')],
      [infra, await alone(infra, 'infra')],
    ] as const;
    const everything = (await countAll())[0]!;
    for (let slices = 0; slices < 3; slices += 1) {
      for (const [server, counted] of expected) {
        expect(await countAll('day', [server])).toEqual(counted);
        expect(counted[0]?.tools.length).toBeGreaterThan(0);
        expect(counted[0]?.runs).not.toEqual(everything.runs);
      }
      if (slices === 1) while (await countNext(end));
      else await countNext(end);
    }
  });

  test('reads of several servers what is of each, and of all what those read who see all', async () => {
    const all = await store.insights.count(wholePeriod);
    const { runs, sprees, ...rest } = await store.insights.count({ ...wholePeriod, among: [infra, store.serverId] });
    const { runs: _runs, sprees: _sprees, ...same } = all;
    expect(rest).toEqual(same);
    const own = await Promise.all(
      [store.serverId, infra].map((server) => store.insights.count({ ...wholePeriod, among: [server] })),
    );
    expect(new Set(runs)).toEqual(new Set(own.flatMap((insights) => insights.runs)));
    expect(new Set(sprees)).toEqual(new Set(own.flatMap((insights) => insights.sprees)));
    expect(runs.length).toBeGreaterThan(0);
  });

  test('reads nothing if there are none', async () => {
    await countNext(end);
    const nothing = await store.insights.count({ ...wholePeriod, among: [] });
    expect(Object.values(nothing).flat()).toEqual([]);
  });
});

describe('weeks', () => {
  const week = 7 * day;
  const weeksEnd = start + 4 * week;
  const among: [number, number][] = [
    [start, weeksEnd],
    [start + day, weeksEnd - day],
    [start + week, start + 3 * week],
    [start + 5 * hour, start + 2 * week + hour],
    [start + week + 2 * day, start + 2 * week + day],
    [start - 9 * week, weeksEnd + 9 * week],
  ];
  let busy: TestStore;
  let client: pg.Client;
  const countAmong = (some: Among = null) =>
    Promise.all(among.map(([from, to]) => busy.insights.count({ from, to, step: 'day', among: some })));
  const state = async () =>
    (await client.query('SELECT summed_until, weeks_until::text FROM insight_state')).rows[0] as object;
  beforeAll(async () => {
    busy = await openTestStore();
    client = await openOwner(busy);
    await client.query(`UPDATE server SET id = $1 WHERE name = 'payments'`, [store.serverId]);
    await client.query('INSERT INTO server (id, name) VALUES ($1, $2)', [infra, 'infra']);
    for (const nth of [0, 1, 2, 3]) {
      const later = nth * week + (nth % 2) * 3 * day;
      const some = rows.filter((_row, at) => at % 4 === 0);
      const moved = some.map((row): Row => ({
        ...row,
        id: `${row.id}_${nth}`,
        opened: row.opened + later,
        closed: row.closed + later,
        votes: row.votes.map((vote) => ({
          ...vote,
          person: nth === 2 && vote.person === 'ada' ? 'zoe' : vote.person,
          at: vote.at + later,
          seen: vote.seen && vote.seen + later,
        })),
      }));
      await insert(client, moved);
    }
  });
  afterAll(async () => {
    await client.end();
    await busy.close();
  });

  test('say what their days say, for everyone and of some servers, after each day', async () => {
    const fresh = [await countAmong(), await countAmong([infra])];
    expect(fresh[0]![0]!.voters.map(({ person }) => person)).toContain('zoe');
    expect(fresh[0]![0]).not.toEqual(fresh[0]![1]);
    const days = new Set<unknown>();
    for (let isLeft = true; isLeft;) {
      isLeft = await busy.insightTotals.countNext(weeksEnd, 300);
      const { weeks_until: until } = (await state()) as { weeks_until: string | null };
      if (isLeft && days.has(until)) continue;
      days.add(until);
      expect([await countAmong(), await countAmong([infra])]).toEqual(fresh);
    }
    expect(days.size).toBe(29);
  });

  test('are what is read of them, and not their days', async () => {
    const fresh = await countAmong();
    await client.query(
      `CREATE TABLE set_aside AS SELECT * FROM insight_person WHERE day BETWEEN '2026-08-10' AND '2026-08-23'`,
    );
    await client.query(`DELETE FROM insight_person p USING set_aside s WHERE p.day = s.day`);
    const left = await countAmong();
    expect(left[2]!.voters).toEqual(fresh[2]!.voters);
    expect(left[4]!.voters).not.toEqual(fresh[4]!.voters);
    await client.query('INSERT INTO insight_person SELECT * FROM set_aside');
    expect(await countAmong()).toEqual(fresh);
  });

  test('are added up again if everything is counted again, also by a node that has no weeks', async () => {
    const fresh = await countAmong();
    const days = ['tool', 'wait', 'person', 'policy', 'burst', 'run'].map((name) => `insight_${name}`);
    await client.query(`TRUNCATE ${days.join()}; UPDATE insight_state SET summed_until = NULL`);
    expect(await countAmong()).toEqual(fresh);
    while (await busy.insightTotals.countNext(weeksEnd, 1000));
    expect(await countAmong()).toEqual(fresh);
    expect(await state()).toMatchObject({ summed_until: new Date(weeksEnd), weeks_until: '2026-08-31' });
  });
});

test('what people decide is told to be at most a tenth longer than it took', async () => {
  const waits = (await ask(`SELECT extract(epoch FROM closed_at - opened_at)::float8 FROM elicitation e
     WHERE EXISTS (SELECT FROM vote WHERE elicitation_id = e.id AND CASE status WHEN 'accepted' THEN action = 'accept'
             WHEN 'declined' THEN action = 'decline' AND at = closed_at END) ORDER BY 1`)) as number[];
  await owner.query(`UPDATE elicitation SET tool = 'all', server_id = '${store.serverId}'`);
  while (await countNext(end));
  const { tools } = await store.insights.count(wholePeriod);
  for (const [share, shown] of [
    [0.5, tools[0]?.p50],
    [0.95, tools[0]?.p95],
  ] as const) {
    const wait = waits[Math.ceil(share * waits.length) - 1]!;
    expect(shown).toBeGreaterThanOrEqual(wait);
    expect(shown).toBeLessThan(wait * 1.1 + 0.1);
  }
});

test('if the clock went back, what then ends at times that were counted before is counted as well', async () => {
  while (await countNext(end));
  const late = { ...rows[0]!, id: 'eli_late', opened: end - hour, closed: end - hour + 1, votes: [], isDrawn: false };
  const before = await countAll();
  await insert(owner, [late]);
  expect([await countNext(end - minute), await countedUntil()]).toEqual([false, new Date(end)]); // nodes differ by less
  while (await countNext(end - hour));
  while (await countNext(end));
  const after = await countAll();
  expect(after).not.toEqual(before);
  await empty();
  expect(after).toEqual(await countAll());
  await owner.query(`DELETE FROM elicitation WHERE id = 'eli_late'`);
});

test('several nodes count each slice once', async () => {
  while ((await Promise.all([1, 2, 3, 4].map(() => countNext(end, 20)))).some(Boolean));
  const [counted] = await ask(
    `SELECT sum(accepted + declined + cancelled + expired)::int FROM insight_tool WHERE tool <> ''`,
  );
  const [closed] = await ask('SELECT count(*)::int FROM elicitation');
  expect(counted).toBe(closed);
  await owner.query('BEGIN; UPDATE insight_state SET summed_until = summed_until');
  expect(await countNext(end + day)).toBe(false); // another one is counting
  await owner.query('ROLLBACK');
  expect(await countNext(end + day)).toBe(true);
});

test('a slice ends with its day, and before what may still be committed', async () => {
  expect(await countNext(start)).toBe(false);
  expect(await countedUntil()).toBeNull();
  expect(await countNext(end)).toBe(true);
  expect(await countedUntil()).toEqual(new Date(start + day));
  expect(await countNext(start + day + 90_000)).toBe(true);
  expect(await countedUntil()).toEqual(new Date(start + day + minute));
  expect(await countNext(start + day + 90_000)).toBe(true); // the first day is added to its week
  expect(await countNext(start + day + 90_000)).toBe(false);
});

test('many approvals of one person within a few minutes are each read a few times', async () => {
  const busy = await openTestStore();
  const client = await openOwner(busy);
  const approvals = Array.from({ length: 500 }, (_, nth): Row => {
    const at = start + nth * 100;
    const votes = [{ person: 'max', action: 'accept', at, seen: null }];
    const request = { server: busy.serverId, tool: 'deploy', policy: 'one@1', status: 'accepted', isDrawn: false };
    return { id: `eli_${nth}`, ...request, opened: at, closed: at, votes };
  });
  await insert(client, approvals);
  const statements = watchStatements();
  expect(await busy.insightTotals.countNext(end, 1000)).toBe(true);
  const counting = statements().filter(({ text }) => text.includes('INSERT INTO insight_person'));
  expect((await busy.insights.count(wholePeriod)).sprees[0]).toMatchObject({ person: 'max', approvals: 500 });
  await client.query(`TRUNCATE ${tables.join()}`);
  for (const { text, values } of counting) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    expect(readBy(rows[0]!['QUERY PLAN'][0].Plan)).toBeLessThan(10 * approvals.length);
  }
  expect(counting).toHaveLength(1);
  await client.end();
  await busy.close();
});

test('a minute with more decisions than a slice holds is counted in several, each of which looks at its own rows', async () => {
  const busy = await openTestStore();
  const client = await openOwner(busy);
  const size = runs(20_000);
  const requests = Array.from({ length: size }, (_, nth): Row => {
    const at = start + Math.floor((nth * minute) / size);
    const votes = [0, 1].map((voter) => ({ person: `p${(nth + voter) % 40}`, action: 'accept', at, seen: at - 10 }));
    const request = { server: busy.serverId, tool: 'deploy', policy: 'one@1', status: 'accepted', isDrawn: false };
    return { id: `eli_${nth}`, ...request, opened: at, closed: at, votes };
  });
  await insert(client, requests);
  const most = size / 5;
  const fresh = await busy.insights.count(wholePeriod);
  const statements = watchStatements();
  let slices = 0;
  while (await busy.insightTotals.countNext(start + 2 * minute, most)) slices += 1;
  expect(slices).toBeGreaterThanOrEqual(5);
  expect(await busy.insights.count(wholePeriod)).toEqual(fresh);
  expect(fresh.bursts).toEqual([expect.objectContaining({ requests: size })]);
  const counting = statements().filter(({ text }) => text.includes('INSERT INTO insight_person'));
  await client.query(`TRUNCATE ${tables.join()}; SET enable_hashjoin = off; SET enable_mergejoin = off`);
  for (const { text, values } of counting) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    expect(comparedBy(rows[0]!['QUERY PLAN'][0].Plan)).toBeLessThan(500 * most);
  }
  await client.end();
  await busy.close();
});

test('what everyone decided is read from the key alone, not from the rows among those of the servers', async () => {
  await store.insightTotals.countNext(end, 1_000_000);
  await owner.query('VACUUM ANALYZE insight_person');
  const statements = watchStatements();
  await store.insights.count(wholePeriod);
  const [counting] = statements().filter(({ text }) => text.includes('insight_person'));
  await owner.query('SET enable_seqscan = off'); // as if there were a month of three thousand people
  const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (FORMAT JSON) ${counting?.text}`,
    counting?.values,
  );
  await owner.query('RESET enable_seqscan');
  const scans = scansOf('insight_person', rows[0]!['QUERY PLAN'][0].Plan).map((scan) => scan['Node Type']);
  expect(scans).toContain('Index Only Scan');
  expect(scans).not.toContain('Bitmap Heap Scan');
});

test('without a request there is nothing to count', async () => {
  const empty = await openTestStore();
  expect(await empty.insightTotals.countNext(end, 10)).toBe(false);
  expect((await empty.insights.count(wholePeriod)).spans).toEqual([]);
  await empty.close();
});
