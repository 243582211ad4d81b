import { expect, test } from '@jest/globals';
import { antiForgeryValue, isAntiForgeryValue } from '#platform/crypto/anti-forgery';
import { foreignRing, newRing, oldRing, rotatedRing } from './rings.ts';

const value = antiForgeryValue(oldRing, 'secret-1', 'eli_1');

test('a value goes with its browser and its subject only', () => {
  expect(isAntiForgeryValue(oldRing, value, 'secret-1', 'eli_1')).toBe(true);
  expect(isAntiForgeryValue(oldRing, value, 'secret-2', 'eli_1')).toBe(false);
  expect(isAntiForgeryValue(oldRing, value, 'secret-1', 'eli_2')).toBe(false);
  expect(isAntiForgeryValue(oldRing, value, 'secret-1eli_', '1')).toBe(false);
});

test.each(['', 'x', `${value}A`, value.slice(1), value.toLowerCase()])('%j is no value', (other) => {
  expect(isAntiForgeryValue(oldRing, other, 'secret-1', 'eli_1')).toBe(false);
});

test('a value outlives a rotation of keys, and not the secret it was made under', () => {
  expect(isAntiForgeryValue(rotatedRing, value, 'secret-1', 'eli_1')).toBe(true);
  expect(isAntiForgeryValue(newRing, value, 'secret-1', 'eli_1')).toBe(false);
  expect(isAntiForgeryValue(foreignRing, value, 'secret-1', 'eli_1')).toBe(false);
});
