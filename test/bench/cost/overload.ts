import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase } from '../bench-database.ts';
import { startBenchNode } from '../bench-node.ts';
import type { Prepared } from '../prepared.ts';
import { question } from '../question.ts';
import type { Scale } from '../lifecycle/scale.ts';
import { startProbe } from '../start-probe.ts';
import { percentile, round } from '../statistics.ts';

/** What a node answers that has more to do than it can. Times are milliseconds. */
export interface Overload {
  inFlight: number;
  opened: { perSecond: number; p50: number; p99: number };
  refused: { count: number; p99: number };
  /** `/readyz`, asked all the while. */
  ready: { count: number; p99: number; most: number };
}

const inFlight = 300;

/** So many callers of one server open requests as fast as they can, and come again when they are told to. */
export async function measureOverload(database: BenchDatabase, { key }: Prepared, scale: Scale): Promise<Overload> {
  const node = await startBenchNode(database.url('overload'), { isBounded: true });
  const agent = new Agent({ keepAlive: true });
  try {
    await run(node.url, agent, key, Math.min(2, scale.seconds)); // warm
    return await run(node.url, agent, key, scale.seconds);
  } finally {
    agent.destroy();
    await node.stop();
  }
}

async function run(url: string, agent: Agent, key: string, seconds: number): Promise<Overload> {
  const probe = await startProbe(new URL('/readyz', url));
  const end = performance.now() + seconds * 1000;
  const [opened, refused]: [number[], number[]] = [[], []];
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const { status, milliseconds } = await open(url, agent, key);
      (status === 201 ? opened : refused).push(milliseconds);
      if (status !== 201) await sleep(1000);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  const ready = await probe.stop();
  return {
    inFlight,
    opened: { perSecond: round(opened.length / seconds), p50: share(opened, 0.5), p99: share(opened, 0.99) },
    refused: { count: refused.length, p99: share(refused, 0.99) },
    ready: { count: ready.length, p99: share(ready, 0.99), most: share(ready, 1) },
  };
}

const share = (times: number[], part: number): number => round(percentile(times, part));

function open(url: string, agent: Agent, key: string): ReturnType<typeof send> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return send(`${url}/v1/elicitations`, agent, headers, JSON.stringify({ ...question, call: randomUUID() }));
}

function send(
  url: string,
  agent: Agent,
  headers: Record<string, string> = {},
  body?: string,
): Promise<{ status: number; milliseconds: number }> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (response) => {
      const answer = (): void =>
        resolve({ status: response.statusCode ?? 0, milliseconds: performance.now() - startedAt });
      response.on('end', answer).resume();
    })
      .on('error', reject)
      .end(body);
  });
}
