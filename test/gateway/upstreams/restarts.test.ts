import { expect, test } from '@jest/globals';
import { Restarts } from '#gateway/upstreams/stdio';

test('after each short life in a row the pause is twice as long, up to a minute', () => {
  const restarts = new Restarts();
  const pauses = Array.from({ length: 8 }, (_, at) => {
    restarts.note(at * 100_000, at * 100_000 + 500);
    return restarts.pause(at * 100_000 + 500);
  });
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(restarts.pause(10_000_000)).toBe(0);
});

test('a long life makes up for what was before', () => {
  const restarts = new Restarts();
  restarts.note(0, 500);
  restarts.note(2_000, 12_000);
  expect(restarts.pause(12_000)).toBe(0);
  restarts.note(13_000, 13_001);
  expect(restarts.pause(13_001)).toBe(1_000);
});
