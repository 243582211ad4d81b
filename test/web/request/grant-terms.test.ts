import { describe, expect, test } from '@jest/globals';
import { formatsIn } from '#platform/text/formats';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import {
  grantDurations,
  mayGrant,
  shortestAllowed,
  type GrantTerms,
} from '../../../web/src/requests/decide/grant-terms.ts';

const hour = 3_600_000;
const terms = (longest: number): GrantTerms => ({
  longest,
  uses: null,
  budget: null,
  same: [],
  ceiling: 'medium',
  review: null,
});
type Votes = ElicitationDetail['votes'];
const request = (grant: GrantTerms | null, notBefore: number | null, ...votes: Partial<Votes[number]>[]) =>
  ({ policy: { grant }, notBefore, votes: votes as Votes }) as ElicitationDetail;

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
])('%i ms is said as %s', (milliseconds, text) => {
  expect(formatsIn('en').duration(milliseconds)).toBe(text);
});

describe('more is allowed if everyone allows it', () => {
  const vote = { action: 'accept' as const, stands: true, allowFor: null };
  test.each([
    ['the first vote', request(terms(hour), null), true],
    ['after one who allows it', request(terms(hour), null, { ...vote, allowFor: hour }), true],
    ['after one who does not', request(terms(hour), null, vote), false],
    ['after one who has taken that back', request(terms(hour), null, { ...vote, stands: false }), true],
    ['what starts later', request(terms(hour), 1), false],
    ['a policy that permits none', request(null, null), false],
  ])('%s', (_, detail, expected) => {
    expect(mayGrant(detail)).toBe(expected);
  });
});

test('the shortest of what all allow holds, of the votes that stand', () => {
  const votes = [
    { stands: true, allowFor: 4 * hour },
    { stands: false, allowFor: hour },
    { stands: true, allowFor: null },
  ];
  expect(shortestAllowed(request(terms(8 * hour), null, ...votes), 8 * hour)).toBe(4 * hour);
  expect(shortestAllowed(request(terms(8 * hour), null), 8 * hour)).toBe(8 * hour);
});
