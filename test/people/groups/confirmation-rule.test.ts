import { expect, test } from '@jest/globals';
import { confirmationStep } from '#people/groups/contract';

const day = 86_400_000;

test.each([
  ['two weeks before the end', 90, 76],
  ['after half of a short interval', 2, 1],
])('the owners are warned %s, and not before', (_when, days, at) => {
  const confirmation = { days, confirmedAt: 0, lapsesAt: null };
  expect(confirmationStep(confirmation, at * day - 1)).toBe(null);
  expect(confirmationStep(confirmation, at * day)).toEqual({ type: 'warn', lapsesAt: days * day });
});

test('a warning that is late leaves as much time as one that is not', () => {
  const confirmation = { days: 90, confirmedAt: 0, lapsesAt: null };
  expect(confirmationStep(confirmation, 500 * day)).toEqual({ type: 'warn', lapsesAt: 514 * day });
});

test('members leave at the announced time, and not before', () => {
  const confirmation = { days: 90, confirmedAt: 0, lapsesAt: 514 * day };
  expect(confirmationStep(confirmation, 514 * day - 1)).toBe(null);
  expect(confirmationStep(confirmation, 514 * day)).toEqual({ type: 'lapse' });
});
