import { expect, test } from '@jest/globals';
import { Room } from '#gateway/identity/room';
import { Turns } from '#gateway/frames/turns';

test('a caller has their part of a room, all together have the whole, and what is left is free again', () => {
  const room = new Room({ all: 5, each: 3 });
  const [first, second] = [room.hold('ada'), room.hold('ada')];
  expect([first.add(2), second.add(2), second.add(1)]).toEqual([true, false, true]);
  const his = room.hold('bob');
  expect([his.add(3), his.add(2)]).toEqual([false, true]);
  first.leave();
  first.leave();
  expect([second.add(3), second.add(2), his.add(1)]).toEqual([false, true, false]);
});

test('a large message waits for the one before, and what is short for none', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const take = async (name: string, size: number): Promise<void> => {
    await turns.take(size);
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
