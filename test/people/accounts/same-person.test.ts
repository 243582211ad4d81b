import { expect, test } from '@jest/globals';
import type { UserId } from '#platform/model/id';
import { accountsOf, likelyPairs } from '#people/accounts/verbs/pairs';

const many = Array.from({ length: 3_000 }, (_, at) => ({
  id: `usr_${String(at).padStart(4, '0')}` as UserId,
  email: `info+${at}@example.com`,
  name: 'Front Desk',
  decidedPairs: null,
  verifiedAddresses: null,
  vouchedAddresses: null,
  disabledAt: null,
}));

test('thousands of accounts of one mailbox are one person in production, and no million of pairs', () => {
  const accounts = accountsOf(many, 'production');
  expect(accounts.size).toBe(many.length);
  expect(new Set(accounts.values()).size).toBe(1);
  const pairs = likelyPairs(many);
  expect(pairs).toHaveLength(many.length - 1);
  expect(pairs.every(({ sign }) => sign === 'mailbox')).toBe(true);
  expect(accountsOf(many, 'trial').size).toBe(0);
});
