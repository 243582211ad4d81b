import { expect, test } from '@jest/globals';
import { neighbourIn } from '../../../web/src/requests/decide/use-queue-keys.ts';

test.each([
  ['b', 1, 'c'],
  ['b', -1, 'a'],
  ['c', 1, null],
  ['a', -1, null],
  ['gone', 1, 'a'],
] as const)('from %s by %d is %s', (id, step, expected) => {
  expect(neighbourIn(['a', 'b', 'c'], id, step)).toBe(expected);
});

test('an empty queue has no neighbour', () => {
  expect(neighbourIn([], 'a', 1)).toBeNull();
});
