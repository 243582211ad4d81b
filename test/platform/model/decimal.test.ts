import { expect, test } from '@jest/globals';
import { minus } from '#platform/model/decimal';

test.each<[string | number, string | number, string]>([
  ['0.3', 0.1, '0.2'],
  ['100', 99.99, '0.01'],
  [1000, 1, '999'],
  ['99.90', 0, '99.90'],
  ['1', 1e-7, '0.9999999'],
  [1e21, 1, '999999999999999999999'],
  ['0.1', 0.3, '-0.2'],
  ['0', 0, '0'],
])('%s - %s is exactly %s', (from, amount, difference) => {
  expect(minus(from, amount)).toBe(difference);
});
