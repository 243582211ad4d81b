import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { Insights } from '#audit/reports/contract/insights';
import { runLength } from '#audit/reports/store/insights';
import { askingAt } from '../../support/nodes/asking.ts';
import { openReviewedHouse, type ReviewedHouse } from '../../support/audit/reviewed-house.ts';
import { signIn } from '../../support/nodes/server.ts';
import { publish } from '../../support/requests/policies.ts';
import { isNight } from '../../support/runs.ts';

let house: ReviewedHouse;
let database: pg.Client;
beforeAll(async () => {
  house = await openReviewedHouse(isNight ? 300 : 160);
  database = new pg.Client({ connectionString: house.server.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await house?.server.stop();
});

const pathOf = (from: number, to: number) => `/api/insights?from=${from}&to=${to}`;
const ask = async (from = house.from, to = house.to): Promise<Insights> => {
  const answer = await house.people.reviewer.call('GET', pathOf(from, to));
  expect(answer.status).toBe(200);
  return Insights.parse(await answer.json());
};

interface Decision {
  request: string;
  server: string;
  tool: string;
  outcome: string;
  decided_by: string;
  approvers: string[];
  override: boolean;
  decided_at: Date;
  asked_at: Date;
}
interface Vote {
  request: string;
  person: string;
  seen_at: Date | null;
  voted_at: Date;
}
const read = async <Row extends object>(view: string): Promise<Row[]> =>
  (await database.query<Row>(`SELECT * FROM audit.${view}`)).rows;

const countBy = <Row>(rows: Row[], keyOf: (row: Row) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[keyOf(row)] = (counts[keyOf(row)] ?? 0) + 1;
  return counts;
};

/** Their votes approved it, if only once its start had come, or an emergency override did; or one of them refused it. */
const isByPeople = ({ outcome, decided_by, approvers, override }: Decision): boolean =>
  outcome === 'accepted' ? override || approvers.length > 0 : outcome === 'declined' && decided_by === 'user';

/** Each request and vote, as reviewers read them, counted. */
async function compareWithViews(): Promise<void> {
  const insights = await ask();
  const votes = await read<Vote>('votes');
  const decisions = (await read<Decision>('decisions')).filter(({ outcome }) => outcome !== 'open');
  const kinds = ['accepted', 'declined', 'cancelled', 'expired'] as const;
  const counted = (rows: typeof insights.spans | typeof insights.tools, name: (row: never) => string) =>
    Object.fromEntries(
      rows.flatMap((row) =>
        kinds.flatMap((kind) => (row[kind] === 0 ? [] : [[`${name(row as never)} ${kind}`, row[kind]]])),
      ),
    );
  expect(counted(insights.tools, ({ server, tool }: Insights['tools'][number]) => `${server} ${tool}`)).toEqual(
    countBy(decisions, ({ server, tool, outcome }) => `${server} ${tool} ${outcome}`),
  );
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  expect(counted(insights.spans, ({ at }: Insights['spans'][number]) => dayOf(at))).toEqual(
    countBy(decisions, ({ decided_at, outcome }) => `${dayOf(decided_at.getTime())} ${outcome}`),
  );
  for (const tool of insights.tools) {
    const own = decisions.filter((row) => row.server === tool.server && row.tool === tool.tool);
    const byPeople = own.filter(isByPeople);
    expect(tool).toMatchObject({
      approved: byPeople.filter(({ outcome }) => outcome === 'accepted').length,
      rejected: byPeople.filter(({ outcome }) => outcome === 'declined').length,
    });
    const waits = byPeople.map((row) => (row.decided_at.getTime() - row.asked_at.getTime()) / 1000);
    if (waits.length === 0) expect([tool.p50, tool.p95]).toEqual([null, null]);
    else {
      expect(waits.filter((wait) => wait <= (tool.p50 ?? 0) + 0.1).length).toBeGreaterThanOrEqual(waits.length / 2);
      expect(waits.filter((wait) => wait > (tool.p95 ?? 0) + 0.1).length).toBeLessThanOrEqual(waits.length / 20);
    }
  }
  const closed = new Set(decisions.map(({ request }) => request));
  const counting = votes.filter(({ request }) => closed.has(request));
  const isHasty = ({ seen_at, voted_at }: Vote) => seen_at !== null && voted_at.getTime() - seen_at.getTime() < 5000;
  expect(Object.fromEntries(insights.voters.map(({ person, votes }) => [person, votes]))).toEqual(
    countBy(counting, ({ person }) => person),
  );
  expect(insights.voters.reduce((sum, { hasty }) => sum + hasty, 0)).toBe(counting.filter(isHasty).length);
  for (const { person } of insights.voters) expect(insights.names[person]).toMatch(/^Person /);
}

test('every count is the one that the views of reviewers give', compareWithViews);

test('hasty votes in a row are a run, a read one ends it, and many requests in a minute are a burst', async () => {
  const { server } = house;
  const asking = askingAt(server.url, await server.newServerKey('hurried'));
  const ada = await signIn(server.url, house.people.ada);
  const vote = async (pause: number): Promise<void> => {
    const { id } = await asking.open({ tool: { name: 'deploy' } });
    const { digest } = await ada.show(id);
    house.goBy(pause);
    const body = { action: 'accept', digest, content: {} };
    expect((await ada.call('POST', `/api/elicitations/${id}/vote`, body)).status).toBe(200);
  };
  await vote(60_000); // ends what was hasty before
  house.goBy(1);
  const from = house.to;
  for (let done = 0; done < runLength; done += 1) await vote(10);
  await vote(60_000);
  for (let done = 0; done < runLength - 1; done += 1) await vote(10);
  house.goBy(1000);
  const insights = await ask(from, house.to);
  expect(insights.runs).toMatchObject([{ person: ada.id, votes: runLength }]);
  expect(insights.voters).toEqual([{ person: ada.id, votes: 2 * runLength, hasty: 2 * runLength - 1 }]);
  expect(insights.bursts.map(({ server: name, tool }) => [name, tool])).toContainEqual(['hurried', 'deploy']);
  expect(insights.bursts.reduce((sum, { requests }) => sum + requests, 0)).toBeLessThanOrEqual(2 * runLength);
  expect((await ask(house.to, house.to + 1)).bursts).toEqual([]);
});

test('what a timer ended is no decision of people, whoever had voted before; an emergency override is', async () => {
  const { server, people } = house;
  await publish(
    server,
    `policy: waiting
match: { tool: wait }
require: { stages: [{ name: Two, approve: 2, approvers: anyone }], deadline: 2m, onTimeout: deny }`,
    `policy: waiting-longer
match: { tool: wait }
when: has(request.args.longer)
priority: 1
require: { stages: [{ name: Two, approve: 2, approvers: anyone }], deadline: 3m }`,
  );
  const [asking, bob, from] = [
    askingAt(server.url, await server.newServerKey('slow')),
    await signIn(server.url, people.bob),
    house.to,
  ];
  const wait = (parts = {}) => asking.open({ tool: { name: 'wait' }, ...parts });
  const opened = [await wait(), await wait({ arguments: { longer: true } })];
  for (const { id, digest } of opened)
    expect(
      (await bob.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest })).status,
    ).toBe(200);
  const { id, digest } = await wait();
  house.goBy(100_000);
  const override = { digest, reason: 'Production is down, says the pager.', content: {} };
  expect((await bob.call('POST', `/api/elicitations/${id}/break-glass`, override)).status).toBe(200);
  house.goBy(100_000);
  const ended = await Promise.all(opened.map(async (request) => (await bob.show(request.id)).status));
  expect(ended).toEqual(['declined', 'expired']);
  house.goBy(1);
  const [tool] = (await ask(from, house.to)).tools;
  expect(tool).toMatchObject({ tool: 'wait', accepted: 1, declined: 1, expired: 1, approved: 1, rejected: 0 });
  expect(tool!.p95).toBeLessThan(110);
});

