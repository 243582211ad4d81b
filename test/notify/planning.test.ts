import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { defaultLimits } from '#platform/config/config';
import { newId } from '#platform/crypto/random';
import { createKeyRing } from '#platform/crypto/key-ring';
import { openElicitation } from '#requests/asking/verbs/ask';
import type { Engine } from '#platform/nodes/verbs/engine';
import { wholeServer } from '#people/directory/verbs/scope';
import { choosePeople, maxNotifiedAtOnce, notificationOrder, type NotificationOrder } from '#notify/verbs/plan-notices';
import { createPersonLimiter, maxEachMinute, createPlanner, parts, planningLagMs } from '#notify/verbs/plan';
import { createRules } from '#policies/deciding/verbs/rules';
import { policyDefaults } from '#policies/contract/policy';
import type { ElicitationId, ServerId } from '#platform/model/id';
import type { Directory } from '#policies/document/rules/directory';
import { question } from '../bench/question.ts';
import { openTestStore } from '../support/databases/rows.ts';
import { testSecrets } from '../support/nodes/server.ts';
import { warnOfLag } from '#notify/loops';
import { createHealth } from '#platform/nodes/verbs/health';

const crowd = 5_000;
let setAside: string[] = [];
beforeEach(() => void (setAside = []));

/** Far more approvers than a function takes arguments for fifty requests; one of them owns the server. */
const withCrowd = (directory: Directory): Directory => ({
  ...directory,
  users: Array.from({ length: crowd }, (_, at) => ({
    id: `usr_${at}`,
    email: `p${at}@example.com`,
    name: `Person ${at}`,
    role: at < 2 ? ('admin' as const) : ('approver' as const),
    groups: [],
    managerId: null,
    subjects: [],
    mayBreakGlass: false,
  })),
});

const store = await openTestStore();
afterAll(() => store.close());
const rules = createRules(store, undefined, { onUnreadable: () => {}, onCommandsByPart: () => {} });
const directory = withCrowd((await rules.users()).directory);
const engine: Engine = {
  ...store,
  ring: createKeyRing(testSecrets),
  rules: { ...rules, users: async () => ({ ...(await rules.users()), directory }) },
  limits: defaultLimits,
  environment: 'trial',
  defaults: policyDefaults('trial'),
  now: Date.now,
  sendsMails: true,
  readToken: async () => null,
  witnesses: [],
  feed: { onChange: () => () => {} },
  health: createHealth(Date.now),
  publicUrl: () => 'http://localhost',
  webhooks: { list: async () => [{ id: 'whk_1' }] },
} as unknown as Engine;
await store.newUser('admin'); // someone can decide

const open = (call: string): ReturnType<typeof openElicitation> =>
  openElicitation(engine, { ...wholeServer(store.serverId), kind: 'server', name: 'payments' }, { ...question, call });

const planner = (reader = engine.reader) => createPlanner({ ...engine, reader }, 'node', (id) => setAside.push(id));

async function planAll(planning = planner()): Promise<void> {
  while (await planning.plan());
}

const planned = (channel: string): Promise<unknown[]> =>
  store.query(`SELECT elicitation_id, count(*)::int FROM notification WHERE channel = $1 GROUP BY 1 ORDER BY 1`, [
    channel,
  ]);

test('sixty requests that name five thousand people are planned: programs of each, people up to the cap', async () => {
  const rows = await Promise.all(Array.from({ length: 60 }, (_, at) => open(`many ${at}`)));
  await planAll();
  const ids = rows.map(({ id }) => id).sort();
  expect(await planned('webhook')).toEqual(ids.flatMap((id) => [id, 1]));
  const mails = await planned('email');
  expect(mails.filter((value) => typeof value === 'string')).toEqual(ids);
  for (const count of mails.filter((value) => typeof value === 'number'))
    expect(count).toBeLessThanOrEqual(maxNotifiedAtOnce);
  expect(await engine.notifications.lag()).toMatchObject({ changes: 0, since: null });
});

test('a request that cannot be planned is set aside by its name, and holds up no other', async () => {
  const [broken, fine] = [await open('broken'), await open('fine')];
  const reader = { ...engine.reader, elicitation: (id: ElicitationId) => breakFor(broken.id, id) };
  await planAll(planner(reader));
  expect(setAside).toEqual([broken.id]);
  expect((await planned('webhook')).filter((value) => [broken.id, fine.id].includes(value as ElicitationId))).toEqual([
    fine.id,
  ]);
});

const breakFor = (broken: ElicitationId, id: ElicitationId) => {
  if (id === broken) throw new RangeError('Maximum call stack size exceeded');
  return engine.reader.elicitation(id);
};

test('a plan that stands still is warned of while it does', async () => {
  await open('late');
  const lines: string[] = [];
  const log = { error: (_facts: unknown, line: string) => void lines.push(line) } as never;
  const warn = (ahead: number) => warnOfLag({ ...engine, now: () => Date.now() + ahead }, log);
  await warn(0);
  expect(engine.health.warnings()).toEqual([]);
  await warn(61_000);
  await warn(62_000);
  expect(engine.health.warnings()).toEqual([
    { code: 'notifications-stand-still', changes: 1, since: expect.any(Number) },
  ]);
  expect(lines).toEqual(['notifications stand still: no one is told of changes']);
  await planAll();
  await warn(63_000);
  expect(engine.health.warnings()).toEqual([]);
});

