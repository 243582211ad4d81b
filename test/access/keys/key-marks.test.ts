import { describe, expect, test } from '@jest/globals';
import { marksOf } from '#access/keys/contract/marks';

const day = 86_400_000;
const now = 1_800_000_000_000;
const fresh = { createdAt: now - day, lastUsedAt: now - day, revokedAt: null, expiresAt: null, replacedBy: null };

describe('what there is to do about a key', () => {
  test.each<[string, Partial<Parameters<typeof marksOf>[0]>, string[]]>([
    ['nothing while it is used and has no end', {}, []],
    ['nothing 14 days and a moment before its end', { expiresAt: now + 14 * day + 1 }, []],
    ['14 days before its end', { expiresAt: now + 14 * day }, ['expires-soon']],
    ['at its end', { expiresAt: now }, ['expired']],
    ['nothing before the end of a key that has a successor', { expiresAt: now + day, replacedBy: 'next' }, []],
    ['nothing just before 90 days without use', { lastUsedAt: now - 90 * day + 1 }, []],
    ['after 90 days without use', { lastUsedAt: now - 90 * day }, ['unused']],
    ['nothing if it is new and was never used', { lastUsedAt: null }, []],
    ['after 90 days in which it was never used', { createdAt: now - 90 * day, lastUsedAt: null }, ['unused']],
    ['both at once', { expiresAt: now + day, lastUsedAt: now - 91 * day }, ['expires-soon', 'unused']],
    ['nothing once it is revoked', { revokedAt: now, expiresAt: now, lastUsedAt: now - 91 * day }, []],
  ])('%s', (_name, key, marks) => {
    expect(marksOf({ ...fresh, ...key }, now)).toEqual(marks);
  });
});
