import { afterEach, expect, jest, test } from '@jest/globals';
import pino from 'pino';
import { Problem } from '#platform/model/problem';
import { createHealth } from '#platform/nodes/verbs/health';
import { type Loop, createStoringLoop } from '#platform/nodes/loops/loop';

let loop: Loop | undefined;
afterEach(async () => {
  await loop?.stop();
  jest.useRealTimers();
});

test('two looks in a row make the node not ready, one makes it ready again', async () => {
  jest.useFakeTimers();
  const health = createHealth(() => 0);
  let fault: Problem | null = null;
  loop = createStoringLoop(health, async () => fault, pino({ level: 'silent' }));
  const isReady = async (ms: number): Promise<boolean> => {
    await jest.advanceTimersByTimeAsync(ms);
    try {
      health.assertStores(0);
      return true;
    } catch {
      return false;
    }
  };
  loop.start();
  expect(await isReady(0)).toBe(true);
  fault = new Problem('database-unavailable');
  expect(await isReady(60_000)).toBe(true); // one connection that failed
  expect(await isReady(5_000)).toBe(false);
  fault = null;
  expect(await isReady(5_000)).toBe(true);
});
