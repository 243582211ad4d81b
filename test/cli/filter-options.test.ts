import { expect, test } from '@jest/globals';
import { readFilter } from '#audit/exports/command';

const ms = (time: string): number => Date.parse(time);

test.each([
  ['2026-07-01', '2026-07-01T00:00:00Z'],
  ['2026-07-01T12:00', '2026-07-01T12:00:00Z'],
  ['2026-07-01T12:00:30.5Z', '2026-07-01T12:00:30.500Z'],
  ['2026-03-29T02:30+01:00', '2026-03-29T01:30:00Z'],
  ['2028-02-29', '2028-02-29T00:00:00Z'],
])('%s is a time: %s', (from, time) => expect(readFilter({ from }).from).toBe(ms(time)));

test.each([
  '2026-02-31',
  '2026-04-31T10:00',
  '2026-02-29',
  '03/04',
  '3.4.2026',
  '2026-7-1',
  'yesterday',
  '2026-07-01 12:00',
  '',
])('“%s” is none, and the refusal names the option', (to) =>
  expect(() => readFilter({ to })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', errors: [expect.objectContaining({ path: ['--to'] })] }),
  ),
);

test.each([
  ['2026-07-02', '2026-07-01'],
  ['2026-07-01', '2026-07-01'],
])('from %s to %s nothing can be: it is refused', (from, to) =>
  expect(() => readFilter({ from, to })).toThrow(
    expect.objectContaining({ errors: [{ path: ['--to'], message: 'Give an end that is after the beginning.' }] }),
  ),
);