test('every count is the same from totals', async () => {
  house.goBy(60_000); // a slice ends with its minute
  while (await house.server.engine.insightTotals.countNext(house.to, 7));
  await compareWithViews();
  const { rows } = await database.query(`SELECT sum(votes)::int AS votes FROM insight_person WHERE server_id = ''`);
  expect(rows).toEqual([{ votes: (await ask()).voters.reduce((sum, { votes }) => sum + votes, 0) }]);
});

test('a long period is counted week by week', async () => {
  const { step, spans } = await ask(house.from - 300 * 86_400_000, house.to);
  expect(step).toBe('week');
  expect(spans.map(({ at }) => new Date(at).getUTCDay())).toEqual(spans.map(() => 1));
});

test('it is for administrators and reviewers, and an entry says who asked', async () => {
  const { ada, reviewer } = house.people;
  const path = pathOf(house.from, house.from + 7);
  expect((await ada.call('GET', path)).status).toBe(403);
  expect((await reviewer.call('GET', path)).status).toBe(200);
  const entries = await database.query<{ about: string[]; by: string }>(
    `SELECT entry -> 'about' AS about, entry #>> '{actor,id}' AS by FROM audit_log WHERE entry ->> 'what' = 'report'`,
  );
  const about = ['insights', `from=${house.from}`, `to=${house.from + 7}`];
  expect(entries.rows.filter((row) => row.about.join() === about.join())).toEqual([{ about, by: reviewer.id }]);
});

test.each([
  ['an end before the beginning', 9, 8],
  ['more than a year', 0, 367 * 86_400_000],
])('%s is refused, and names what is wrong', async (_name, from, to) => {
  const answer = await house.people.reviewer.call('GET', pathOf(from, to));
  expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ path: ['to'] }] }]);
});
