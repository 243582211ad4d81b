import { expect, test } from '@jest/globals';
import { draftIn, queryOf } from '../../web/src/audit/log/report-search.ts';

const now = Date.parse('2026-11-25T10:19:40Z');
const periodOf = (id: Parameters<typeof queryOf>[0], address: string) => {
  const query = queryOf(id, draftIn(id, new URLSearchParams(address), now));
  return query && [Number(query.get('from')), Number(query.get('to'))];
};

test('a question about one time that names none includes what happened a moment ago', () => {
  expect(periodOf('could-approve', '')).toEqual([0, Date.parse('2026-11-25T10:20:00Z')]);
});

test('the last minute or day of a question counts whole', () => {
  expect(periodOf('could-approve', 'to=2026-11-01T08:30')).toEqual([0, Date.parse('2026-11-01T08:31:00Z')]);
  expect(periodOf('approvals', 'from=2026-11-01&to=2026-11-02')).toEqual([
    Date.parse('2026-11-01'),
    Date.parse('2026-11-03'),
  ]);
});

test('a question with a day that there is not is not asked', () => {
  expect(periodOf('approvals', 'from=2026-02-31&to=2026-03-01')).toBeNull();
});
