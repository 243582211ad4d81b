import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { joinParts } from '#platform/crypto/digest';

test('writes the length of each part before it, in four bytes', () => {
  expect(joinParts('ö', new Uint8Array([7]), '').toString('hex')).toBe('00000002c3b6' + '0000000107' + '00000000');
});

test('two lists give the same bytes only if they are the same list', () => {
  const parts = fc.array(fc.string({ unit: fc.constantFrom('\0', '\u0001', 'a', '|') }), { maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (some, others) => {
      const areEqual = joinParts(...some).equals(joinParts(...others));
      expect(areEqual).toBe(JSON.stringify(some) === JSON.stringify(others));
    }),
  );
});

test('a lone surrogate is refused, since all of them have the same bytes', () => {
  expect(() => joinParts('a', '\ud800')).toThrowProblem('INVALID_INPUT');
});
