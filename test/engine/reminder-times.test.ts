import { expect, test } from '@jest/globals';
import { reminderTimes } from '../../src/engine/reminder-times.ts';

const hour = 3_600_000;
const at = (text: string): number => Date.parse(text);
const quietHours = { from: 22 * 60, until: 7 * 60, timeZone: 'Europe/Berlin' };
const told = (opened: string, reminders: number[], quiet: typeof quietHours | null = quietHours) =>
  reminderTimes({ reminders, quietHours: quiet }, at(opened), at(opened) + 48 * hour).map((time) =>
    new Date(time).toISOString(),
  );

/** P10 */
test.each<[string, number[], string[]]>([
  ['2026-11-21T10:00:00Z', [hour, 2 * hour], ['2026-11-21T11:00:00.000Z', '2026-11-21T12:00:00.000Z']],
  // 22:00 in Berlin is 21:00 UTC in winter; both wait for 07:00.
  ['2026-11-21T20:30:15.500Z', [hour, 4 * hour], ['2026-11-22T06:00:00.000Z']],
  ['2026-11-21T20:30:00Z', [hour / 4, 60 * hour], ['2026-11-21T20:45:00.000Z']],
  // The night in which clocks go forward: 07:00 is an hour earlier in UTC.
  ['2026-03-28T20:30:00Z', [2 * hour], ['2026-03-29T05:00:00.000Z']],
  // The night in which they go back.
  ['2026-10-24T20:30:00Z', [2 * hour], ['2026-10-25T06:00:00.000Z']],
])('reminders opened at %s after %j', (opened, reminders, expected) => {
  expect(told(opened, reminders)).toEqual(expected);
});

test('without quiet hours they stay where they are', () => {
  expect(told('2026-11-21T23:00:00Z', [hour], null)).toEqual(['2026-11-22T00:00:00.000Z']);
});
