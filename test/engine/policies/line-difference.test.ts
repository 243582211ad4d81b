import { describe, expect, test } from '@jest/globals';
import { differLines } from '../../../src/engine/policies/line-difference.ts';

const told = (before: string, after: string): string =>
  differLines(before, after)
    .map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`)
    .join('|');

describe('the differences of two texts', () => {
  test.each([
    ['a\nb\nc', 'a\nb\nc', ' a| b| c'],
    ['a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
    ['a\nc', 'a\nb\nc', ' a|+b| c'],
    ['a\nb\nc', 'c', '-a|-b| c'],
    ['a\nb\nc\nd', 'b\nd\ne', '-a| b|-c| d|+e'],
    ['', 'a', '-|+a'],
  ])('%j and %j', (before, after, expected) => {
    expect(told(before, after)).toBe(expected);
  });

  test('make the one of the other, also of large ones', () => {
    const lines = (from: number) => Array.from({ length: 3000 }, (_, at) => `${(at * from) % 97}`).join('\n');
    const differences = differLines(lines(31), lines(53));
    const side = (kind: 'added' | 'removed') =>
      differences.flatMap((one) => (one.kind === 'same' || one.kind === kind ? [one.text] : [])).join('\n');
    expect([side('removed'), side('added')]).toEqual([lines(31), lines(53)]);
  });
});
