import { describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { DeliveryFailure } from '#notify/channel/delivery-failure';
import { until } from '../../support/poll.ts';
import { createDispatcher, nextAttempt, type DispatchQueue } from '#platform/nodes/loops/dispatcher';

interface Item {
  id: string;
  place: string;
  failures: number;
}

const start = 1_000_000;
const item = (id: string, place = id, failures = 0): Item => ({ id, place, failures });

/** A queue in memory that writes down what it is asked to do. */
function createQueue(due: Item[], parts: Partial<DispatchQueue<Item>> = {}, log = pino({ level: 'silent' })) {
  const lines: string[] = [];
  const queue: DispatchQueue<Item> = {
    name: 'test',
    givenUpLine: 'given up',
    concurrency: 10,
    leaseMs: 60_000,
    maxWaitMs: 600_000,
    maxFailures: 24,
    take: async (now, lease, limit, skipped) => {
      lines.push(`take ${limit} until ${lease - now}${skipped.map((place) => `, not for ${place}`).join('')}`);
      const batch = due.filter(({ place }) => !skipped.includes(place)).slice(0, limit);
      for (const each of batch) due.splice(due.indexOf(each), 1);
      return batch;
    },
    place: ({ place }) => place,
    recordKey: () => 'all',
    sendKey: ({ place }) => place,
    send: async (items) => {
      lines.push(`send ${items.map(({ id }) => id).join('+')}`);
      return items;
    },
    record: async (sent) => void lines.push(`record ${sent.map(({ id }) => id).join('+')}`),
    retry: async ({ id }, code, at) => void lines.push(`retry ${id} ${code} in ${at - start}`),
    giveUp: async ({ id }, code) => void lines.push(`give up ${id} ${code}`),
    describe: ({ id }) => ({ id }),
    ...parts,
  };
  const onCapacity = (): void => void lines.push('capacity again');
  const clock = { now: start };
  return { lines, clock, dispatcher: createDispatcher(queue, { now: () => clock.now, log, onCapacity }) };
}

/** When everything that can go on has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const failing =
  (place: string, error: unknown): DispatchQueue<Item>['send'] =>
  async (items) => {
    if (items[0].place === place) throw error;
    return items;
  };

test('what is due for one place is sent at once, and recorded with the others of its key', async () => {
  const { lines, dispatcher } = createQueue([item('a', 'ada'), item('b', 'ben'), item('c', 'ada')]);
  expect(await dispatcher.poll()).toBe(true);
  await dispatcher.drain();
  expect(lines).toEqual(['take 10 until 60000', 'send a+c', 'send b', 'record a+c+b']);
});

test('what fails is due again, and what was sent with it is recorded all the same', async () => {
  const due = [item('a', 'ada'), item('b', 'ben'), item('c', 'ada', 3)];
  const { lines, dispatcher } = createQueue(due, { send: failing('ada', new DeliveryFailure('503')) });
  await dispatcher.poll();
  await dispatcher.drain();
  expect(lines).toEqual(['take 10 until 60000', 'retry a 503 in 1000', 'retry c 503 in 8000', 'record b']);
});

test('an outage takes one line of the log a minute, which says how many could not be sent', async () => {
  const due = Array.from({ length: 8 }, (_, at) => item(`item-${at}`));
  const output: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void output.push(line) });
  const send: DispatchQueue<Item>['send'] = async ([{ id }]) => {
    throw new DeliveryFailure(id === 'item-2' ? 'timeout' : '503');
  };
  const { dispatcher, clock } = createQueue(due, { concurrency: 4, send }, log);
  for (const now of [start, start + 59_999, start + 60_000]) {
    clock.now = now;
    if (now === start + 60_000) due.push(item('item-8'));
    await dispatcher.poll();
    await dispatcher.drain();
  }
  expect(output.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 40, id: 'item-0', code: '503', count: 1, msg: 'test: could not be sent; will try again' },
    { id: 'item-2', code: 'timeout', count: 1 },
    { id: 'item-8', code: '503', count: 7 },
  ]);
});

test('an unexpected error counts as a failure, and stops nothing else', async () => {
  const due = [item('a', 'ada', 23), item('b', 'ben')];
  const { lines, dispatcher } = createQueue(due, { send: failing('ada', new TypeError('no such thing')) });
  await dispatcher.poll();
  await dispatcher.drain();
  expect(lines).toEqual(['take 10 until 60000', 'give up a unknown', 'record b']);
});

test('if neither the failure nor the success can be recorded, the leases bring both back', async () => {
  const { dispatcher, lines } = createQueue([item('a', 'ada'), item('b', 'ben')], {
    send: failing('ada', new DeliveryFailure('503')),
    retry: () => Promise.reject(new Error('no database')),
    record: () => Promise.reject(new Error('no database')),
  });
  await dispatcher.poll();
  await dispatcher.drain();
  expect(lines).toEqual(['take 10 until 60000']);
});

test('what the database does not take at once is recorded a moment later, and sent once', async () => {
  let attempts = 0;
  const record = async (): Promise<void> => {
    attempts += 1;
    if (attempts < 3) throw new Error('no database');
  };
  const retry: DispatchQueue<Item>['retry'] = async (_, code) => {
    if (attempts < 3) throw new Error('no database');
    lines.push(`retry ${code}`);
  };
  const due = [item('a', 'ada'), item('b', 'ben')];
  const { dispatcher, lines } = createQueue(due, { send: failing('ada', new DeliveryFailure('503')), record, retry });
  await dispatcher.poll();
  await until(() => lines.includes('retry 503'));
  await dispatcher.drain();
  expect(attempts).toBe(3);
  expect(lines).toEqual(['take 10 until 60000', 'retry 503']);
});

test('no more is under way than there is capacity for, whatever hangs', async () => {
  let release = (): void => {};
  const hanging = new Promise<void>((resolve) => (release = resolve));
  const { dispatcher, lines } = createQueue([item('a'), item('b'), item('c')], {
    concurrency: 2,
    recordKey: ({ id }) => id,
    async send(items) {
      if (items[0].id === 'a') await hanging;
      return items;
    },
  });
  expect(await dispatcher.poll()).toBe(false); // more may be due
  await settled();
  expect(lines.splice(0)).toEqual(['take 2 until 60000', 'record b', 'capacity again']);
  expect(await dispatcher.poll()).toBe(false);
  await settled();
  expect(lines.splice(0)).toEqual(['take 1 until 60000', 'record c', 'capacity again']);
  release();
  await dispatcher.drain();
  expect(lines[0]).toBe('record a');
  expect(await dispatcher.poll()).toBe(true);
});

test('a place that hangs, with as much due as you like, holds up no other', async () => {
  let release = (): void => {};
  const hanging = new Promise<void>((resolve) => (release = resolve));
  const due = [...Array.from({ length: 50 }, (_, at) => item(`${at}`, 'slow')), item('a', 'ada'), item('b', 'ben')];
  const { dispatcher, lines } = createQueue(due, {
    maxPerPlace: 2,
    recordKey: ({ id }) => id,
    sendKey: ({ id }) => id,
    async send(items) {
      if (items[0].place === 'slow') await hanging;
      return items;
    },
  });
  expect(await dispatcher.poll()).toBe(false); // more is due for the slow one
  await settled();
  const sent = lines.splice(0).filter((line) => line.startsWith('record'));
  expect([sent, due.length]).toEqual([['record a', 'record b'], 48]);
  release();
  await dispatcher.drain();
  while (!(await dispatcher.poll())) await dispatcher.drain();
  expect(due).toEqual([]);
});

describe('the next attempt', () => {
  const limits = { maxWaitMs: 600_000, maxFailures: 24 };
  const after = (failures: number, failure: { isFinal?: boolean; wait?: number } | null = {}) =>
    nextAttempt(failure && { isFinal: false, wait: 0, ...failure }, failures, limits);

  test.each([
    [0, 1000],
    [1, 2000],
    [9, 512_000],
    [10, 600_000],
    [22, 600_000],
  ])('after %i failures comes in %i ms', (failures, wait) => {
    expect([after(failures), after(failures, null)]).toEqual([wait, wait]);
  });

  test('never comes after the last failure, or a refusal for good', () => {
    expect([after(23), after(23, null), after(0, { isFinal: true })]).toEqual([null, null, null]);
  });

  test('comes as late as the other side asks, but not later than in an hour', () => {
    expect([0, 5000, 700_000, 99_999_000].map((wait) => after(1, { wait }))).toEqual([2000, 5000, 700_000, 3_600_000]);
  });
});

test('what is due beyond its capacity is asked for when there is capacity again, and only then', async () => {
  const due = [item('a'), item('b'), item('c')];
  const { lines, dispatcher } = createQueue(due, { concurrency: 2 });
  expect(await dispatcher.poll()).toBe(false);
  await dispatcher.drain();
  expect(await dispatcher.poll()).toBe(true);
  await dispatcher.drain();
  expect(lines).toEqual([
    'take 2 until 60000',
    'send a',
    'send b',
    'record a+b',
    'capacity again',
    'take 2 until 60000',
    'send c',
    'record c',
  ]);
});
