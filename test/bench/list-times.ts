import pg from 'pg';
import type { BenchDatabase } from './bench-database.ts';
import { startBenchNode } from './bench-node.ts';
import { createHttpCaller } from './http-caller.ts';
import type { Prepared } from './prepared.ts';
import type { Scale } from './scale.ts';
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

/** Copies of the one request that was asked: nothing but the lists reads them. */
export async function fillLists(
  connectionString: string,
  { open, closed }: { open: number; closed: number },
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const { rows } = await client.query<{ name: string }>(columns);
    const others = rows.map(({ name }) => `"${name}"`).join(', ');
    await client.query(copies({ others, status: 'open', closedAt: 'NULL' }), [open]);
    await client.query(copies({ others, status: 'accepted', closedAt: "e.opened_at - at * interval '1 s'" }), [closed]);
    await client.query('VACUUM ANALYZE elicitation');
  } finally {
    await client.end();
  }
}

const own = ['id', 'tool_call_id', 'status', 'opened_at', 'closed_at', 'deadline_at', 'wish', 'risk', 'tool'];
const columns = `SELECT column_name AS name FROM information_schema.columns
  WHERE table_name = 'elicitation' AND column_name NOT IN (${own.map((name) => `'${name}'`).join(', ')})`;

const copies = ({ others, status, closedAt }: { others: string; status: string; closedAt: string }): string => `
  INSERT INTO elicitation (${own.join(', ')}, ${others})
  SELECT 'eli_' || rpad('${status}', 8, '-') || lpad(at::text, 14, '0'), 'call_${status}' || at, '${status}', e.opened_at - at * interval '1 s', ${closedAt},
      e.deadline_at + at % 90000 * interval '1 s', at, (ARRAY['low', 'medium', 'high'])[1 + at % 3],
      'tool_' || at % 40, ${others}
    FROM (SELECT * FROM elicitation LIMIT 1) AS e, generate_series(1, $1::int) AS at`;
