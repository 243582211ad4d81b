import { afterAll, expect, test } from '@jest/globals';
import { describeTimeZone, fromLocalTime } from '../../web/src/ui/local-time.ts';

const zone = process.env.TZ;
process.env.TZ = 'Europe/Berlin';
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test('a time that a day does not have is sent as the moment that it means', () => {
  const meant = new Date('2026-03-29T02:30').getTime();
  expect(Date.parse(fromLocalTime('2026-03-29T02:30'))).toBe(meant);
  expect(fromLocalTime('2026-03-29T02:30')).toBe('2026-03-29T03:30:00+02:00');
});

test('next to a time stands the zone as it is then, not as it is today', () => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  expect(describeTimeZone('2027-04-02T09:00', now)).toMatch(/^Europe\/Berlin, (?:CEST|GMT\+2)$/);
  expect(describeTimeZone('2026-12-02T09:00', now)).toMatch(/^Europe\/Berlin, (?:CET|GMT\+1)$/);
  expect(describeTimeZone('', now)).toMatch(/^Europe\/Berlin, (?:CET|GMT\+1)$/);
});
