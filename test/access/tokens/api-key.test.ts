import { describe, expect, test } from '@jest/globals';
import { newApiKey, readApiKey } from '#access/tokens/rules';
import { sha256 } from '#platform/crypto/digest';

const { key, kid, hash } = newApiKey();

describe('AU-11: an API key', () => {
  test('has a form that secret scanners know', () => {
    for (let count = 0; count < 200; count += 1) {
      expect(newApiKey().key).toMatch(/^asn_[0-9a-f]{16}_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
    }
  });

  test('is read as its id and its hash, which is all that is stored', () => {
    expect(readApiKey(key)).toEqual({ kid, hash });
    expect(hash).toEqual(sha256(key));
  });

  test('is different each time, in id and secret', () => {
    const keys = Array.from({ length: 1_000 }, () => newApiKey());
    expect(new Set(keys.map((key) => key.kid)).size).toBe(1_000);
    expect(new Set(keys.map((key) => key.key.split('_')[2])).size).toBe(1_000);
  });

  test('uses the whole of its alphabet, evenly enough', () => {
    const text = Array.from({ length: 500 }, () => newApiKey().key.split('_')[2]?.slice(1)).join('');
    const counts = [...new Set(text)].map((digit) => text.split(digit).length - 1);
    expect(counts).toHaveLength(62);
    expect(Math.min(...counts)).toBeGreaterThan(200); // 339 on average
  });
});

describe('AU-11: what cannot be a key never reaches the database', () => {
  test('any one character mistyped', () => {
    for (let at = 0; at < key.length; at += 1) {
      for (const char of ['0', 'a', 'Z', '_', ' ']) {
        if (char !== key.charAt(at)) expect(readApiKey(key.slice(0, at) + char + key.slice(at + 1))).toBeNull();
      }
    }
  });

  test('any two neighbours swapped', () => {
    for (let at = 1; at < key.length; at += 1) {
      const swapped = key.slice(0, at - 1) + key.charAt(at) + key.charAt(at - 1) + key.slice(at + 1);
      if (swapped !== key) expect(readApiKey(swapped)).toBeNull();
    }
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['the prefix alone', 'asn_'],
    ['underscores', '___'],
    ['a key cut short', key.slice(0, -1)],
    ['a key without its beginning', key.slice(1)],
    ['a key and more', `${key}0`],
    ['a key and a line break', `${key}\n`],
    ['a key after a space', ` ${key}`],
    ['a whole header', `Bearer ${key}`],
    ['a key in capitals', key.toUpperCase()],
    ['a key of another product', key.replace('asn_', 'apo_')],
    ['a very long text', 'a'.repeat(1_000_000)],
  ])('%s', (_name, text) => {
    expect(readApiKey(text)).toBeNull();
  });
});
