import { randomUUID } from 'node:crypto';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { BenchDatabase } from '../bench-database.ts';
import { startBenchNode, type BenchNode } from '../bench-node.ts';
import type { Prepared } from '../prepared.ts';
import { question } from '../question.ts';
import { startProbe } from '../start-probe.ts';
import { percentile } from '../statistics.ts';

/** What arguments near each limit cost: milliseconds of the node's CPU, which a busy machine does not inflate. */
export interface WorstArguments {
  kinds: { kind: string; bytes: number; opening: number; page: number }[];
  /** The first page of a list whose rows all have the most expensive arguments. */
  list: number;
  /** Milliseconds of the slowest answer of /healthz meanwhile. */
  silent: number;
}

const rows = 50;
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const keyed = <T>(count: number, make: (at: number) => [key: string, value: T]) =>
  Object.fromEntries(times(count, make));

/** Near the limits of members (10,000 in all) and of size. */
const kinds: Record<string, object> = {
  'many keys': keyed(9_900, (at) => [`k${at}`, at]),
  'many amounts': keyed(4_000, (at) => [`amount_cents_${at}`, at * 100]),
  'long keys': keyed(40, (at) => [`${'k'.repeat(4_000)}${at}`, at]),
  'one long text': { text: 'word '.repeat(48_000) },
  'one long word': { text: 'a'.repeat(240_000) },
  'hidden characters': { text: 'e\u0301\u202e\u200b'.repeat(25_000) },
  'stacked marks': { text: `a${'\u0301'.repeat(50)}`.repeat(2_000) },
  addresses: { urls: times(4_000, (at) => `https://xn--pple-43d.com/a?b=${at}&c=@x%20y#z`) },
  'a statement': { query: `SELECT * FROM t WHERE ${times(12_000, (at) => `a${at} = ${at}`).join(' OR ')}` },
  'like objects': {
    lines: times(1_900, (at) => ({ sku: `A${at}`, amount: at * 1.5, currency: 'EUR', to: `DE${at}` })),
  },
  'unlike objects': { lines: times(1_600, (at) => ({ [`k${at}`]: at, b: [at, { c: 'x' }] })) },
  numbers: { n: times(9_900, (at) => 1e15 + at + 0.5) },
  'a change of a file': { patch: times(6_000, (at) => `-old line ${at}\n+new line ${at} with more`).join('\n') },
};

export async function measureWorstArguments(database: BenchDatabase, prepared: Prepared): Promise<WorstArguments> {
  const node = await startBenchNode(database.url('worst'));
  const health = await startProbe(new URL('/healthz', node.url));
  try {
    const cookie = await signIn(node.url, prepared);
    const open = (args: object) => openAt(node.url, prepared.key, args);
    const read = async (path: string): Promise<void> => {
      const response = await fetch(new URL(path, node.url), { headers: { cookie } });
      if (!response.ok) throw new TypeError(`${path}: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    };
    await open(question.arguments); // warms up
    const measured: WorstArguments['kinds'] = [];
    for (const [kind, args] of Object.entries(kinds)) {
      let id = '';
      const opening = await cpuOf(node, async () => void (id = (await open(args)).id));
      const page = await cpuOf(node, () => read(`/api/elicitations/${id}`));
      measured.push({ kind, bytes: JSON.stringify(args).length, opening, page });
    }
    const worst = measured.toSorted((a, b) => b.page - a.page)[0]?.kind ?? '';
    for (const args of times(rows, () => kinds[worst] ?? {})) await open(args);
    const list = await cpuOf(node, () => read('/api/elicitations?view=mine'));
    return { kinds: measured, list, silent: percentile(await health.stop(), 1) };
  } finally {
    await node.stop();
  }
}

async function cpuOf(node: BenchNode, work: () => Promise<void>): Promise<number> {
  const before = await node.usage();
  await work();
  return ((await node.usage()).cpu - before.cpu) / 1000;
}

async function openAt(url: string, key: string, args: unknown): Promise<OpenedElicitation> {
  const response = await fetch(new URL('/v1/elicitations', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ ...question, arguments: args, call: randomUUID() }),
  });
  if (!response.ok) throw new TypeError(`${response.status} ${await response.text()}`);
  return (await response.json()) as OpenedElicitation;
}

async function signIn(url: string, { user: { email }, password }: Prepared): Promise<string> {
  const response = await fetch(new URL('/api/session', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
