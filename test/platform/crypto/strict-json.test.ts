import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '#platform/crypto/digest';
import { jsonLimits, parseStrictJson } from '#platform/crypto/strict-json';
import { type FieldError, Problem } from '#platform/model/problem';
import { workOf } from '../../support/work.ts';

function refusal(text: string): FieldError | undefined {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof Problem && error.code === 'INVALID_INPUT') return error.errors[0];
    throw error;
  }
  return undefined;
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 });

describe('AI-05: what other parsers could read differently is refused', () => {
  test.each<[string, string, (string | number)[]]>([
    ['a repeated key', '{"to":"alice","amount":1,"to":"mallory"}', ['to']],
    ['a key repeated through an escape', String.raw`{"a":1,"\u0061":2}`, ['a']],
    ['a repeated empty key', '{"x":{"":1,"":2}}', ['x', '']],
    ['a repeated key after nested objects', '{"a":{"b":1},"c":[{"b":2}],"a":3}', ['a']],
    ['a repeated key deep inside', '[0,{"a":[{"b":1,"b":1}]}]', [1, 'a', 0, 'b']],
    ['an integer beyond 2^53', '{"id":[1,9007199254740993]}', ['id', 1]],
    ['an integer below -2^53', '{"id":-9007199254740992}', ['id']],
    ['a huge integer', '12345678901234567890123456789', []],
    ['an unsafe integer written with a fraction', '[9007199254740993.0]', [0]],
    ['an unsafe integer written with an exponent', '[9007199254740993e0]', [0]],
    ['an unsafe integer that a double keeps', '[1e20]', [0]],
    ['a number beyond all doubles', '{"n":1e400}', ['n']],
    ['a fraction of more digits than are kept', '{"a":0.12345678901234567890123}', ['a']],
    ['a fraction that would become another', '{"a":[1.5,-0.10000000000000001]}', ['a', 1]],
    ['a number that would become nothing', '{"a":1e-400}', ['a']],
    ['a large number that is rounded', '{"a":1.00000000000000000001e22}', ['a']],
    ['a lone surrogate', String.raw`{"m":"\ud83d"}`, ['m']],
    ['a lone surrogate that is not escaped', '["\ud83d"]', [0]],
    ['a lone surrogate in a key', String.raw`{"\ude00":1}`, ['\ude00']],
    ['surrogates in the wrong order', String.raw`["\ude00\ud83d"]`, [0]],
    ['a __proto__ key', '{"a":{"__proto__":{"admin":true}}}', ['a', '__proto__']],
    ['an escaped __proto__ key', String.raw`{"\u005f_proto__":1}`, ['__proto__']],
  ])('%s', (_name, text, path) => {
    expect(refusal(text)?.path).toEqual(path);
  });

  test('no text at all', () => {
    expect(refusal('')).toEqual({ path: [], message: 'Send a JSON document.' });
  });

  test.each([
    ' ',
    '{',
    '{"a":1,}',
    '[1,]',
    '{a:1}',
    "{'a':1}",
    '01',
    '+1',
    '.5',
    '1.',
    'NaN',
    'Infinity',
    '// x\n1',
    '1 2',
    '"\t"',
    '\ufeff{}',
    '"\\x41"',
  ])('text that is not JSON: %j', (text) => {
    expect(refusal(text)).toEqual({ path: [], message: 'This is not valid JSON.' });
  });

  test('the refusal does not quote the text', () => {
    const attempt = () => parseStrictJson('{"password":"hunter2-hunter2" oops}');
    expect(attempt).toThrowProblem('INVALID_INPUT');
    expect(attempt).not.toThrow(/hunter2/);
    expect(JSON.stringify(refusal('{"password":"hunter2" oops}'))).not.toContain('hunter2');
  });
});

describe('too much of anything is refused', () => {
  test('nesting beyond 32 levels', () => {
    expect(refusal(nested(32))).toBeUndefined();
    expect(refusal(nested(33))?.path).toHaveLength(32);
    expect(refusal(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)?.path).toHaveLength(32);
  });

  test('half a million brackets end in a refusal, not in a stack overflow', () => {
    expect(refusal(nested(250_000))?.path).toHaveLength(32);
  });

  test('more than ten thousand members, wherever they are', () => {
    const row = JSON.stringify(Array.from({ length: 4_999 }, () => null));
    expect(refusal(`[${row},${row}]`)).toBeUndefined();
    expect(refusal(`[${row},${row},1]`)?.path).toEqual([2]);
    expect(refusal(`{"a":${row},"b":${row},"c":true}`)?.path).toEqual(['c']);
  });

  test('the limits can be narrowed', () => {
    expect(() => parseStrictJson('[[1]]', { ...jsonLimits, depth: 1 })).toThrowProblem('INVALID_INPUT');
    expect(() => parseStrictJson('[1,2,3]', { ...jsonLimits, members: 2 })).toThrowProblem('INVALID_INPUT');
    expect(parseStrictJson('[1,2]', { depth: 1, members: 2 })).toEqual([1, 2]);
  });
});

describe('what is accepted', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['"x"', 'x'],
    ['-0.5e-3', -0.0005],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['1e21', 1e21],
    ['1.10', 1.1],
    ['-100.00E-1', -10],
    ['0.30000000000000004', 0.1 + 0.2],
    ['5e-324', Number.MIN_VALUE],
    ['0.000e9', 0],
    ['{"maximum":1.7976931348623157e308}', { maximum: 1.7976931348623157e308 }],
    [String.raw`{"a\"b":"c\\","d":"\\\""}`, { 'a"b': 'c\\', d: '\\"' }],
    [String.raw`"\ud83d\ude00"`, '\u{1f600}'],
    ['[{"a":1},{"a":1}]', [{ a: 1 }, { a: 1 }]],
    ['{"a":{"a":{"a":1}}}', { a: { a: { a: 1 } } }],
    ['{"constructor":1,"toString":2}', { constructor: 1, toString: 2 }],
    [' {\n\t"t" : [ true , false , null ] , "n" : {} } \r\n', { t: [true, false, null], n: {} }],
    ['{"a":"[{,:\\"}]"}', { a: '[{,:"}]' }],
  ])('%s', (text, value) => {
    expect(parseStrictJson(text)).toEqual(value);
  });

  test('is what JSON.parse reads, whatever the white space', () => {
    fc.assert(
      fc.property(json, fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        if (refusal(text) === undefined) expect(parseStrictJson(text)).toEqual(JSON.parse(text));
        else expect(text).toMatch(/\d{16}|"__proto__"/);
      }),
    );
  });

  test('is accepted again in its canonical form', () => {
    const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.maxSafeInteger());
    fc.assert(
      fc.property(
        number,
        fc.constantFrom(JSON.stringify, (n: number) => n.toExponential(17)),
        (value, write) => {
          const text = `[${write(value)}]`;
          if (refusal(text) !== undefined) return;
          const canonical = canonicalJson(parseStrictJson(text));
          expect(canonicalJson(parseStrictJson(canonical))).toBe(canonical);
        },
      ),
    );
  });

  test('is read in linear time', () => {
    const quotes = `"${String.raw`\"`.repeat(200_000)}"`;
    const slashes = `"${'\\\\'.repeat(200_000)}"`;
    const number = `[1.${'0'.repeat(400_000)}1]`;
    expect(workOf(() => parseStrictJson(`[${quotes},${slashes}]`))).toBeLessThan(160);
    expect(workOf(() => expect(refusal(number)?.path).toEqual([0]))).toBeLessThan(160);
  });
});
