import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { inTurn, inTurns } from '#platform/crypto/in-turns';

/** Work that takes until this is over. */
function* busy(state: { isOver: boolean; turns: number }): Generator<void, string> {
  while (!state.isOver) yield;
  return 'done';
}

test('long work leaves turns for everything else, also if several are under way', async () => {
  const state = { isOver: false, turns: 0 };
  const all = Promise.all([inTurns(busy(state)), inTurns(busy(state))]);
  for (; state.turns < 10; state.turns += 1) await turn();
  state.isOver = true;
  expect(await all).toEqual(['done', 'done']);
});

test('work begins at once while there is time, then in its order, with turns for everything else in between', async () => {
  await turn();
  const order: string[] = [];
  const work = (name: string) =>
    inTurn(() => {
      for (const end = performance.now() + 6; performance.now() < end;);
      order.push(name);
    });
  const all = [work('first'), work('second'), work('third')];
  expect(order).toEqual(['first']);
  setImmediate(() => order.push('something else'));
  await Promise.all(all);
  expect(order).toEqual(['first', 'second', 'something else', 'third']);
});

test('work that waits keeps the context it was asked in', async () => {
  const context = new AsyncLocalStorage<string>();
  const work = (name: string) =>
    context.run(name, () =>
      inTurn(() => {
        for (const end = performance.now() + 6; performance.now() < end;);
        return context.getStore();
      }),
    );
  expect(await Promise.all(['first', 'second', 'third'].map(work))).toEqual(['first', 'second', 'third']);
});

test('work that fails rejects, and holds up no other', async () => {
  const failing = inTurn(() => {
    throw new TypeError('no such thing');
  });
  await expect(failing).rejects.toThrow('no such thing');
  expect(await inTurn(() => 'done')).toBe('done');
});
