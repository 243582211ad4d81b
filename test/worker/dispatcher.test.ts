import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createDispatcher, type DispatchQueue } from '../../src/worker/dispatcher.ts';

interface Item {
  id: number;
  failures: number;
}

/** A queue of this many items, two of which are under way at once; `release` lets those end. */
function queueOf(count: number) {
  let next = 0;
  let release: (() => void)[] = [];
  const sent: number[] = [];
  const queue: DispatchQueue<Item> = {
    ...{ name: 'test', givenUpLine: '', concurrency: 2, leaseMs: 1000, maxWaitMs: 1000, maxFailures: 3 },
    take: async (_now, _lease, limit) =>
      Array.from({ length: Math.min(limit, count - next) }, () => ({ id: next++, failures: 0 })),
    recordKey: ({ id }) => String(id),
    sendKey: ({ id }) => String(id),
    async send(items) {
      await new Promise<void>((resolve) => release.push(resolve));
      return items;
    },
    record: async (items) => void sent.push(...items.map(({ id }) => id)),
    retry: async () => {},
    giveUp: async () => {},
    describe: ({ id }) => ({ id }),
  };
  const end = (): void => {
    for (const resolve of release) resolve();
    release = [];
  };
  return { queue, sent, end };
}

test('what is due beyond its capacity is polled for when there is capacity again, and not before', async () => {
  const { queue, sent, end } = queueOf(3);
  let calls = 0;
  const onCapacity = (): void => void (calls += 1);
  const dispatcher = createDispatcher(queue, { now: () => 0, log: pino({ level: 'silent' }), onCapacity });
  expect(await dispatcher.poll()).toBe(false);
  expect(await dispatcher.poll()).toBe(false);
  expect(calls).toBe(0);
  end();
  await dispatcher.drain();
  expect(calls).toBe(2);
  expect(await dispatcher.poll()).toBe(true);
  end();
  await dispatcher.drain();
  expect([sent, calls]).toEqual([[0, 1, 2], 2]);
});
