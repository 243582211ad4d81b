import { describe, expect, test } from '@jest/globals';
import { settleRows } from '../../../web/src/requests/inbox/use-selection.ts';

const rows = (ids: string, version = 1) => [...ids].map((id) => ({ id, version }));
const ids = (list: { id: string }[]) => list.map(({ id }) => id).join('');

describe('a list that someone is at', () => {
  test('keeps its rows in place, refreshed, while new ones wait', () => {
    const settled = settleRows(rows('abc'), rows('xabc', 2), true);
    expect(ids(settled.rows)).toBe('abc');
    expect(settled.rows.every(({ version }) => version === 2)).toBe(true);
    expect(ids(settled.waiting)).toBe('x');
  });

  test('keeps rows that have gone, and says so', () => {
    const settled = settleRows(rows('abc'), rows('ac', 2), true);
    expect(ids(settled.rows)).toBe('abc');
    expect([...settled.gone]).toEqual(['b']);
  });

  test('takes new rows at the end, where they move nothing', () => {
    expect(ids(settleRows(rows('ab'), rows('abcd'), true).rows)).toBe('abcd');
  });

  test('does not follow a new order', () => {
    expect(ids(settleRows(rows('abc'), rows('cba'), true).rows)).toBe('abc');
  });
});

test('a list that no one is at takes the fresh order', () => {
  expect(settleRows(rows('abc'), rows('xca'), false)).toEqual({ rows: rows('xca'), waiting: [], gone: new Set() });
});

test('an empty list takes the fresh one even under the pointer', () => {
  expect(ids(settleRows([], rows('ab'), true).rows)).toBe('ab');
});
