import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '#platform/crypto/digest';
import { describeSize, previewOf } from '../../web/src/requests/decide/WhatRuns.tsx';
import { isLongText, longValues } from '#requests/facts/contract/orders';
import { layOutArguments, type ArgumentRow } from '../../web/src/requests/inbox/argument-rows.ts';

const lines = (rows: ArgumentRow[] | null) => rows?.map(({ path, kind, value }) => `${path} ${kind} ${value}`);

test('nested arguments become indented rows with their whole paths', () => {
  const rows = layOutArguments('{"a":{"b":[1,"x"]},"c":null,"d":true,"e":"","f":{},"g":[]}');
  expect(lines(rows)).toEqual([
    'a group 1',
    'a.b list 2',
    'a.b[0] number 1',
    'a.b[1] text x',
    'c null null',
    'd boolean true',
    'e text ',
    'f group 0',
    'g list 0',
  ]);
  expect(rows?.map(({ depth }) => depth)).toEqual([0, 1, 2, 2, 0, 0, 0, 0, 0]);
});

test('the text "1" and the number 1 differ', () => {
  expect(layOutArguments('{"a":"1","b":1}')?.map(({ kind }) => kind)).toEqual(['text', 'number']);
});

describe('AI-05 what cannot be shown faithfully is not laid out', () => {
  test.each([
    ['a name given twice', '{"a":1,"a":2}'],
    ['a number that JavaScript cannot keep', '{"a":12345678901234567890}'],
    ['names out of order', '{"b":1,"a":2}'],
    ['spaces between', '{ "a": 1 }'],
    ['no JSON', 'rm -rf /'],
    ['nesting beyond the stack', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('%s', (_, json) => {
    expect(layOutArguments(json)).toBeNull();
  });
});

test('AI-03 every value of any arguments is complete in a row', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
      const rows = layOutArguments(canonicalJson(JSON.parse(JSON.stringify(value))));
      expect(rows).not.toBeNull();
      const texts = rows?.filter(({ kind }) => kind === 'text').map((row) => row.value) ?? [];
      for (const text of textsIn(value)) expect(texts).toContain(text);
    }),
  );
});

const names = fc.oneof(fc.constantFrom('to', 'name', 'to.name', 'to[0]', '[0]', '"to"', '', ' ', 'a\nb'), fc.string());

test('two values never have the same path, however their names are written', () => {
  fc.assert(
    fc.property(
      fc.dictionary(names, fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.dictionary(names, fc.string()))),
      (value) => {
        const paths = layOutArguments(canonicalJson(JSON.parse(JSON.stringify(value))))?.map(({ path }) => path) ?? [];
        expect(new Set(paths).size).toBe(paths.length);
      },
    ),
  );
  const rows = layOutArguments('{"to":{"name":"Bob"},"to.name":"Ada","to[0]":"Eve"}');
  expect(lines(rows)).toEqual(['to group 1', 'to.name text Bob', '"to.name" text Ada', '"to[0]" text Eve']);
});

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

test('a prototype name is an ordinary name', () => {
  expect(lines(layOutArguments('{"__proto__":"x","constructor":"y"}'))).toEqual([
    '__proto__ text x',
    'constructor text y',
  ]);
});

describe('AI-03 a long value', () => {
  test('has more than 600 characters or more than 12 lines', () => {
    expect(isLongText('x'.repeat(600))).toBe(false);
    expect(isLongText('x'.repeat(601))).toBe(true);
    expect(isLongText('x\n'.repeat(11))).toBe(false);
    expect(isLongText('x\n'.repeat(12))).toBe(true);
  });

  test('is a list or a group by the same rule, and of several in each other the outermost', () => {
    const lines = Array.from({ length: 13 }, (_, at) => ({ at, text: at === 5 ? 'x'.repeat(601) : 'y' }));
    expect(longValues({ a: { lines }, short: [1, 2], text: 'z'.repeat(601) })).toEqual([
      '/a',
      '/a/lines/5/text',
      '/text',
    ]);
    expect(
      longValues({ twelve: Array(12).fill(1), thirteen: Array(13).fill(1), wide: ['x'.repeat(400), 'y'.repeat(400)] }),
    ).toEqual(['/thirteen', '/wide']);
    expect(longValues(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at])))).toEqual([]);
  });

  test('previews its beginning and never half a character', () => {
    expect(previewOf('a\nb\nc\nd')).toBe('a\nb\nc');
    expect(previewOf('😀'.repeat(500))).toBe('😀'.repeat(160));
  });

  test('says how large it is', () => {
    expect(describeSize('x'.repeat(204_812))).toBe('204,812 characters');
    expect(describeSize('a\nb')).toBe('3 characters in 2 lines');
  });
});
