import { describe, expect, test } from '@jest/globals';
import { afterQuietHours, remindersBetween } from '#policies/deciding/rules/decide';
import { runs } from '../../support/runs.ts';
import type { QuietHours } from '#policies/deciding/contract/clause';

const hours = (from: string, until: string, timeZone = 'Europe/Berlin'): QuietHours => {
  const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return { from: minutes(from), until: minutes(until), timeZone };
};
const night = hours('22:00', '07:00');
const moved = (at: string, quiet: QuietHours): string => new Date(afterQuietHours(Date.parse(at), quiet)).toISOString();

describe('P10 quiet hours', () => {
  test.each<[string, QuietHours, string]>([
    ['2026-07-01T12:00:00Z', night, '2026-07-01T12:00:00.000Z'],
    ['2026-07-01T19:59:59.999Z', night, '2026-07-01T19:59:59.999Z'],
    ['2026-07-01T20:00:00Z', night, '2026-07-02T05:00:00.000Z'],
    ['2026-07-01T23:30:20Z', night, '2026-07-02T05:00:00.000Z'],
    ['2026-07-02T05:00:00Z', night, '2026-07-02T05:00:00.000Z'],
    ['2026-01-15T23:00:00Z', night, '2026-01-16T06:00:00.000Z'],
    ['2026-07-01T11:30:00Z', hours('12:00', '14:00'), '2026-07-01T12:00:00.000Z'],
    ['2026-07-01T18:40:00Z', hours('00:00', '06:00', 'Asia/Kolkata'), '2026-07-02T00:30:00.000Z'],
    ['2026-07-01T18:40:00Z', hours('00:00', '06:00', 'UTC'), '2026-07-01T18:40:00.000Z'],
  ])('%s', (at, quiet, expected) => {
    expect(moved(at, quiet)).toBe(expected);
  });

  test.each<[string, string, QuietHours, string]>([
    [
      'a night that loses an hour ends when the wall says so',
      '2026-03-28T21:30:00Z',
      night,
      '2026-03-29T05:00:00.000Z',
    ],
    ['a night that gains an hour too', '2026-10-24T21:30:00Z', night, '2026-10-25T06:00:00.000Z'],
    [
      'an end that is left out is the first moment after',
      '2026-03-29T00:30:00Z',
      hours('01:00', '02:30'),
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'an end that comes twice is the first one',
      '2026-10-24T23:30:00Z',
      hours('01:00', '02:30'),
      '2026-10-25T00:30:00.000Z',
    ],
    [
      'a start in an hour that comes twice',
      '2026-10-25T01:10:00Z',
      hours('02:00', '04:00'),
      '2026-10-25T03:00:00.000Z',
    ],
  ])('where clocks change: %s', (_name, at, quiet, expected) => {
    expect(moved(at, quiet)).toBe(expected);
  });

  test('no time of a year is moved into quiet hours, or past their end', () => {
    const step = (47 * 60_000 * 20) / runs(20);
    for (let at = Date.parse('2026-01-01T00:00:00Z'); at < Date.parse('2027-01-01T00:00:00Z'); at += step) {
      const end = afterQuietHours(at, night);
      expect(afterQuietHours(end, night)).toBe(end);
      if (end !== at) expect(afterQuietHours(end - 1, night)).toBe(end);
    }
  });
});

describe('P10 reminders', () => {
  const openedAt = Date.parse('2026-07-01T18:00:00Z');
  const hour = 3_600_000;

  test('come at their offsets, out of the quiet hours, each once, and before the deadline', () => {
    const reminders = [hour, 3 * hour, 8 * hour, 13 * hour, 24 * hour];
    const times = remindersBetween(openedAt, openedAt + 24 * hour, { reminders, quietHours: night });
    expect(times.map((at) => new Date(at).toISOString())).toEqual([
      '2026-07-01T19:00:00.000Z',
      '2026-07-02T05:00:00.000Z',
      '2026-07-02T07:00:00.000Z',
    ]);
  });

  test('without quiet hours they stay where they are', () => {
    expect(remindersBetween(0, 10 * hour, { reminders: [hour, 9 * hour], quietHours: null })).toEqual([hour, 9 * hour]);
  });
});
