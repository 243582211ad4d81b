import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import pino from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { ElicitationChange } from '#requests/state/store/row';
import type { Opening } from '#requests/asking/store/opening';
import { createAlarm, type Alarm, type Loop } from '#platform/nodes/loops/loop';
import { createTimerLoop } from '#requests/state/loops';

let loop: Loop;
let alarm: Alarm;
/** When it looked for what is due, in milliseconds after its start, and what it is told next. */
let looks: number[];
let nextAt: number | null;
beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  [looks, nextAt] = [[], null];
  const take = async (now: number) => (looks.push(now), { ids: [], nextAt });
  alarm = createAlarm();
  loop = createTimerLoop({ dueTimers: { take }, now: Date.now } as unknown as Engine, alarm, pino({ level: 'silent' }));
  loop.start();
});
afterEach(async () => {
  await loop.stop();
  jest.useRealTimers();
});

test('without a sign it looks twice a minute', async () => {
  await jest.advanceTimersByTimeAsync(60_100);
  expect(looks).toEqual([0, 30_000, 60_000]);
});

test('it looks just after the next timer that it was told of with what is due', async () => {
  nextAt = 700;
  await loop.stop();
  loop.start();
  nextAt = null;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(looks.slice(1)).toEqual([0, 705]);
});

test('it looks just after each timer that this node has stored, and after none that it has not', async () => {
  const states = [
    { timers: [{ at: 900 }, { at: 300 }] },
    { timers: [] },
    { timers: [{ at: 200 }] },
    { timers: [{ at: 500 }] },
  ];
  let isStored = true;
  const { open, change } = alarm.watching({ open: async () => isStored, change: async () => isStored });
  for (const state of states.slice(0, 2)) await open({ elicitation: { state } } as unknown as Opening);
  isStored = false;
  await open({ elicitation: { state: states[2] } } as unknown as Opening);
  await jest.advanceTimersByTimeAsync(400);
  isStored = true;
  await change({ state: states[3] } as unknown as ElicitationChange);
  await jest.advanceTimersByTimeAsync(400);
  expect(looks).toEqual([0, 305, 505]);
});
