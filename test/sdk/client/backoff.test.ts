import { describe, expect, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { pause, readRetryAfter, retryDelay } from '#sdk/client/transport';

describe('the delay before the next try', () => {
  test.each([
    { failures: 0, random: 1, delay: 250 },
    { failures: 1, random: 1, delay: 500 },
    { failures: 4, random: 0.5, delay: 2000 },
    { failures: 50, random: 1, delay: 8000 },
    { failures: 3, random: 0, delay: 0 },
  ])('doubles from a quarter second up to eight, with full jitter: $failures failures', (row) => {
    expect(retryDelay(row.failures, null, () => row.random)).toBe(row.delay);
  });

  test('begins when the server asked for it, and spreads those who were refused together', () => {
    expect(retryDelay(0, 3000, () => 0)).toBe(3000);
    expect(retryDelay(9, 10, () => 1)).toBe(8010);
  });
});

test.each([
  { value: '2', ms: 2000 },
  { value: '0', ms: 0 },
  { value: '-5', ms: 0 },
  { value: 'Thu, 01 Jan 1970 00:00:09 GMT', ms: 4000 },
  { value: 'Thu, 01 Jan 1970 00:00:01 GMT', ms: 0 },
  { value: 'soon', ms: null },
  { value: ' ', ms: null },
  { value: null, ms: null },
])('Retry-After "$value" means $ms milliseconds', ({ value, ms }) => {
  expect(readRetryAfter(value, 5000)).toBe(ms);
});

test('a pause ends at once when its signal aborts, with the reason, and leaves no listener', async () => {
  const ending = new AbortController();
  const paused = pause(60_000, ending.signal);
  ending.abort('over');
  await expect(paused).rejects.toBe('over');
  await expect(pause(60_000, ending.signal)).rejects.toBe('over');
  const lasting = new AbortController();
  await pause(1, lasting.signal);
  expect(getEventListeners(lasting.signal, 'abort')).toHaveLength(0);
});
