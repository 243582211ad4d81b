import type { BenchDatabase } from './bench-database.ts';
import { startBenchNode } from './bench-node.ts';
import { fillLists } from './cost/fill-lists.ts';
import { createHttpCaller } from './lifecycle/http-caller.ts';
import type { Prepared } from './prepared.ts';
import type { Scale } from './lifecycle/scale.ts';
import { median } from './statistics.ts';

/** How long the console's lists take in a large installation. */
export interface ListTimes {
  open: number;
  closed: number;
  /** Milliseconds: the median of a few pages each, through HTTP, for an approver whom all of them name, or few. */
  lists: { of: Reader; query: string; milliseconds: number }[];
}

type Reader = 'all' | 'few';

const queries = [
  'view=mine',
  'view=mine&order=risk',
  'view=all',
  'view=all&order=newest',
  'view=all&tool=tool_7',
  'view=done',
  'view=done&tool=tool_7',
  'view=done&server=payments',
  'view=done&status=declined',
];
const pages = 5;

export async function measureLists(
  database: BenchDatabase,
  prepared: Prepared,
  { lists: { open, closed } }: Scale,
): Promise<ListTimes> {
  const node = await startBenchNode(database.url('lists'));
  const { user, another } = prepared;
  const [all, few] = [
    await createHttpCaller(node.url, prepared),
    await createHttpCaller(node.url, { ...prepared, user: another }),
  ];
  try {
    await all.open();
    await fillLists(database.url('lists'), { open, closed, often: user.id, seldom: another.id });
    const lists: ListTimes['lists'] = [];
    for (const [of, caller] of [
      ['all', all],
      ['few', few],
    ] as const)
      for (const query of queries) lists.push({ of, query, milliseconds: await time(() => caller.list(query)) });
    return { open, closed, lists };
  } finally {
    all.close();
    few.close();
    await node.stop();
  }
}

async function time(read: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < pages; at += 1) {
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  return median(times);
}
