import { describe, expect, test } from '@jest/globals';
import { hkdfSync } from 'node:crypto';
import { inspect } from 'node:util';
import { sha256, joinParts } from '#platform/crypto/digest';
import { createKeyRing, deriveKey, expandKey, expandKeys, type KeyLabel, keyLabels } from '#platform/crypto/key-ring';
import { Problem } from '#platform/model/problem';
import { newSecret, oldRing, oldSecret, rotatedRing } from './rings.ts';

const labels = Object.keys(keyLabels) as KeyLabel[];
const secret = 'x'.repeat(32);

describe('a ring', () => {
  test('takes the first secret as the active one', () => {
    expect(rotatedRing.active).toBe('k2');
    expect(rotatedRing.kids).toEqual(['k2', 'k1']);
  });

  test('does not know what it was not given', () => {
    expect(() => rotatedRing.secret('k3')).toThrowProblem('sealed-unreadable');
    expect(() => rotatedRing.secret('constructor')).toThrowProblem('sealed-unreadable');
  });

  test('CR-07: never shows a secret', () => {
    const shown = inspect(rotatedRing, { depth: 9, showHidden: true }) + JSON.stringify(rotatedRing);
    expect(shown).not.toContain(oldSecret.secret);
    expect(shown).not.toContain(Buffer.from(oldSecret.secret).toString('hex'));
    expect(inspect(rotatedRing.secret('k1'), { depth: 9, showHidden: true })).not.toContain(oldSecret.secret);
  });
});

describe('a ring is refused', () => {
  const other = 'y'.repeat(32);

  test.each<[string, { kid: string; secret: string }[], (string | number)[]]>([
    ['with no secret', [], []],
    ['with an empty key id', [{ kid: '', secret }], [0, 'kid']],
    ['with a long key id', [{ kid: 'a'.repeat(17), secret }], [0, 'kid']],
    ['with a dot in a key id', [{ kid: 'a.b', secret }], [0, 'kid']],
    ['with a line break after a key id', [{ kid: 'a\n', secret }], [0, 'kid']],
    ['with a short secret', [{ kid: 'a', secret: 'x'.repeat(31) }], [0, 'secret']],
    ['with a key id twice', [{ kid: 'a', secret }, { kid: 'a', secret: other }], [1, 'kid']], // prettier-ignore
    ['with a secret twice', [{ kid: 'a', secret }, { kid: 'b', secret }], [1, 'secret']], // prettier-ignore
  ])('%s', (_name, secrets, path) => {
    const attempt = () => createKeyRing(secrets);
    expect(attempt).toThrowProblem('config-invalid');
    expect(errorsOf(attempt)).toMatchObject([{ path }]);
  });

  test('CR-07: without repeating what was given, be it on the wrong side of the colon', () => {
    const leaky = [
      { kid: 'hunter2-hunter2-hunter2', secret: 'hunter2-short' },
      { kid: 'hunter2', secret: 'hunter2-hunter2-hunter2-hunter2-hunter2' },
      { kid: 'hunter2', secret: 'hunter2-hunter2-hunter2-hunter2-hunter2' },
    ];
    const problem = problemOf(() => createKeyRing(leaky));
    expect(problem.errors).toHaveLength(4);
    expect(problem.message + JSON.stringify(problem.errors) + inspect(problem)).not.toContain('hunter2');
  });
});

describe('CR-04: no key has two uses', () => {
  test('labels differ', () => {
    expect(new Set(Object.values(keyLabels)).size).toBe(labels.length);
  });

  test('every label and kid has its own key', () => {
    const keys = rotatedRing.kids.flatMap((kid) => labels.map((label) => deriveKey(rotatedRing, kid, label)));
    expect(keys.every((key) => key.length === 32)).toBe(true);
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(labels.length * 2);
  });

  test('no key is the secret', () => {
    for (const label of labels) {
      expect(deriveKey(oldRing, 'k1', label).equals(Buffer.from(oldSecret.secret).subarray(0, 32))).toBe(false);
    }
  });

  test('context parts differ wherever they are cut', () => {
    const contexts = [[], [''], ['', ''], ['ab', 'c'], ['a', 'bc'], ['abc'], ['c', 'ab'], ['ab', 'c', '']];
    const keys = contexts.map((context) => deriveKey(oldRing, 'k1', 'wrap', ...context).toString('hex'));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('a context may be long', () => {
    const long = 'p'.repeat(5_000);
    expect(deriveKey(oldRing, 'k1', 'wrap', long)).not.toEqual(deriveKey(oldRing, 'k1', 'wrap', `${long}q`));
  });

  test('text that would lose its difference as bytes is refused', () => {
    expect(() => deriveKey(oldRing, 'k1', 'wrap', '\ud800')).toThrowProblem('INVALID_INPUT');
  });
});

test('CR-06: a kid has the same keys at any place in the ring', () => {
  for (const label of labels) {
    expect(deriveKey(oldRing, 'k1', label)).toEqual(deriveKey(rotatedRing, 'k1', label));
    expect(deriveKey(oldRing, 'k1', label, 'a')).toEqual(deriveKey(rotatedRing, 'k1', label, 'a'));
  }
});

test('a remembered key is not given to another ring', () => {
  const twin = createKeyRing([{ ...newSecret, kid: oldSecret.kid }]);
  expect(deriveKey(oldRing, 'k1', 'owner')).toEqual(deriveKey(oldRing, 'k1', 'owner'));
  expect(deriveKey(twin, 'k1', 'owner')).not.toEqual(deriveKey(oldRing, 'k1', 'owner'));
});

test('a key is what HKDF-SHA256 gives', () => {
  const salt = Buffer.alloc(16, 7);
  const info = joinParts(keyLabels.wrap, sha256(joinParts('srv_1', 'session')));
  const expected = Buffer.from(hkdfSync('sha256', oldRing.secret('k1'), salt, info, 32));
  expect(expandKey(oldRing.secret('k1'), salt, 'wrap', 'srv_1', 'session')).toEqual(expected);
  const unsalted = Buffer.from(hkdfSync('sha256', oldRing.secret('k1'), '', info, 32));
  expect(expandKey(oldRing.secret('k1'), Buffer.alloc(0), 'wrap', 'srv_1', 'session')).toEqual(unsalted);
});

test('keys for several uses are those for each use', () => {
  const secret = oldRing.secret('k1');
  const each = (['commit', 'payload'] as const).map((label) => expandKey(secret, Buffer.alloc(0), label));
  expect(expandKeys(secret.export(), ['commit', 'payload'])).toEqual(each);
  expect(each[0]).not.toEqual(each[1]);
});

test('MT-03: an unknown kid has no keys', () => {
  expect(() => deriveKey(oldRing, 'k2', 'owner')).toThrowProblem('sealed-unreadable');
  expect(() => deriveKey(oldRing, 'k2', 'wrap', 'a')).toThrowProblem('sealed-unreadable');
});

function problemOf(attempt: () => unknown): Problem {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Problem('internal', { detail: 'Nothing was refused.' });
}

const errorsOf = (attempt: () => unknown) => problemOf(attempt).errors;
