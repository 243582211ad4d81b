import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalText } from '#platform/model/hashed-text';

// The package is CommonJS whose module is the function itself; its type declaration claims a default export.
const byPackage = canonicalize as unknown as (value: unknown) => string;

describe('canonical text', () => {
  test('is what another implementation of RFC 8785 writes', () => {
    const value = fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 });
    const wide = fc.dictionary(fc.string({ unit: 'binary', maxLength: 3 }), fc.double({ noNaN: true }), {
      maxKeys: 60,
    });
    fc.assert(
      fc.property(fc.oneof(value, wide), (drawn) => {
        const finite: unknown = JSON.parse(JSON.stringify(drawn));
        expect(canonicalText(finite)).toBe(byPackage(finite));
      }),
    );
  });

  test.each([29, 30, 31, 400])('orders %d keys', (count) => {
    const keys = Array.from({ length: count }, (_, at) => `${(at * 7919) % count}`);
    const value = Object.fromEntries(keys.map((key) => [`k${key}`, 1]));
    expect(Object.keys(JSON.parse(canonicalText(value)))).toEqual(Object.keys(value).sort());
  });

  test('leaves out what JSON leaves out, and writes dates as JSON does', () => {
    const value = { b: undefined, a: new Date(0), c: [undefined, 1], d: () => 1 };
    expect(canonicalText(value)).toBe('{"a":"1970-01-01T00:00:00.000Z","c":[null,1]}');
    expect(canonicalText(value)).toBe(JSON.stringify(value));
  });

  test('throws on numbers that JSON does not have', () => {
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(() => canonicalText({ a: [number] })).toThrow(TypeError);
  });
});
