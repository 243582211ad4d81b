import { openOperator } from '#server/open-operator';
import type { Operator } from '#server/operator';
import { nodeUrl } from '../../support/databases/node-login.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { startBenchNode, type BenchNode } from '../bench-node.ts';
import { fillLists } from '../cost/fill-lists.ts';
import { createHttpCaller, type HttpCaller } from '../lifecycle/http-caller.ts';
import { runRound } from '../lifecycle/rounds.ts';
import type { Scale } from '../lifecycle/scale.ts';
import { nodeOptions, type Prepared } from '../prepared.ts';
import { median } from '../statistics.ts';
import { fillDirectory, groupAt, personAt, policyDocuments, type Installation } from './fill-directory.ts';
import { fillTotals } from './fill-totals.ts';
import { measureWorstArguments, type WorstArguments } from './worst-arguments.ts';
import { measureNotificationFlood, type NotificationFlood } from './notification-flood.ts';

/** What the same costs in an empty installation and in one of this size. */
export interface SizeCost {
  of: Installation;
  /** Seconds to make it. */
  filled: number;
  /** Microseconds of CPU of the node. */
  cpu: { what: 'opening' | 'vote' | 'sign-in'; empty: number; full: number }[];
  /** Milliseconds: the median of a few. */
  verbs: { what: string; empty: number; full: number }[];
  /** Milliseconds and bytes of an answer; `cpu` is the node's and PostgreSQL's, which a busy machine does not inflate. */
  lists: { path: string; empty: number; full: number; cpu: number; bytes: number }[];
  flood: NotificationFlood;
  worst: WorstArguments;
}

const admin = {
  email: 'admin@example.com',
  name: 'Administrator',
  role: 'admin',
  password: 'seven quiet otters paint',
} as const;

/** Every list of the console: as the first page, where it has pages. */
const paths = [
  '/api/elicitations?view=mine',
  '/api/elicitations?view=all',
  '/api/elicitations?view=done',
  '/api/users',
  '/api/users?limit=50',
  '/api/users?limit=50&q=person12',
  '/api/groups',
  '/api/groups?limit=50',
  '/api/servers',
  '/api/keys',
  '/api/servers?limit=50',
  '/api/keys?limit=50',
  '/api/policies',
  '/api/policies?limit=50',
  '/api/audit/entries',
  '/api/insights',
];

export async function measureSize(database: BenchDatabase, prepared: Prepared, scale: Scale): Promise<SizeCost> {
  const flood = await measureNotificationFlood(database, prepared, scale);
  const worst = await measureWorstArguments(database, prepared);
  return { ...(await measureInstallation(database, prepared, scale)), flood, worst };
}

async function measureInstallation(
  database: BenchDatabase,
  prepared: Prepared,
  { installation: of, rounds, sizeCalls }: Scale,
): Promise<Omit<SizeCost, 'flood' | 'worst'>> {
  const start = performance.now();
  await fillDirectory(database.url('size'), of);
  const ends = { empty: await openEnd(database, prepared, 'empty'), full: await openEnd(database, prepared, 'size') };
  try {
    await ends.full.operator.applyPolicies(policyDocuments(of.policies));
    await ends.full.operator.changeMembers(groupAt(2), { add: [prepared.user.email] });
    await ends.full.caller.open();
    const { user, another } = prepared;
    await fillLists(database.url('size'), { open: of.open, closed: of.closed, often: user.id, seldom: another.id });
    await fillTotals(database.url('size'));
    const filled = (performance.now() - start) / 1000;
    return {
      of,
      filled,
      cpu: await measureCpu(ends, prepared, rounds, sizeCalls),
      verbs: await measureVerbs(ends, rounds),
      lists: await measureLists(database, ends),
    };
  } finally {
    await close(ends.empty);
    await close(ends.full);
  }
}

interface End {
  node: BenchNode;
  caller: HttpCaller;
  operator: Operator & { close(): Promise<void> };
}

type Ends = Record<'empty' | 'full', End>;

async function openEnd(database: BenchDatabase, prepared: Prepared, name: string): Promise<End> {
  const operator = await openOperator({ ...nodeOptions, databaseUrl: nodeUrl(database.url(name)) });
  await operator.addUser(admin);
  const node = await startBenchNode(database.url(name));
  return { node, operator, caller: await createHttpCaller(node.url, prepared) };
}

async function close({ node, caller, operator }: End): Promise<void> {
  caller.close();
  await operator.close();
  await node.stop();
}

const inFlight = 4;

