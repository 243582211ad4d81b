import { expect, test } from '@jest/globals';
import { dayOf, endOfDay, startOfDay } from '../../../web/src/requests/inbox/PeriodFilter.tsx';

test.each(['2026-11-22', '2026-03-29', '2024-02-29'])('%s begins and ends on that day', (day) => {
  const from = startOfDay(day) ?? 0;
  const until = endOfDay(day) ?? 0;
  expect([dayOf(from), dayOf(until - 1)]).toEqual([day, day]);
  expect(dayOf(until)).not.toBe(day);
  expect(dayOf(from - 1)).not.toBe(day);
});

test.each(['', '2026-11', 'today'])('%j is no day', (text) => {
  expect([startOfDay(text), endOfDay(text)]).toEqual([null, null]);
});
