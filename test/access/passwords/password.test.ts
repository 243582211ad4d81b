import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { parseOptions } from '@node-rs/argon2';
import { checkPasswordStrength, decoyHash, hashPassword, verifyPassword } from '#access/passwords/rules/passwords';

const password = 'seven quiet otters paint';

describe('AU-07: a password', () => {
  test('is recognised by its hash, and no other is', async () => {
    const stored = await hashPassword(password);
    expect(await verifyPassword(stored, password)).toBe(true);
    expect(await verifyPassword(stored, `${password} `)).toBe(false);
    expect(await verifyPassword(stored, password.toUpperCase())).toBe(false);
    expect(await verifyPassword(stored, '')).toBe(false);
  });

  test('is hashed with Argon2id, 19 MiB, two passes, one lane, and a salt of its own', async () => {
    const [stored, again] = await Promise.all([hashPassword(password), hashPassword(password)]);
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(again).not.toBe(stored);
  });

  test('is the same however its characters are composed', async () => {
    expect(await verifyPassword(await hashPassword('caf\u00e9 am Morgen'), 'cafe\u0301 am Morgen')).toBe(true);
  });

  test('is compared in full length', async () => {
    const stored = await hashPassword('x'.repeat(255) + 'a');
    expect(await verifyPassword(stored, 'x'.repeat(255) + 'b')).toBe(false);
  });
});

describe('AU-07: a person who is not there', () => {
  test('has no password', async () => {
    expect(await verifyPassword(null, password)).toBe(false);
    expect(await verifyPassword(null, '')).toBe(false);
  });

  test('costs as much work as one who is', async () => {
    expect(parseOptions(decoyHash)).toEqual(parseOptions(await hashPassword(password)));
  });
});

test('a damaged hash lets no one in', async () => {
  const stored = await hashPassword(password);
  for (const damaged of ['', 'plain', stored.slice(0, 40), password]) {
    await expect(verifyPassword(damaged, password)).rejects.toThrowProblem('internal');
  }
});

describe('AU-07: a new password', () => {
  test.each([
    'fifteen letters',
    'Tr0ub4dor&3Tr0ub4dor&3',
    '一二三四五六七八九十一二三四五',
    '🐎🔋📎✅🐎🔋📎✅🐎🔋📎✅🐎🔋📎',
    'meet @ noon by the river',
    createHash('sha512').update('longest').digest('hex').repeat(2),
  ])('may be %j', async (candidate) => {
    expect(await checkPasswordStrength(candidate)).toEqual([]);
  });

  test.each<[string, string]>([
    ['', 'at least 15'],
    ['fourteen chars', 'at least 15'],
    ['🐎'.repeat(13) + '🔋', 'at least 15'],
    ['x'.repeat(256) + 'y', 'at most 256'],
    ['a'.repeat(20), 'more than one different character'],
    ['🐎'.repeat(20), 'more than one different character'],
    ['alice.miller@example.com', 'email address'],
    [' alice@mail.example.com ', 'email address'],
    ['passwordpassword', 'common passwords'],
    ['P@ssw0rdP@ssw0rd', 'common passwords'],
    ['letmeinletmein123', 'common passwords'],
    ['trustno1trustno1', 'common passwords'],
    ['iloveyouiloveyou', 'common passwords'],
    ['qwertyuiopasdfghjkl', 'rows of keys'],
    ['1q2w3e4r5t6y7u8i', 'rows of keys'],
    ['123456789012345', 'rows of keys'],
    ['Summer2026Summer2026', 'dates'],
    ['administrator123', 'common passwords'],
    [`${'password'.repeat(31)} secret`, 'common passwords'],
    ['correcthorsebatterystaple', 'common passwords and phrases'],
    ['Correct Horse Battery Staple 7', 'common passwords and phrases'],
    ['Password1234567!', 'common passwords'],
    ['Sommer2026Sommer', 'dates'],
    ['may-the-force-be-with-you', 'phrases'],
  ])('may not be %j: %s', async (candidate, reason) => {
    const [error, ...more] = await checkPasswordStrength(candidate);
    expect(error?.path).toEqual(['password']);
    expect(error?.message).toContain(reason);
    expect(more).toEqual([]);
  });
});

test.each([
  'ada.lovelace.bank',
  'AdaLovelace1234567',
  'adalovelace2026',
  'ada lovelace ada lovelace',
  'lovelace@bank.example',
  'assentryassentry1',
])('AU-07: a new password may not be made of its owner’s own name and address: %s', async (candidate) => {
  const owner = { name: 'Ada Lovelace', email: 'ada.lovelace@bank.example' };
  expect(await checkPasswordStrength(candidate, owner)).toEqual([
    { path: ['password'], message: expect.stringMatching(/names|email address/) },
  ]);
});
