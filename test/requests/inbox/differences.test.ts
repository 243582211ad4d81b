import { expect, test } from '@jest/globals';
import { differencesIn } from '#requests/inbox/verbs/request';

test('equal values do not differ', () => {
  expect(differencesIn({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
});

test('what was changed, added and removed is named by its path', () => {
  const before = { amount: 4000, to: { iban: 'DE1', name: 'Ada' }, lines: [{ sum: 1 }, { sum: 2 }] };
  const after = { amount: 4200, to: { iban: 'DE2', bic: 'X' }, lines: [{ sum: 1 }, { sum: 3 }, { sum: 4 }] };
  expect(differencesIn(before, after)).toEqual([
    { path: 'amount', pointer: '/amount', before: 4000, after: 4200 },
    { path: 'to.iban', pointer: '/to/iban', before: 'DE1', after: 'DE2' },
    { path: 'to.name', pointer: '/to/name', before: 'Ada' },
    { path: 'to.bic', pointer: '/to/bic', after: 'X' },
    { path: 'lines[1].sum', pointer: '/lines/1/sum', before: 2, after: 3 },
    { path: 'lines[2]', pointer: '/lines/2', after: { sum: 4 } },
  ]);
});

test.each([
  [{ a: [] }, { a: {} }, [{ path: 'a', pointer: '/a', before: [], after: {} }]],
  [{ a: null }, {}, [{ path: 'a', pointer: '/a', before: null }]],
  [{ a: '1' }, { a: 1 }, [{ path: 'a', pointer: '/a', before: '1', after: 1 }]],
  [1, [1], [{ path: '', pointer: '', before: 1, after: [1] }]],
  [JSON.parse('{"__proto__":1}'), {}, [{ path: '__proto__', pointer: '/__proto__', before: 1 }]],
])('%j and %j differ as a whole where their kinds do', (before, after, expected) => {
  expect(differencesIn(before, after)).toEqual(expected);
});
