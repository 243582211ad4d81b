import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { closeWindow, countOne, type Tally } from '#audit/entries/verbs';

const window = 10;

test('the first is reported at once, repetitions when the window ends', () => {
  const first = countOne(undefined, 100, window);
  expect(first.reportCount).toBe(1);
  const second = countOne(first.tally, 105, window);
  const third = countOne(second.tally, 109, window);
  expect([second.reportCount, third.reportCount]).toEqual([0, 0]);
  expect(closeWindow(third.tally, 109, window).reportCount).toBe(0);
  expect(closeWindow(third.tally, 110, window)).toEqual({ tally: { since: 110, count: 0 }, reportCount: 2 });
  expect(closeWindow(first.tally, 110, window)).toEqual({ tally: null, reportCount: 0 });
});

test('one entry a window at most, and none is lost, whenever they come and windows are closed', () => {
  const step = fc.record({ wait: fc.nat(15), isClose: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      let tally: Tally | null = null;
      let [now, happened, reportCount] = [0, 0, 0];
      const entries: number[] = [];
      for (const { wait, isClose } of steps) {
        now += wait;
        if (isClose && !tally) continue;
        const next: { tally: Tally | null; reportCount: number } =
          isClose && tally ? closeWindow(tally, now, window) : countOne(tally ?? undefined, now, window);
        if (!isClose) happened += 1;
        tally = next.tally;
        reportCount += next.reportCount;
        if (next.reportCount > 0) entries.push(now);
      }
      const last = tally ? closeWindow(tally, Infinity, window).reportCount : 0;
      expect(reportCount + last).toBe(happened);
      expect(entries.every((at, index) => index === 0 || at - entries[index - 1]! >= window)).toBe(true);
    }),
  );
});
