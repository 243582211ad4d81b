import { expect, test } from '@jest/globals';
import { tableOf } from '../../../web/src/ui/ListTable.tsx';

const lines = Array.from({ length: 40 }, (_, at) => ({
  sku: `A-${at}`,
  currency: 'EUR',
  warehouse: at === 20 ? 'offshore' : 'main',
  price: 0.1,
}));

test('says once what is the same in all, names the rows that differ, and sums exactly', () => {
  expect(tableOf(lines)).toMatchObject({
    constants: [
      { column: 'currency', value: 'EUR' },
      { column: 'price', value: 0.1 },
    ],
    columns: ['sku', 'warehouse'],
    outliers: [{ column: 'warehouse', usual: 'main', rare: [{ row: 21, value: 'offshore' }] }],
    sums: [{ column: 'price', sum: '4.0' }],
  });
});

test.each([
  ['too few', lines.slice(0, 3)],
  ['other names', [...lines, { sku: 'x' }]],
  ['a group in a row', [...lines, { ...lines[0], price: { amount: 1 } }]],
  ['a long text in a row', [...lines, { ...lines[0], sku: 'x'.repeat(601) }]],
  ['no objects', [1, 2, 3, 4, 5]],
  ['no list', { a: lines }],
])('%s is no table', (_, value) => {
  expect(tableOf(value)).toBeNull();
});

test('amounts in several currencies have no sum', () => {
  const mixed = lines.map((line, at) => ({ ...line, currency: at === 7 ? 'JPY' : 'EUR' }));
  expect(tableOf(mixed)).toMatchObject({ columns: ['sku', 'currency', 'warehouse'], sums: [] });
});
