import { describe, expect, test } from '@jest/globals';
import { batch } from '#platform/database/database';
import { until } from '../../support/poll.ts';

/** A statement that notes what it was sent; items below zero fail it whole. */
function recorder() {
  const runs: number[][] = [];
  const run = async (items: number[]): Promise<string[]> => {
    runs.push(items);
    await new Promise(setImmediate);
    if (items.some((item) => item < 0)) throw new RangeError(`below zero: ${items.join()}`);
    return items.map((item) => `answer ${item}`);
  };
  return { runs, run };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe('a batch', () => {
  test('of those who ask in one turn is one statement, and each gets its own answer', async () => {
    const { runs, run } = recorder();
    const ask = batch(run);
    expect(await Promise.all(upTo(10).map(ask))).toEqual(upTo(10).map((item) => `answer ${item}`));
    expect(runs).toEqual([upTo(10)]);
  });

  test('waits while others come turn by turn, but who comes alone leaves at once', async () => {
    const { runs, run } = recorder();
    const ask = batch(run);
    const answers = [ask(0)];
    for (const item of [1, 2, 3]) {
      answers.push(ask(item));
      await new Promise(setImmediate);
    }
    expect(runs).toEqual([]);
    await Promise.all(answers);
    expect(runs).toEqual([upTo(4)]);
    const alone = ask(7);
    await new Promise(setImmediate);
    expect(runs.at(-1)).toEqual([7]);
    await alone;
  });

  test('leaves though others keep coming', async () => {
    const { runs, run } = recorder();
    const ask = batch(run, { maxSize: 1_000_000 });
    const answers: Promise<string>[] = [];
    while (runs.length === 0) {
      answers.push(ask(answers.length), ask(answers.length + 1));
      await new Promise(setImmediate);
    }
    expect(runs[0]?.length).toBeGreaterThan(0);
    await Promise.all(answers);
  });

  test('is never larger than told, and no one is left out', async () => {
    const { runs, run } = recorder();
    const ask = batch(run, { maxSize: 4, concurrency: 2 });
    expect(await Promise.all(upTo(23).map(ask))).toEqual(upTo(23).map((item) => `answer ${item}`));
    expect(runs.flat().sort((a, b) => a - b)).toEqual(upTo(23));
    expect(Math.max(...runs.map(({ length }) => length))).toBe(4);
  });

  test('keeps no more statements in flight than its concurrency, and the rest waits for the next', async () => {
    let flying = 0;
    let most = 0;
    const gates: (() => void)[] = [];
    const ask = batch(
      async (items: number[]) => {
        most = Math.max(most, (flying += 1));
        await new Promise<void>((resolve) => gates.push(resolve));
        flying -= 1;
        return items;
      },
      { maxSize: 1, concurrency: 3 },
    );
    const answers = Promise.all(upTo(12).map(ask));
    for (let opened = 0; opened < 12; opened += 1) (await until(() => gates.shift()))();
    expect(await answers).toEqual(upTo(12));
    expect(most).toBeLessThanOrEqual(3);
  });

  test('with a bad item is repeated one by one: only that caller fails, with its own error', async () => {
    const ask = batch(recorder().run);
    const results = await Promise.allSettled([1, -2, 3, -4].map(ask));
    expect(results).toEqual([
      { status: 'fulfilled', value: 'answer 1' },
      { status: 'rejected', reason: new RangeError('below zero: -2') },
      { status: 'fulfilled', value: 'answer 3' },
      { status: 'rejected', reason: new RangeError('below zero: -4') },
    ]);
  });

  test('that failed does not stop those that come later', async () => {
    const ask = batch(recorder().run, { concurrency: 1 });
    await expect(ask(-1)).rejects.toThrow('below zero');
    expect(await ask(7)).toBe('answer 7');
  });
});
