import { expect, test } from '@jest/globals';
import { createLimiter } from '#platform/model/limiter';
import { hashPassword } from '#access/passwords/rules/passwords';

/** Work that ends when it is told to. */
function openWork() {
  const order: number[] = [];
  const ends: (() => void)[] = [];
  const work = (number: number) => async (): Promise<number> => {
    order.push(number);
    await new Promise<void>((resolve) => ends.push(resolve));
    return number;
  };
  return { order, ends, work };
}

const turn = (): Promise<void> => new Promise(setImmediate);

test('what has no lane waits in order, and what finds no room is refused at once', async () => {
  const { order, ends, work } = openWork();
  const queue = createLimiter({ concurrency: 2, maxQueue: 2 });
  const results = [1, 2, 3, 4].map((number) => queue(work(number)));
  await expect(queue(work(5))).rejects.toMatchObject({ code: 'overloaded', retryAfter: 1 });
  expect(order).toEqual([1, 2]);
  for (const begun of [3, 4, 4, 4]) {
    ends.shift()?.();
    await turn();
    await turn(); // the next one begins in a turn of its own
    expect(order).toHaveLength(begun);
  }
  expect([order, await Promise.all(results)]).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
});

test('work that fails leaves its lane', async () => {
  const queue = createLimiter({ concurrency: 1, maxQueue: 0 });
  await expect(queue(() => Promise.reject(new RangeError('no')))).rejects.toThrow('no');
  expect(await queue(async () => 'next')).toBe('next');
});

test('work that waits too long is refused, and the lane goes to those behind it', async () => {
  const { order, ends, work } = openWork();
  const queue = createLimiter({ concurrency: 1, maxQueue: 2, timeoutMs: 1 });
  const first = queue(work(1));
  await expect(queue(work(2))).rejects.toMatchObject({ code: 'overloaded', retryAfter: 1 });
  const third = queue(work(3));
  ends.shift()?.();
  expect(await first).toBe(1);
  await turn();
  await turn();
  expect(order).toEqual([1, 3]);
  ends.shift()?.();
  expect(await third).toBe(3);
});

test('passwords are hashed in turn, and beyond a bound the node has too much to do', async () => {
  const results = await Promise.allSettled(Array.from({ length: 67 }, () => hashPassword('seven quiet otters paint')));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toEqual([expect.objectContaining({ code: 'overloaded' })]);
});
