import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { compiled } from '../support/compiled.ts';
import { percentile } from './statistics.ts';

const run = promisify(execFile);

test('the bench prints one JSON document with every figure, and nothing else', async () => {
  const parameters = [compiled('test/bench/bench.ts'), '--quick', '--json'];
  const { stdout } = await run(process.execPath, parameters);
  const latency = { p50: expect.any(Number), p99: expect.any(Number), most: expect.any(Number) };
  const cost = { perSecond: expect.any(Number), nodeCpu: expect.any(Number) };
  const overhead = {
    calls: 20,
    added: { p50: expect.any(Number), p99: expect.any(Number) },
    perSecond: { direct: expect.any(Number), gated: expect.any(Number) },
  };
  expect(JSON.parse(stdout)).toMatchObject({
    scale: 'quick',
    machine: { node: process.version, postgres: expect.any(String), cores: expect.any(Number) },
    lifecycles: [1, 8, 32].map((inFlight) => ({
      inFlight,
      engine: cost,
      bare: cost,
      ratio: expect.any(Number),
      batch: { open: expect.any(Number), read: expect.any(Number), change: expect.any(Number) },
    })),
    cost: {
      inFlight: 32,
      perSecond: expect.any(Number),
      node: expect.any(Number),
      clients: expect.any(Number),
      statements: expect.any(Number),
      wal: expect.any(Number),
      disk: expect.any(Number),
    },
    http: [1, 8, 32].map((inFlight) => ({ inFlight, perSecond: expect.any(Number) })),
    steadyLoad: { perSecond: 40, votes: 20, sameNode: latency, otherNode: latency },
    memory: {
      stream: { held: 50, rss: expect.any(Number), heap: expect.any(Number) },
      longPoll: { held: 10, rss: expect.any(Number), heap: expect.any(Number) },
    },
    matching: { policies: 200, compile: expect.any(Number), perSecond: expect.any(Number) },
    lists: {
      open: 100,
      closed: 100,
      lists: expect.arrayContaining([{ of: 'few', query: 'view=mine', milliseconds: expect.any(Number) }]),
    },
    idle: { statements: expect.any(Number), cpu: expect.any(Number) },
    consoles: { open: 20, reached: { p50: expect.any(Number) }, statements: expect.any(Number) },
    overload: { inFlight: 300, ready: { p99: expect.any(Number) } },
    gateway: {
      stdio: overhead,
      http: overhead,
      load: {
        allowed: { calls: 200, perSecond: expect.any(Number), memory: { second: expect.any(Number) } },
        held: { calls: 20, seconds: expect.any(Number), memory: expect.any(Number) },
      },
      weight: { servers: 2, memory: expect.any(Number), start: { direct: expect.any(Number) } },
    },
    log: {
      entries: expect.any(Number),
      searches: expect.arrayContaining([{ filter: 'tool=rare', milliseconds: expect.any(Number) }]),
      proof: { count: 20, p50: expect.any(Number), p99: expect.any(Number) },
      verified: { perSecond: expect.any(Number), seconds: expect.any(Number) },
      export: { perSecond: expect.any(Number), memory: { second: expect.any(Number) } },
    },
    goals: Array.from({ length: 20 }, () => ({ bound: expect.any(Number), isMet: expect.any(Boolean) })),
  });
}, 600_000);

test('lifecycles of others are measured in the same way, and without packages the bare ones', async () => {
  const parameters = [compiled('test/bench/bench.ts'), '--peers', '--only', 'Bare pg,Assentry', '--quick', '--json'];
  const { stdout } = await run(process.execPath, parameters);
  const used = { asker: expect.any(Number), answerer: expect.any(Number), wal: expect.any(Number) };
  const resume = { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) };
  const perSecond = [1, 32].map((inFlight) => ({ inFlight, perSecond: expect.any(Number) }));
  expect(JSON.parse(stdout)).toEqual([
    { name: 'Bare pg', perSecond, used: expect.objectContaining({ ...used, server: null, statements: 3 }), resume },
    { name: 'Assentry', perSecond, used: expect.objectContaining(used), resume },
  ]);
}, 600_000);

test.each([
  [[5], 0.99, 5],
  [[4, 1, 3, 2], 0.5, 2],
  [Array.from({ length: 1000 }, (_, at) => at + 1), 0.99, 990],
])('a percentile is the value at its rank', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});
