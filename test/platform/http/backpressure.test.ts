import { afterEach, expect, jest, test } from '@jest/globals';
import { createBackpressure } from '#platform/http/routes/limits';

afterEach(() => void jest.useRealTimers());

/** What is read of the lag is `lag`, or a fault; and how often it was read. */
function startBackpressure(lag: number) {
  jest.useFakeTimers();
  const state = { lag, looks: 0, isFaulty: false };
  const backpressure = createBackpressure({
    async readLagMs() {
      state.looks += 1;
      if (state.isFaulty) throw new Error('The database is away.');
      return state.lag;
    },
    maxLagMs: 1000,
    intervalMs: 100,
    timeoutMs: 2000,
  });
  const begun: string[] = [];
  const begin = async (name: string): Promise<void> => {
    await backpressure();
    begun.push(name);
  };
  const pass = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);
  return { state, begun, begin, pass };
}

test('work begins at once while what follows it keeps up', async () => {
  const { begun, begin, pass } = startBackpressure(1000);
  for (const name of ['a', 'b']) {
    void begin(name);
    await pass(0);
  }
  expect(begun).toEqual(['a', 'b']);
});

test('work waits while what follows is behind, and begins in order when it has caught up', async () => {
  const { state, begun, begin, pass } = startBackpressure(1001);
  void begin('first, before anyone looked');
  await pass(0);
  for (const name of ['b', 'c']) void begin(name);
  await pass(1500);
  expect(begun).toEqual(['first, before anyone looked']);
  state.lag = 1000;
  await pass(100);
  expect(begun).toEqual(['first, before anyone looked', 'b', 'c']);
});

test('work begins all the same if what follows stands still', async () => {
  const { begun, begin, pass } = startBackpressure(60_000);
  void begin('a');
  await pass(0);
  void begin('b');
  await pass(1999);
  expect(begun).toEqual(['a']);
  await pass(1);
  expect(begun).toEqual(['a', 'b']);
});

test('work meets a fault of the database itself', async () => {
  const { state, begun, begin, pass } = startBackpressure(60_000);
  void begin('a');
  await pass(0);
  void begin('b');
  state.isFaulty = true;
  await pass(100);
  expect(begun).toEqual(['a', 'b']);
});

test('no one looks while nothing is asked for', async () => {
  const { state, begin, pass } = startBackpressure(0);
  void begin('a');
  await pass(60_000);
  expect(state.looks).toBe(1);
  void begin('b');
  void begin('c');
  await pass(60_000);
  expect(state.looks).toBe(2);
});
