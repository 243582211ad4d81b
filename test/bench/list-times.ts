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
  /** Milliseconds: the median of a few pages each, through HTTP. */
  lists: { query: string; milliseconds: number }[];
}

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
  const caller = await createHttpCaller(node.url, prepared);
  try {
    await caller.open();
    await fillLists(database.url('lists'), { open, closed });
    const lists: ListTimes['lists'] = [];
    for (const query of queries) lists.push({ query, milliseconds: await time(() => caller.list(query)) });
    return { open, closed, lists };
  } finally {
    caller.close();
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
