import { expect, test } from '@jest/globals';
import { MemoryBudget } from '#gateway/identity/limits';
import { LargeMessageQueue } from '#gateway/frames/frame';

test('a caller has their part of a room, all together have the whole, and what is left is free again', () => {
  const room = new MemoryBudget({ all: 5, each: 3 });
  const [first, second] = [room.reserve('ada'), room.reserve('ada')];
  expect([first.add(2), second.add(2), second.add(1)]).toEqual([true, false, true]);
  const his = room.reserve('bob');
  expect([his.add(3), his.add(2)]).toEqual([false, true]);
  first.release();
  first.release();
  expect([second.add(3), second.add(2), his.add(1)]).toEqual([false, true, false]);
});

test('a large message waits for the one before, and what is short for none', async () => {
  const turns = new LargeMessageQueue();
  const order: string[] = [];
  const take = async (name: string, size: number): Promise<void> => {
    await turns.waitTurn(size);
    order.push(name);
  };
  const large = 1024 * 1024;
  await Promise.all([take('first', large), take('second', large), take('third', large), take('short', large - 1)]);
  expect(order.toSorted((a, b) => Number(b === 'short') - Number(a === 'short'))).toEqual([
    'short',
    'first',
    'second',
    'third',
  ]);
  expect(order.indexOf('short')).toBeLessThan(2);
});
