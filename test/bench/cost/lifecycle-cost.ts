import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { BenchDatabase } from '../bench-database.ts';
import { startBenchNode, type BenchNode } from '../bench-node.ts';
import type { Prepared } from '../prepared.ts';
import type { Scale } from '../lifecycle/scale.ts';
import { median } from '../statistics.ts';
import type { Round, RoundCost } from './clients-process.ts';

/** What one lifecycle costs: asked over HTTP, voted on over HTTP, its outcome in the waiting client. */
export interface LifecycleCost {
  inFlight: number;
  perSecond: number;
  /** Microseconds of CPU; PostgreSQL's is null if the system does not tell. */
  node: number;
  postgres: number | null;
  /** The MCP server with the client library and the approver together. */
  clients: number;
  /** What the node sends, with its loops' share. */
  statements: number;
  /** Bytes that PostgreSQL writes ahead. */
  wal: number;
  /** Bytes by which the database grows, measured after a VACUUM. */
  disk: number;
}

/** Rounds through the public doors, each process's CPU by itself: it holds on a shared machine, where the rate does not. */
export async function measureCost(
  database: BenchDatabase,
  prepared: Prepared,
  { lifecycles, rounds }: Scale,
): Promise<LifecycleCost> {
  const [inFlight = 1, most = 1] = lifecycles.at(-1) ?? [];
  const count = Math.ceil(most / 2);
  const node = await startBenchNode(database.url('cost'));
  const clients = await startClients(node.url, prepared);
  try {
    await clients.run({ inFlight, count });
    const costs: Spent[] = [];
    const before = await database.size('cost');
    for (let at = 0; at < rounds; at += 1) costs.push(await measureOnce({ database, node, clients }, inFlight, count));
    return { ...middle(costs), disk: ((await database.size('cost')) - before) / rounds / count };
  } finally {
    clients.stop();
    await node.stop();
  }
}

interface Parts {
  database: BenchDatabase;
  node: BenchNode;
  clients: Clients;
}

/** What each round tells. */
type Spent = Omit<LifecycleCost, 'disk'>;

async function measureOnce(parts: Parts, inFlight: number, count: number): Promise<Spent> {
  const before = await readCounters(parts);
  const { perSecond, cpu } = await parts.clients.run({ inFlight, count });
  const after = await readCounters(parts);
  const each = (name: 'node' | 'statements' | 'wal'): number => (after[name] - before[name]) / count;
  const [first, last] = [before.postgres, after.postgres];
  return {
    inFlight,
    perSecond,
    node: each('node'),
    postgres: first === null || last === null ? null : (last - first) / count,
    clients: cpu / count,
    statements: each('statements'),
    wal: each('wal'),
  };
}

async function readCounters({ database, node }: Parts) {
  const { cpu, statements } = await node.usage();
  return { node: cpu, statements, postgres: database.cpu(), wal: await database.wal() };
}

function middle(costs: Spent[]): Spent {
  const of = (pick: (cost: Spent) => number | null): number =>
    median(costs.map(pick).filter((value) => value !== null));
  return {
    inFlight: of(({ inFlight }) => inFlight),
    perSecond: of(({ perSecond }) => perSecond),
    node: of(({ node }) => node),
    postgres: costs.some(({ postgres }) => postgres === null) ? null : of(({ postgres }) => postgres),
    clients: of(({ clients }) => clients),
    statements: of(({ statements }) => statements),
    wal: of(({ wal }) => wal),
  };
}

interface Clients {
  run(round: Round): Promise<RoundCost>;
  stop(): void;
}

const program = path.join(import.meta.dirname, `clients-process${path.extname(import.meta.filename)}`);

async function startClients(url: string, prepared: Prepared): Promise<Clients> {
  const child = fork(program, [url, JSON.stringify(prepared)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new TypeError(`The clients ended with ${String(code)}.`);
  });
  ended.catch(() => {}); // also rejects when it is no longer awaited
  await Promise.race([once(child, 'message'), ended]);
  return {
    async run(round) {
      child.send(round);
      const [cost] = (await Promise.race([once(child, 'message'), ended])) as [RoundCost];
      return cost;
    },
    stop: () => child.disconnect(),
  };
}
