import { expect, test } from '@jest/globals';
import { OwnerCache } from '#gateway/identity/owned';
import { CallerLimiter, shareOf } from '#gateway/identity/limits';

test('who keeps too much loses their own, the longest unused first', () => {
  const kept = new OwnerCache<number>({ all: 4, each: 2 });
  const keep = (owner: string, ...keys: string[]): void => keys.forEach((key) => kept.getOrCreate(owner, key, () => 1));
  const all = () => ['a', 'b', 'c'].map((owner) => ['1', '2', '3'].filter((key) => kept.has(owner, key)).join(''));
  keep('a', '1', '2', '1', '3');
  keep('b', '1');
  expect(all()).toEqual(['13', '1', '']);
  keep('c', '1', '2');
  expect(all()).toEqual(['3', '1', '12']);
  keep('c', '3');
  expect(all()).toEqual(['3', '1', '23']);
  expect(kept.getOrCreate('b', '1', () => 2)).toBe(1);
});

test('a place is left once, and is another caller’s at no time', () => {
  const places = new CallerLimiter(1);
  const leave = places.acquire('ada');
  expect([leave === null, places.acquire('ada'), places.acquire('bob') === null]).toEqual([false, null, false]);
  leave?.();
  const again = places.acquire('ada');
  leave?.();
  expect([again === null, places.acquire('ada')]).toEqual([false, null]);
});

test('a share is one at least', () => {
  expect([shareOf(5_000, 0.2), shareOf(4, 0.2), shareOf(7, 1)]).toEqual([1_000, 1, 7]);
});