/** In turn, so that what else the machine does is the same for both. */
async function measureCpu(ends: Ends, prepared: Prepared, rounds: number, calls: number): Promise<SizeCost['cpu']> {
  const spent = { opening: pair(), vote: pair(), 'sign-in': pair() };
  for (let round = 0; round <= rounds; round += 1)
    for (const which of ['empty', 'full'] as const) {
      const { node, caller } = ends[which];
      const opened: Awaited<ReturnType<HttpCaller['open']>>[] = [];
      const cpu = async (work: (() => Promise<void>)[]): Promise<number> => {
        const before = await node.usage();
        await runRound(inFlight, work);
        return ((await node.usage()).cpu - before.cpu) / work.length;
      };
      const times = (count: number, work: () => Promise<void>) => Array.from({ length: count }, () => work);
      const costs = {
        opening: await cpu(times(calls, async () => void opened.push(await caller.open()))),
        vote: await cpu(opened.map((elicitation) => () => caller.vote(elicitation))),
        'sign-in': await cpu(times(1, async () => void (await signIn(node.url, prepared.user.email)))),
      };
      // The first round warms up.
      if (round > 0) for (const what of ['opening', 'vote', 'sign-in'] as const) spent[what][which].push(costs[what]);
    }
  return (['opening', 'vote', 'sign-in'] as const).map((what) => ({
    what,
    empty: median(spent[what].empty),
    full: median(spent[what].full),
  }));
}

const pair = (): Record<keyof Ends, number[]> => ({ empty: [], full: [] });

async function measureVerbs({ empty, full }: Ends, rounds: number): Promise<SizeCost['verbs']> {
  const team = Array.from({ length: 15 }, (_, at) => personAt(20 + at).email);
  for (const email of team) await empty.operator.addUser({ ...admin, role: 'approver', email });
  const group = 'measured';
  for (const { operator } of [empty, full]) await operator.createGroup(group);
  const verbs: [what: string, run: (operator: Operator, at: number) => Promise<unknown>][] = [
    ['group add', (operator, at) => operator.changeMembers(group, { [at % 2 ? 'remove' : 'add']: team })],
    [
      'user add',
      (operator, at) => operator.inviteUser({ email: `new${at}@example.com`, name: 'New', role: 'approver' }),
    ],
    ['user set', (operator, at) => operator.changeUser('new0@example.com', { name: `New ${at}` })],
    ['server set --owner', (operator, at) => operator.setOwner('payments', team[at] ?? null)],
  ];
  const measured: SizeCost['verbs'] = [];
  for (const [what, run] of verbs) {
    const times = pair();
    for (let at = 0; at < 2 * rounds; at += 1)
      for (const [which, end] of [
        ['empty', empty],
        ['full', full],
      ] as const)
        times[which].push(await timeOf(() => run(end.operator, at)));
    measured.push({ what, empty: median(times.empty), full: median(times.full) });
  }
  return measured;
}

async function measureLists(database: BenchDatabase, ends: Ends): Promise<SizeCost['lists']> {
  const cookies = {
    empty: await signIn(ends.empty.node.url, admin.email),
    full: await signIn(ends.full.node.url, admin.email),
  };
  const lists: SizeCost['lists'] = [];
  for (const path of paths) {
    const [times, spent] = [pair(), pair()];
    let bytes = 0;
    for (let at = 0; at < 5; at += 1)
      for (const which of ['empty', 'full'] as const) {
        const { node } = ends[which];
        const before = await cpuOf(database, node);
        times[which].push(
          await timeOf(async () => {
            bytes = await read(new URL(path, node.url), cookies[which]);
          }),
        );
        spent[which].push((await cpuOf(database, node)) - before);
      }
    lists.push({ path, empty: median(times.empty), full: median(times.full), cpu: median(spent.full), bytes });
  }
  return lists;
}

/** Milliseconds that the node and PostgreSQL have used. */
const cpuOf = async (database: BenchDatabase, node: BenchNode): Promise<number> =>
  ((await node.usage()).cpu + (database.cpu() ?? 0)) / 1000;

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function signIn(url: string, email: string): Promise<string> {
  const response = await fetch(new URL('/api/session', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password: admin.password }),
  });
  if (!response.ok) throw new TypeError(`Sign-in: ${response.status}`);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function read(url: URL, cookie: string): Promise<number> {
  const response = await fetch(url, { headers: { cookie } });
  const text = await response.text();
  if (!response.ok) throw new TypeError(`${url.pathname}${url.search}: ${response.status} ${text}`);
  return text.length;
}
