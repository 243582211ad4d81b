import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mayAsk, SlidingWindow } from '#sdk/host/handler';

const minute = 60_000;

test('lets ten through within a minute and the next once the first is a minute old', () => {
  const window = new SlidingWindow();
  const first = Array.from({ length: 10 }, (_, index) => window.tryTake(10, index * 100));
  expect(first).toEqual(Array.from({ length: 10 }, () => true));
  expect(window.tryTake(10, minute - 1)).toBe(false);
  expect(window.tryTake(10, minute)).toBe(true);
  expect(window.tryTake(10, minute + 99)).toBe(false);
  expect(window.tryTake(10, minute + 100)).toBe(true);
});

test('never lets more through in any minute than the limit, whatever the moments', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 12 }), (waits, limit) => {
      const window = new SlidingWindow();
      let now = 0;
      const nexts = waits.map((wait) => (now += wait)).filter((at) => window.tryTake(limit, at));
      for (const at of nexts) {
        expect(nexts.filter((other) => other >= at && other < at + minute).length).toBeLessThanOrEqual(limit);
      }
    }),
  );
});

test('what is refused does not count, so a flood is not locked out for good', () => {
  const window = new SlidingWindow();
  expect(window.tryTake(1, 0)).toBe(true);
  for (let at = 1; at < minute; at += 1000) expect(window.tryTake(1, at)).toBe(false);
  expect(window.tryTake(1, minute)).toBe(true);
});

test('each server has its own window', () => {
  expect(mayAsk('window-a', 1, 0)).toBe(true);
  expect(mayAsk('window-a', 1, 1)).toBe(false);
  expect(mayAsk('window-b', 1, 1)).toBe(true);
  expect(mayAsk('window-a', 1, minute)).toBe(true);
});
