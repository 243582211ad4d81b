import { afterEach, expect, jest, test } from '@jest/globals';
import pino from 'pino';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';

const log = pino({ level: 'silent' });
let loop: Loop | undefined;
afterEach(async () => {
  await loop?.stop();
  jest.useRealTimers();
});

/** A loop whose turns end when told, and how many there were. */
function startLoop(delay: number) {
  jest.useFakeTimers();
  const turns: (() => void)[] = [];
  const work = (): Promise<void> => new Promise((resolve) => void turns.push(resolve));
  loop = createLoop(delay, log, 'a test', work);
  loop.start();
  return { loop, turns, end: async () => (turns.at(-1)?.(), await jest.advanceTimersByTimeAsync(0)) };
}

test('a turn follows the end of the one before after the pause, sooner where asked, never later', async () => {
  const { turns, end, loop: looping } = startLoop(5000);
  await end();
  await jest.advanceTimersByTimeAsync(4999);
  expect(turns).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(turns).toHaveLength(2);
  await end();
  looping.within(200);
  await jest.advanceTimersByTimeAsync(100);
  looping.within(200); // changes nothing: one is due sooner
  await jest.advanceTimersByTimeAsync(100);
  expect(turns).toHaveLength(3);
  await end();
});

test('what is asked for while a turn runs comes after it, never next to it', async () => {
  const { turns, end, loop: looping } = startLoop(5000);
  looping.within(200);
  await jest.advanceTimersByTimeAsync(1000);
  expect(turns).toHaveLength(1);
  await end();
  await jest.advanceTimersByTimeAsync(200);
  expect(turns).toHaveLength(2);
  await end();
});

test('stopping waits for the turn that runs, and no other comes', async () => {
  const { turns, end, loop: looping } = startLoop(5000);
  let isStopped = false;
  const stopped = looping.stop().then(() => (isStopped = true));
  await jest.advanceTimersByTimeAsync(10_000);
  expect(isStopped).toBe(false);
  await end();
  await stopped;
  looping.within(0);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(turns).toHaveLength(1);
  loop = undefined;
});

test('work that fails again and again waits longer each time, until it works or is told that the fault is over', async () => {
  jest.useFakeTimers();
  let isBroken = true;
  let turns = 0;
  const failing = createLoop(1_000, log, 'a test', async () => {
    turns += 1;
    if (isBroken) throw new Error('no');
  });
  loop = failing;
  failing.start();
  const turnsAfter = async (ms: number): Promise<number> => {
    await jest.advanceTimersByTimeAsync(ms);
    return turns;
  };
  expect(await turnsAfter(2_000)).toBe(3);
  failing.within(0); // asked for by what waits, and not heard
  expect(await turnsAfter(1_999)).toBe(3);
  expect(await turnsAfter(1)).toBe(4);
  expect(await turnsAfter(3_999)).toBe(4);
  expect(await turnsAfter(1)).toBe(5);
  await jest.advanceTimersByTimeAsync(3_600_000);
  const after = turns;
  expect(await turnsAfter(300_000)).toBe(after + 1); // five minutes at most
  expect(failing.failures()).toBe(turns);
  isBroken = false;
  failing.retry();
  expect(await turnsAfter(0)).toBe(after + 2);
  expect(failing.failures()).toBe(0);
  expect(await turnsAfter(1_000)).toBe(after + 3);
});
