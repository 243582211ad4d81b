import { median, percentile } from '../statistics.ts';
import { prepareDatabases } from '../prepared.ts';
import { startPeer, type BenchPeer, type Used, type Worked } from './bench-peer.ts';
import { installPeers } from './install.ts';
import { startPeersDatabase } from './peers-database.ts';
import { peers, type PeerName } from './peers.ts';

export interface PeersScale {
  inFlight: number[];
  /** Seconds of one piece of work, of the time to get warm, and of the steady load. */
  seconds: number;
  warm: number;
  steady: number;
  rounds: number;
}

export const fullPeers: PeersScale = { inFlight: [1, 32, 256], seconds: 4, warm: 5, steady: 10, rounds: 3 };
export const quickPeers: PeersScale = { inFlight: [1, 32], seconds: 0.3, warm: 0.1, steady: 0.5, rounds: 1 };

/** What one lifecycle of a peer costs: a question kept, answered by another process, its waiter resumed. */
export interface PeerResult {
  name: PeerName;
  /** Why there is nothing else. */
  reason?: string;
  perSecond: { inFlight: number; perSecond: number }[];
  /** For one lifecycle, with 32 in flight or the nearest below. */
  used?: Used;
  /** Milliseconds from the start of answering to the resumed code, at a steady 40 a second. */
  resume?: { p50: number; p95: number; p99: number };
}

const steadyRate = 40;

/** All peers in one run: in each round, every peer starts, gets warm, works and stops, so that none works while another is measured. */
export async function comparePeers(
  names: PeerName[],
  scale: PeersScale,
  say: (sentence: string) => void,
): Promise<PeerResult[]> {
  if (names.some((name) => peers[name].isForeign)) installPeers(say);
  const database = await startPeersDatabase();
  try {
    const prepared = await prepareDatabases(database.bench, []);
    const runs = names.map((name) => ({ name, rounds: [] as Round[], reason: undefined as string | undefined }));
    for (let at = 0; at < scale.rounds; at += 1)
      for (const run of runs.filter(({ reason }) => !reason)) {
        say(`Round ${at + 1} of ${scale.rounds}: ${run.name} …`);
        const start = () => startPeer(run.name, database, prepared);
        await measureRound(start, scale).then(
          (round) => run.rounds.push(round),
          (error: unknown) => (run.reason = firstLine(error)),
        );
      }
    return runs.map(({ name, rounds, reason }) => (reason ? { name, reason, perSecond: [] } : summarize(name, rounds)));
  } finally {
    await database.stop();
  }
}

interface Round {
  loads: { inFlight: number; worked: Worked }[];
  steady: Worked;
}

async function measureRound(start: () => Promise<BenchPeer>, scale: PeersScale): Promise<Round> {
  const peer = await start();
  try {
    await peer.run({ inFlight: 32, seconds: scale.warm });
    const loads: Round['loads'] = [];
    for (const inFlight of scale.inFlight)
      loads.push({ inFlight, worked: await peer.run({ inFlight, seconds: scale.seconds }) });
    return { loads, steady: await peer.run({ perSecond: steadyRate, seconds: scale.steady }) };
  } finally {
    await peer.stop();
  }
}

function summarize(name: PeerName, rounds: Round[]): PeerResult {
  const levels = rounds[0]?.loads.map(({ inFlight }) => inFlight) ?? [];
  const at = (level: number): Worked[] =>
    rounds.flatMap(({ loads }) => loads.filter(({ inFlight }) => inFlight === level).map(({ worked }) => worked));
  const usual = at(levels.findLast((level) => level <= 32) ?? 1);
  const latencies = rounds.flatMap(({ steady }) => steady.latencies);
  return {
    name,
    perSecond: levels.map((inFlight) => ({
      inFlight,
      perSecond: median(at(inFlight).map(({ count, seconds }) => count / seconds)),
    })),
    used: {
      asker: each(usual, 'asker') ?? Number.NaN,
      answerer: each(usual, 'answerer') ?? Number.NaN,
      server: each(usual, 'server'),
      postgres: each(usual, 'postgres'),
      statements: each(usual, 'statements') ?? Number.NaN,
      wal: each(usual, 'wal') ?? Number.NaN,
    },
    resume: { p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95), p99: percentile(latencies, 0.99) },
  };
}

/** The median over the rounds. */
function each(worked: Worked[], what: keyof Used): number | null {
  const values = worked.flatMap(({ used, count }) => (used[what] === null ? [] : [used[what] / count]));
  return values.length === worked.length ? median(values) : null;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
