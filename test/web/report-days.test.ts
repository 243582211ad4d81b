import { expect, test } from '@jest/globals';
import type { Report } from '#audit/search/contract';
import { countRows } from '../../web/src/audit/log/report-days.ts';

const day = 86_400_000;
const from = Date.parse('2026-08-03');
const rows: Report['rows'] = [
  ['eli_1', 'user', from - day, from],
  ['eli_2', 'policy', from, from + day - 1],
  ['eli_3', 'user', from, from + 2 * day],
  ['eli_4', 'user', from, from + 2 * day],
];
const columns: Report['columns'] = [
  { name: 'request', kind: 'request' },
  { name: 'decided_by', kind: 'text' },
  { name: 'asked_at', kind: 'time' },
  { name: 'decided_at', kind: 'time' },
];
const report: Report = { columns, rows, isCut: false, unknown: [], names: {} };

test('rows are counted by the day they were decided and by who decided, with the days that have none', () => {
  expect(countRows(report, from, from + 3 * day)).toEqual({
    column: 'decided_by',
    values: ['policy', 'user'],
    spans: [
      { at: from, counts: { user: 1, policy: 1 } },
      { at: from + day, counts: {} },
      { at: from + 2 * day, counts: { user: 2 } },
    ],
  });
});

test('a long period is counted by weeks, to its last day', () => {
  const late: Report['rows'][number] = ['eli_5', 'user', from, from + 99 * day];
  const counted = countRows({ ...report, rows: [...rows, late] }, from, from + 100 * day);
  expect(counted?.spans).toHaveLength(15);
  expect(counted?.spans[0]).toEqual({ at: from, counts: { user: 3, policy: 1 } });
});

test('rows that end in no way are only counted', () => {
  const readings = {
    ...report,
    columns: [{ name: 'at', kind: 'time' }] as Report['columns'],
    rows: [[from], [from + day]],
  };
  expect(countRows(readings, from, from + 2 * day)).toEqual({
    column: null,
    values: [''],
    spans: [
      { at: from, counts: { '': 1 } },
      { at: from + day, counts: { '': 1 } },
    ],
  });
});

test.each([
  ['of which rows are missing', { ...report, isCut: true }, from + 3 * day],
  ['of a single day', report, from + day],
  ['about one time', { ...report, columns: [{ name: 'since', kind: 'time' } as const] }, from + 3 * day],
])('there is no chart of an answer %s', (_, answer, to) => expect(countRows(answer, from, to)).toBeNull());

test('rows of a single day are no picture: one bar says no more than their number', () => {
  expect(countRows({ ...report, rows: rows.slice(2) }, from, from + 90 * day)).toBeNull();
});
