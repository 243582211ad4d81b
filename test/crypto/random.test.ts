import { expect, test } from '@jest/globals';
import { newId, randomSecret } from '../../src/crypto/random.ts';
import { type IdKind, idPrefixes, isId } from '../../src/model/id.ts';

test.each(Object.keys(idPrefixes) as IdKind[])('MT-04: a new %s id has its prefix and 128 random bits', (kind) => {
  const ids = Array.from({ length: 1_000 }, () => newId(kind));
  expect(ids.every((id) => isId(kind, id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a secret is 32 random bytes', () => {
  const secret = randomSecret();
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(randomSecret()).not.toBe(secret);
});
