import { describe, expect, test } from '@jest/globals';
import { maxTogether, addRows, rowsBetween, type Choosable } from '../../../web/src/requests/inbox/choose-rows.ts';

const row = (id: string, changes: Partial<Choosable> = {}): Choosable => ({
  id: id as Choosable['id'],
  server: 'bank',
  tool: 'transfer',
  mine: true,
  ...changes,
});
const idsOf = (rows: Choosable[]) => rows.map(({ id }) => id);

describe('choosing several rows', () => {
  test.each([
    ['another tool', { tool: 'pay' }],
    ['another server', { server: 'vault' }],
    ['what is not for this person', { mine: false }],
  ] as const)('leaves out %s', (_what, changes) => {
    expect(idsOf(addRows([row('a')], [row('b', changes), row('c')]))).toEqual(['a', 'c']);
  });

  test('takes the tool of the first row that fits, each row once, and no more than are read', () => {
    expect(idsOf(addRows([], [row('a', { mine: false, tool: 'pay' }), row('b'), row('b')]))).toEqual(['b']);
    const many = Array.from({ length: maxTogether + 5 }, (_, at) => row(`${at}`));
    expect(addRows([row('a')], many)).toHaveLength(maxTogether);
  });

  test('a range begins at its anchor in both directions, and is one row without it', () => {
    const rows = ['a', 'b', 'c', 'd'].map((id) => row(id));
    expect(idsOf(rowsBetween(rows, 'b', 'd'))).toEqual(['b', 'c', 'd']);
    expect(idsOf(rowsBetween(rows, 'c', 'a'))).toEqual(['c', 'b', 'a']);
    expect(idsOf(rowsBetween(rows, 'gone', 'c'))).toEqual(['c']);
    expect(idsOf(rowsBetween(rows, null, 'c'))).toEqual(['c']);
  });
});
