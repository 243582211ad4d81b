import { expect, test } from '@jest/globals';
import { strayNumbers } from '../../web/src/requests/inbox/stray-numbers.ts';

test.each([
  ['Transfer 4.80 EUR for lunch?', { amount_cents: 48_000_000 }, ['4.80']],
  ['Transfer 480,000 EUR?', { amount_cents: 48_000_000 }, []],
  ['Transfer 12,400 EUR?', { amount: 12_400 }, []],
  ['Überweisung von 12.400,50 EUR?', { amount: 12_400.5 }, []],
  ['Pay 12 400 EUR?', { amount: '12400' }, []],
  ['Pay invoice RE-2026-1183?', { invoice: 're_2026_1183' }, []],
  ['Delete 3 files?', { files: ['a', 'b', 'c'] }, []],
  ['Delete 3 files?', { files: ['a', 'b', 'c', 'd'] }, ['3']],
  ['Raise it by 2 %, then 3, 4 and 5.', {}, ['2', '3', '4']],
  ['No number.', { amount: 1 }, []],
])('%s', (sentence, args, strays) => {
  expect(strayNumbers(sentence, args)).toEqual(strays);
});
