import { expect, test } from '@jest/globals';
import { nearestName, formatUnknown } from '#platform/text/nearest-name';

const existings = ['finance', 'fiance', 'ops', 'opus', 'Sales', 'large-transfers'];

test.each([
  ['finanse', 'finance'],
  ['fniance', 'finance'],
  ['financee', 'finance'],
  ['FINANCE', 'finance'],
  ['sales', 'Sales'],
  ['op', 'ops'],
  ['large-transfer', 'large-transfers'],
  ['lagre-trasnfer', 'large-transfers'],
  ['marketing', null],
  ['x', null],
])('%s is near %s', (name, near) => {
  expect(nearestName(name, existings)).toBe(near);
});

test('an unknown name is reported with the nearest one, if there is any', () => {
  expect(formatUnknown('group', 'finanse', existings)).toBe('There is no group finanse. Did you mean finance?');
  expect(formatUnknown('group', 'marketing', existings)).toBe('There is no group marketing.');
  expect(formatUnknown('group', 'marketing', [])).toBe('There is no group marketing.');
});
