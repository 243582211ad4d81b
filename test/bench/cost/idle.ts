import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase } from '../bench-database.ts';
import { openSyslogReceiver } from '../../audit/streams/syslog-receiver.ts';
import { certificate } from '../../notify/certificate.ts';
import { startBenchNode, type BenchNode } from '../bench-node.ts';
import type { Scale } from '../lifecycle/scale.ts';

/** What a node does while no one calls it and nothing is due, next to another one. Both stream the log twice. */
export interface Idle {
  seconds: number;
  /** Each in a second; CPU in microseconds. */
  statements: number;
  cpu: number;
}

export async function measureIdle(database: BenchDatabase, { idle: seconds }: Scale): Promise<Idle> {
  const receivers = [await openSyslogReceiver(), await openSyslogReceiver()];
  const streams = receivers.map(({ url }, at) => ({ name: `stream-${at}`, format: 'jsonl' as const, url }));
  const ways = { streams, secret: null, tls: { ca: certificate.cert } };
  const start = (): Promise<BenchNode> => startBenchNode(database.url('idle'), { ways });
  const nodes = [await start(), await start()];
  const usage = (): Promise<{ cpu: number; statements: number }[]> => Promise.all(nodes.map((node) => node.usage()));
  try {
    await sleep(seconds * 1000); // what a start does is over
    const before = sum(await usage());
    await sleep(seconds * 1000);
    const after = sum(await usage());
    const share = (what: 'cpu' | 'statements'): number => (after[what] - before[what]) / nodes.length / seconds;
    return { seconds, statements: share('statements'), cpu: share('cpu') };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await Promise.all(receivers.map((receiver) => receiver.stop()));
  }
}

const sum = (usages: { cpu: number; statements: number }[]) => ({
  cpu: usages.reduce((total, { cpu }) => total + cpu, 0),
  statements: usages.reduce((total, { statements }) => total + statements, 0),
});
