import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '#platform/crypto/digest';
import { Problem } from '#platform/model/problem';

const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 });

function pathRefused(value: unknown): (string | number)[] | undefined {
  try {
    canonicalJson(value);
  } catch (error) {
    if (error instanceof Problem) return error.errors[0]?.path;
    throw error;
  }
  return undefined;
}

describe('RFC 8785', () => {
  test.each<[number, string]>([
    [0, '0'],
    [-0, '0'],
    [1, '1'],
    [-1.5, '-1.5'],
    [1.0, '1'],
    [100, '100'],
    [1e2, '100'],
    [0.1, '0.1'],
    [0.1 + 0.2, '0.30000000000000004'],
    [0.000001, '0.000001'],
    [0.0000001, '1e-7'],
    [123456789012345680000, '123456789012345680000'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740991, '9007199254740991'],
    [9007199254740992, '9007199254740992'],
  ])('writes the number %d as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('orders keys by UTF-16 code units, at every level', () => {
    // U+1F600 begins with the unit D83D and so comes before U+FB33, although its code point is higher.
    const value = { '\ufb33': 1, '\u{1f600}': 2, ö: 3, b: { z: 1, a: 2 }, a10: 4, a2: 5, '': 6, B: 7, '\r': 8 };
    expect(canonicalJson(value)).toBe(
      '{"":6,"\\r":8,"B":7,"a10":4,"a2":5,"b":{"a":2,"z":1},"ö":3,"\u{1f600}":2,"\ufb33":1}',
    );
  });

  test('integer-like keys are ordered as text', () => {
    expect(canonicalJson({ 10: 'x', 9: 'y', 1: 'z' })).toBe('{"1":"z","10":"x","9":"y"}');
  });

  test('escapes only what must be escaped', () => {
    expect(canonicalJson('\u0000\b\t\n\f\r\u001f"\\/\u007f\u2028€\u{1f600}')).toBe(
      '"\\u0000\\b\\t\\n\\f\\r\\u001f\\"\\\\/\u007f\u2028€\u{1f600}"',
    );
  });

  test('keeps the order of arrays, and writes no white space', () => {
    expect(canonicalJson([3, [], {}, null, true, false, 'x'])).toBe('[3,[],{},null,true,false,"x"]');
  });

  test('AI-05: reading and writing the text again changes nothing', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test('AI-05: the order in which keys were added makes no difference', () => {
    const keys = fc.uniqueArray(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(keys, (names) => {
        const entries = names.map((name) => [name, name.length] as const);
        expect(canonicalJson(Object.fromEntries(entries.toReversed()))).toBe(
          canonicalJson(Object.fromEntries(entries)),
        );
      }),
    );
  });
});

describe('what JSON cannot carry', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a big integer', 1n],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\ude00b'],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', new Uint8Array(2)],
    ['a cycle', cycle],
    ['an array with a hole', [1, , 3]], // oxlint-disable-line no-sparse-arrays
    ['an object that writes itself', { toJSON: () => 'other' }],
  ])('%s is refused', (_name, value) => {
    expect(() => canonicalJson(value)).toThrowProblem('INVALID_INPUT');
    expect(() => canonicalJson({ inside: [value] })).toThrowProblem('INVALID_INPUT');
  });

  test('is refused with its path', () => {
    expect(pathRefused({ a: [1, { b: undefined }] })).toEqual(['a', 1, 'b']);
    expect(pathRefused({ a: { '\ud800': 1 } })).toEqual(['a', '\ud800']);
    expect(pathRefused(Number.NaN)).toEqual([]);
  });

  test('an object without a prototype is as good as any', () => {
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
  });
});
