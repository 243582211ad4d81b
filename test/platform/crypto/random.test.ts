import { expect, test } from '@jest/globals';
import { drawBytes, newId, randomSecret } from '#platform/crypto/random';
import { type IdKind, idPrefixes, isId } from '#platform/model/id';

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

test('drawn bytes are given once, whatever was drawn before', () => {
  const drawn = [12, 16, 12, 500, 1024, 1025, 16].flatMap((length) =>
    Array.from({ length: 300 }, () => {
      const bytes = drawBytes(length);
      expect(bytes).toHaveLength(length);
      return bytes.toString('hex').slice(0, 24);
    }),
  );
  expect(new Set(drawn).size).toBe(drawn.length);
});

test('a change to drawn bytes reaches no others', () => {
  const [first, second] = [drawBytes(16), drawBytes(16)];
  const before = Buffer.from(second);
  first.fill(0);
  expect(second).toEqual(before);
  expect(drawBytes(16).equals(Buffer.alloc(16))).toBe(false);
});