test('openings wait for what has still to be planned, and for nothing if no node plans', async () => {
  await planAll();
  const { id } = await open('unplanned');
  const lagMs = (ahead: number) => planningLagMs({ ...engine, now: () => Date.now() + ahead });
  expect(await lagMs(5_000)).toBeGreaterThanOrEqual(5_000);
  await engine.notifications.hold('node', 0, 0); // the node that planned has died
  expect(await lagMs(5_000)).toBe(0);
  await planAll();
  expect(await planned('webhook')).toContainEqual(id);
  expect(await lagMs(5_000)).toBe(0);
});

test('events of many requests are cut into parts that end at a place', () => {
  const events = Array.from({ length: 120 }, (_, at) => ({
    place: at + 1,
    topic: 'changed' as const,
    elicitationId: `eli_${Math.floor(at / 2)}` as ElicitationId,
    serverId: 'srv_1' as ServerId,
  }));
  expect(parts(events).map(({ ids, to }) => [ids.length, to])).toEqual([
    [50, 100],
    [10, 120],
  ]);
});

const order = (change: Partial<NotificationOrder>): NotificationOrder => ({
  first: [],
  others: [],
  needed: 1,
  steps: 0,
  ...change,
});
const room = (before: string[] = [], reminders = 0) => ({
  notified: new Set(before),
  reminders,
  canBeNotified: () => true,
});
const many = Array.from({ length: 100 }, (_, at) => `p${at}`);

test('those in charge are told alone if they are enough, and the others with the first reminder', () => {
  const inCharge = order({ first: ['owner', 'admin'], others: many });
  expect(choosePeople(inCharge, room())).toEqual(['owner', 'admin']);
  expect(choosePeople(inCharge, room(['owner', 'admin']))).toEqual([]);
  expect(choosePeople({ ...inCharge, needed: 3 }, room())).toHaveLength(maxNotifiedAtOnce);
  expect(choosePeople(inCharge, room(['owner', 'admin'], 1))).toHaveLength(2 * maxNotifiedAtOnce - 2);
});

test('each reminder and each step of an escalation brings as many people again, and no one twice', () => {
  const first = choosePeople(order({ others: many }), room());
  expect(first).toEqual(many.slice(0, maxNotifiedAtOnce));
  expect(choosePeople(order({ others: many }), room(first))).toEqual([]);
  expect(choosePeople(order({ others: many }), room(first, 1))).toEqual(
    many.slice(maxNotifiedAtOnce, 2 * maxNotifiedAtOnce),
  );
  const brought = order({ first: ['cfo'], others: many, steps: 1 });
  expect(choosePeople(brought, room(first))).toEqual(['cfo']);
});

test('of many requests the same people are told, so that one mail can tell of all', () => {
  const people = Array.from({ length: 60 }, (_, at) => `p${at}`);
  const firstOf = (id: string): string => {
    const stages = [{ groups: [{ approve: 1, approvers: people }], escalation: undefined }];
    const row = { id, policy: 'some@1', state: { context: { stage: 0, stages, votes: [] } } } as never;
    return notificationOrder({ row, owner: null, administrators: [] }, people).others[0] ?? '';
  };
  const starts = new Set(Array.from({ length: 200 }, (_, at) => firstOf(`eli_${at}`)));
  expect([...starts].sort()).toEqual(['p0', 'p25', 'p50']);
});

test('a person gets so many a minute one by one, and what is more at the next full minute; programs get all at once', () => {
  const limit = createPersonLimiter();
  const notify = (channel: 'email' | 'webhook', target: string, at: number) =>
    ({
      channel,
      target,
      dueAt: at,
      elicitationId: null,
      kind: 'turn',
      occasion: '',
      id: newId('notification'),
    }) as const;
  const delays = (at: number, channel: 'email' | 'webhook', target: string, count: number): number[] =>
    limit(
      Array.from({ length: count }, () => notify(channel, target, at)),
      at,
    ).map(({ dueAt }) => dueAt - at);
  const now = 1_800_000_000_000;
  const atOnce = Array.from({ length: maxEachMinute }, () => 0);
  expect(delays(now, 'email', 'ada', maxEachMinute)).toEqual(atOnce);
  expect(delays(now + 20_000, 'email', 'ada', 2)).toEqual([40_000, 40_000]);
  expect(delays(now + 20_000, 'email', 'bob', 1)).toEqual([0]);
  expect(delays(now + 20_000, 'webhook', 'hook', 50)).toEqual(Array.from({ length: 50 }, () => 0));
  expect(delays(now + 60_000, 'email', 'ada', maxEachMinute)).toEqual(atOnce);
});

test('who does not vote there, or does not want to be told, takes no place', () => {
  const canBeNotified = (user: string): boolean => user === 'p98' || user === 'p99';
  expect(choosePeople(order({ others: many }), { ...room(), canBeNotified })).toEqual(['p98', 'p99']);
});
