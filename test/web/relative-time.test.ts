import { describe, expect, test } from '@jest/globals';
import { fromLocalTime, toLocalTime } from '../../web/src/ui/local-time.ts';
import {
  describeAge,
  describeDuration,
  describeMoment,
  describePast,
  describeTimeLeft,
  describeWhen,
} from '../../web/src/ui/relative-time.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [2 * day + 4 * hour + 59 * minute, '2 d 4 h'],
  [day, '1 d'],
  [day - 1, '23 h'],
  [10 * hour, '10 h'],
  [10 * hour - 1, '9 h 59 min'],
  [3 * hour + 58 * minute, '3 h 58 min'],
  [hour, '1 h'],
  [hour - 1, '59:59'],
  [12 * minute + 7_000, '12:07'],
  [9_999, '0:09'],
  [999, null],
  [0, null],
  [-day, null],
])('%i ms before a deadline %s is left', (remaining, text) => {
  expect(describeTimeLeft(1_000_000 + remaining, 1_000_000)).toBe(text);
});

test.each([
  [2 * day + 4 * hour, '2 d 4 h'],
  [3 * hour + 58 * minute, '3 h 58 min'],
  [2 * minute + 11_000, '2 min 11 s'],
  [2 * minute, '2 min'],
  [9_999, '9 s'],
  [0, '1 s'],
])('what took %i ms took %s', (length, text) => {
  expect(describeDuration(length)).toBe(text);
});

test.each([
  [0, 'just now'],
  [-5_000, 'just now'],
  [minute, '1 min ago'],
  [hour, '1 h ago'],
  [day - 1, '23 h ago'],
  [day, 'yesterday'],
  [9 * day, '9 days ago'],
])('%i ms later it was %s', (age, text) => {
  expect(describeAge(5 * day, 5 * day + age)).toBe(text);
});

test.each([
  [2 * day + 4 * hour, 'in 2 d 4 h'],
  [hour - 1, 'in 60 min'],
  [1, 'in 1 min'],
  [0, 'just now'],
  [-hour, '1 h ago'],
])('what is %i ms ahead is %s', (ahead, text) => {
  expect(describeWhen(5 * day + ahead, 5 * day)).toBe(text);
});

test('a day of the calendar is yesterday, not the last 48 hours', () => {
  const now = new Date(2026, 10, 26, 0, 30).getTime();
  expect(describeAge(new Date(2026, 10, 24, 23, 30).getTime(), now)).toBe('2 days ago');
  expect(describeAge(new Date(2026, 10, 25, 0, 15).getTime(), now)).toBe('yesterday');
});

test('in a list, what is over has its day and its time of day', () => {
  const now = new Date(2026, 10, 26, 12, 0).getTime();
  expect(describePast(now - 3 * hour, now)).toBe('3 h ago');
  expect(describePast(new Date(2026, 10, 24, 17, 31).getTime(), now)).toBe('24 Nov, 17:31');
  expect(describePast(new Date(2025, 10, 24, 17, 31).getTime(), now)).toBe('24 Nov 2025');
});

test('the moment itself names its day, its second and its zone', () => {
  expect(describeMoment(Date.UTC(2026, 10, 21, 13, 5, 9), 'UTC')).toBe('21 Nov 2026, 13:05:09 UTC');
});

describe('a date-and-time control', () => {
  test('gives back the moment it was given', () => {
    const moment = '2026-03-31T09:30:00Z';
    expect(Date.parse(fromLocalTime(toLocalTime(moment)))).toBe(Date.parse(moment));
  });

  test('writes an RFC 3339 moment with its offset', () => {
    expect(fromLocalTime('2026-03-31T09:30')).toMatch(/^2026-03-31T09:30:00[+-]\d\d:\d\d$/);
    expect(fromLocalTime('2026-03-31T09:30:15')).toMatch(/^2026-03-31T09:30:15[+-]/);
  });

  test('leaves text that is not a time to the validator', () => {
    expect(fromLocalTime('soon')).toBe('soon');
    expect(toLocalTime('soon')).toBe('');
  });
});
