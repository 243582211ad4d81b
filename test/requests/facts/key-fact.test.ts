import { expect, test } from '@jest/globals';
import { faultOfPath, faultOfTarget, readPointer, writePointer } from '#requests/facts/contract/facts';

test.each(['amount', '', '/a~2b', '#/amount'])('%j is no pointer to an argument', (path) => {
  expect(faultOfPath(path)).toContain('/amount');
});

test.each([[['a', 'b/c', '~d', '']], [['0']]])('%j is written and read back', (steps) => {
  expect(readPointer(writePointer(steps))).toEqual(steps);
});

test.each<[string, string | null]>([
  ['/amount', null],
  ['/list', null],
  ['/to/0/iban', null],
  ['/amout', 'Point to an argument of this call: /amout leads nowhere. Did you mean /amount?'],
  ['/to/1/iban', 'Point to an argument of this call: /to/1/iban leads nowhere.'],
  ['/to/length', 'Point to an argument of this call: /to/length leads nowhere.'],
  ['/toString', 'Point to an argument of this call: /toString leads nowhere.'],
  ['/to', 'Point to one value or to a list of values: this is a group of them.'],
])('%s into the arguments: %s', (path, fault) => {
  expect(faultOfTarget({ amount: 1, list: ['a'], to: [{ iban: 'x' }] }, path)).toBe(fault);
});
