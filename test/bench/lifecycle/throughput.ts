import pg from 'pg';
import { findServer } from '#access/keys/verbs/keys';
import { startServer, type RunningServer } from '#server/server';
import { startOptions } from '#platform/database/connection';
import { makeBareLifecycle, recordLifecycle, runBareLifecycle, type Recording } from './bare-lifecycle.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { runEngineLifecycle, type Actors } from './engine-lifecycle.ts';
import { nodeOptions, type Prepared } from '../prepared.ts';
import { measureRound, runRound, type Cost } from './rounds.ts';
import type { Scale } from './scale.ts';
import { median } from '../statistics.ts';
import { rowsOf, watchStatements, type SeenStatement } from '../statement-watch.ts';
import { nodeUrl } from '../../support/databases/node-login.ts';

export interface Throughput {
  inFlight: number;
  engine: Cost;
  bare: Cost;
  /** The engine's rate over the bare SQL's: the median over pairs of neighbouring rounds. */
  ratio: number;
  /** Rows in one statement of the engine, on average. */
  batch: Record<'open' | 'read' | 'change', number>;
  /** PostgreSQL's part of the CPU that the engine's lifecycles used. */
  postgresShare: number | null;
}

/** Lifecycles by the engine's verbs in a whole node, and the same SQL by a bare pool, in alternating rounds. */
export async function measureThroughput(
  database: BenchDatabase,
  prepared: Prepared,
  scale: Scale,
): Promise<Throughput[]> {
  const node = await startServer({ ...nodeOptions, databaseUrl: nodeUrl(database.url('engine')) });
  try {
    const actors = await findActors(node, prepared);
    const recording = await recordOne(node, actors);
    const results: Throughput[] = [];
    for (const [inFlight, count] of scale.lifecycles) {
      // As the engine's own pool: else the bare SQL would keep plans made for empty tables.
      const pool = new pg.Pool({ connectionString: database.url('bare'), max: inFlight, options: startOptions() });
      const parts = { node, actors, recording, pool, database, inFlight, count };
      results.push(await alternate(parts, scale.rounds).finally(() => pool.end()));
    }
    return results;
  } finally {
    await node.stop();
  }
}

interface Parts {
  node: RunningServer;
  actors: Actors;
  recording: Recording;
  pool: pg.Pool;
  database: BenchDatabase;
  inFlight: number;
  count: number;
}

async function findActors({ engine }: RunningServer, { user, key }: Prepared): Promise<Actors> {
  const server = await findServer(engine, key, undefined);
  if (!server) throw new TypeError('The key is not known.');
  return { server, user };
}

async function recordOne({ engine }: RunningServer, actors: Actors): Promise<Recording> {
  const stop = watchStatements();
  await runEngineLifecycle(engine, actors);
  return recordLifecycle(stop());
}

async function alternate(parts: Parts, rounds: number): Promise<Throughput> {
  const { inFlight, database } = parts;
  await runRound(inFlight, engineWork(parts, Math.ceil(parts.count / 4)));
  await runRound(inFlight, bareWork(parts, Math.ceil(parts.count / 4)));
  const engine: Cost[] = [];
  const bare: Cost[] = [];
  for (let at = 0; at < rounds; at += 1) {
    engine.push(await measureRound(inFlight, engineWork(parts, parts.count), database.cpu));
    bare.push(await measureRound(inFlight, bareWork(parts, parts.count), database.cpu));
  }
  const cost = middle(engine);
  return {
    inFlight,
    engine: cost,
    bare: middle(bare),
    ratio: median(engine.map(({ perSecond }, at) => perSecond / (bare[at]?.perSecond ?? Number.NaN))),
    batch: await observeBatches(parts),
    postgresShare: cost.postgresCpu === null ? null : cost.postgresCpu / (cost.postgresCpu + cost.nodeCpu),
  };
}

const engineWork = ({ node, actors }: Parts, count: number): (() => Promise<void>)[] =>
  Array.from({ length: count }, () => () => runEngineLifecycle(node.engine, actors));

const bareWork = ({ pool, recording }: Parts, count: number): (() => Promise<void>)[] =>
  Array.from({ length: count }, () => {
    const lifecycle = makeBareLifecycle(recording);
    return () => runBareLifecycle(pool, recording, lifecycle);
  });

function middle(costs: Cost[]): Cost {
  const postgres = costs.flatMap(({ postgresCpu }) => (postgresCpu === null ? [] : [postgresCpu]));
  return {
    perSecond: median(costs.map(({ perSecond }) => perSecond)),
    nodeCpu: median(costs.map(({ nodeCpu }) => nodeCpu)),
    postgresCpu: postgres.length === costs.length ? median(postgres) : null,
  };
}

/** In a round of its own, since looking costs time. */
async function observeBatches(parts: Parts): Promise<Throughput['batch']> {
  const stop = watchStatements();
  await runRound(parts.inFlight, engineWork(parts, Math.ceil(parts.count / 4)));
  const statements = stop();
  const mean = (kind: SeenStatement['kind']): number => {
    const sizes = statements
      .filter((statement) => statement.kind === kind)
      .map((statement) => rowsOf(statement).length);
    return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  };
  return { open: mean('open'), read: mean('read'), change: mean('change') };
}
