import { expect, test } from '@jest/globals';
import { digestOf, sha256 } from '#platform/crypto/digest';

test('SHA-256 of the published example', () => {
  expect(sha256('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256(new TextEncoder().encode('abc'))).toEqual(sha256('abc'));
});

test('AI-05: the digest of a value is that of its canonical bytes', () => {
  expect(digestOf({ b: [1.0, 'ö'], a: null })).toBe(sha256('{"a":null,"b":[1,"ö"]}').toString('hex'));
  expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }));
  expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: '1' }));
});

test('a value that JSON cannot carry has no digest', () => {
  expect(() => digestOf({ a: undefined })).toThrowProblem('INVALID_INPUT');
});
