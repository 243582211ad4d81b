import { expect, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { inTurns } from '#core/crypto/in-turns';

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
