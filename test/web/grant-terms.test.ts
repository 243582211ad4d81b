import { describe, expect, test } from '@jest/globals';
import type { ElicitationDetail } from '../../src/contract/console.ts';
import { describeDuration, grantDurations, mayGrant, type GrantTerms } from '../../web/src/lib/grant-terms.ts';

const hour = 3_600_000;
const terms = (longest: number): GrantTerms => ({
  longest,
  uses: null,
  budget: null,
  same: [],
  ceiling: 'medium',
  review: null,
});
const request = (grant: GrantTerms | null, progress: ElicitationDetail['progress']) =>
  ({ policy: { grant }, progress }) as ElicitationDetail;

test.each([
  [hour / 2, [hour / 2]],
  [hour, [hour]],
  [8 * hour, [hour, 4 * hour, 8 * hour]],
  [10 * hour, [hour, 4 * hour, 8 * hour, 10 * hour]],
])('what is permitted for %i ms can be allowed for %j', (longest, durations) => {
  expect(grantDurations(terms(longest))).toEqual(durations);
});

test.each([
  [hour, '1 hour'],
  [48 * hour, '2 days'],
  [hour * 1.5, '90 minutes'],
])('%i ms is said as %s', (milliseconds, said) => {
  expect(describeDuration(milliseconds)).toBe(said);
});

describe('only the last vote may allow more', () => {
  const last = { stage: 2, stages: 2, have: 1, need: 2 };
  test.each([
    ['the last vote of the last stage', terms(hour), last, true],
    ['an earlier stage', terms(hour), { ...last, stage: 1 }, false],
    ['an earlier vote', terms(hour), { ...last, have: 0 }, false],
    ['a policy that permits none', null, last, false],
    ['a request to the requester', terms(hour), null, false],
  ])('%s', (_, grant, progress, expected) => {
    expect(mayGrant(request(grant, progress))).toBe(expected);
  });
});
