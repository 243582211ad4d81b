import { expect, test } from '@jest/globals';
import { hashSecret, newOneTimeSecret } from '#platform/crypto/random';

test('AU-01: what is stored finds the secret again and does not contain it', () => {
  const { secret, hash } = newOneTimeSecret();
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(hash).toHaveLength(32);
  expect(hashSecret(secret)).toEqual(hash);
  expect(hash.equals(Buffer.from(secret, 'base64url'))).toBe(false);
});

test('another secret has another hash', () => {
  expect(hashSecret(newOneTimeSecret().secret)).not.toEqual(hashSecret(newOneTimeSecret().secret));
});
