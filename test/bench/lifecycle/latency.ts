import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { awaitOutcomes, type AwaitedOutcomes } from './awaited-outcomes.ts';
import type { HttpCaller } from './http-caller.ts';
import type { Scale } from './scale.ts';
import { percentile } from '../statistics.ts';

/** Milliseconds from the moment a vote was due to the outcome in the waiting client. */
export interface Latency {
  p50: number;
  p99: number;
  most: number;
}

export interface SteadyLoad {
  perSecond: number;
  seconds: number;
  votes: number;
  sameNode: Latency;
  otherNode: Latency;
}

/** Milliseconds between asking and voting: the question is there before its vote is due. */
const thinking = 500;

/**
 * Votes on a fixed timetable, whatever has happened to the ones before, and counts from the timetable: a server that
 * falls behind cannot slow down the measurement of itself.
 */
export async function measureLatency(here: HttpCaller, there: HttpCaller, scale: Scale): Promise<SteadyLoad> {
  const readers = [awaitOutcomes(), awaitOutcomes()] as const;
  const streams = [await here.listen(readers[0].onOutcome), await there.listen(readers[1].onOutcome)];
  await follow(here, readers, { ...scale, seconds: Math.min(3, scale.seconds) }); // warm
  const latencies = await follow(here, readers, scale);
  for (const stream of streams) stream.close();
  const { rate, seconds } = scale;
  return {
    perSecond: rate,
    seconds,
    votes: latencies.length,
    sameNode: summary(latencies.map(([same]) => same)),
    otherNode: summary(latencies.map(([, other]) => other)),
  };
}

type Pair = [same: number, other: number];

function follow(caller: HttpCaller, readers: readonly AwaitedOutcomes[], { rate, seconds }: Scale): Promise<Pair[]> {
  const start = performance.now() + 100;
  const due = Array.from({ length: Math.ceil(rate * seconds) }, (_, at) => start + thinking + (at * 1000) / rate);
  return Promise.all(due.map((at) => runAt(caller, readers, at)));
}

async function runAt(caller: HttpCaller, readers: readonly AwaitedOutcomes[], due: number): Promise<Pair> {
  await sleep(due - thinking - performance.now());
  const opened = await caller.open();
  const arrivals = Promise.all(readers.map((reader) => reader.arrival(opened.id)));
  await sleep(due - performance.now());
  await caller.vote(opened);
  const [same = Number.NaN, other = Number.NaN] = await arrivals;
  return [same - due, other - due];
}

const summary = (values: number[]): Latency => ({
  p50: percentile(values, 0.5),
  p99: percentile(values, 0.99),
  most: Math.max(...values),
});
