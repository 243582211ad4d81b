import { expect, test } from '@jest/globals';
import { dueTime } from '#notify/verbs/plan';
import { defaultNotifications, type NotificationSettings } from '#notify/contract/notification';

const quiet = { from: 22 * 60, until: 7 * 60 };
const berlin = { timeZone: 'Europe/Berlin' };

test.each<[string, Partial<NotificationSettings>, string]>([
  ['2026-11-22T23:30:00Z', {}, '2026-11-22T23:30:00Z'],
  ['2026-11-22T23:30:00Z', { quiet }, '2026-11-23T07:00:00Z'],
  ['2026-11-22T21:30:00Z', { quiet, ...berlin }, '2026-11-23T06:00:00Z'],
  ['2026-11-22T12:00:00Z', { quiet, ...berlin }, '2026-11-22T12:00:00Z'],
  ['2026-11-22T12:01:00Z', { digest: 'hourly' }, '2026-11-22T13:00:00Z'],
  ['2026-11-22T20:10:00Z', { digest: 'hourly', quiet, ...berlin }, '2026-11-23T06:00:00Z'],
  ['2026-11-22T12:00:00Z', { digest: 'daily', ...berlin }, '2026-11-23T08:00:00Z'],
  ['2026-11-22T05:00:00Z', { digest: 'daily', ...berlin }, '2026-11-22T08:00:00Z'],
  ['2026-11-22T12:00:00Z', { digest: 'daily', quiet: { from: 480, until: 600 } }, '2026-11-23T10:00:00Z'],
])('what there is to tell at %s, with %j, is told at %s', (at, settings, due) => {
  expect(dueTime(Date.parse(at), { ...defaultNotifications, ...settings })).toBe(Date.parse(due));
});
