import { describe, expect, test } from '@jest/globals';
import { createKeyRing } from '#platform/crypto/key-ring';
import { newRecoveryCodes, placeOfCode } from '#access/passwords/rules/recovery';
import {
  openEnrolment,
  openTotp,
  sealEnrolment,
  sealTotp,
  keyUri,
  newTotpSecret,
  stepOfCode,
} from '#access/factors/rules';
import { codeAt, stepMs } from '../../support/nodes/authenticator-app.ts';

const ring = createKeyRing([{ kid: 'test', secret: 'a-secret-for-tests-of-enough-characters' }]);
/** Of RFC 6238, appendix B: "12345678901234567890" in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a code', () => {
  // The RFC prints eight digits; apps show the last six.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('of RFC 6238 at second %d is taken in its step', async (seconds, code) => {
    expect(await stepOfCode(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
    expect(codeAt(secret, seconds * 1000)).toBe(code);
  });

  test('is taken one step early or late, and no further', async () => {
    const now = 1_700_000_000_000;
    const step = Math.floor(now / stepMs);
    for (const [off, expected] of [
      [-2, null],
      [-1, step - 1],
      [0, step],
      [1, step + 1],
      [2, null],
    ] as const)
      expect([off, await stepOfCode(secret, codeAt(secret, now + off * stepMs), now)]).toEqual([off, expected]);
  });

  test('has a secret of 160 bits of its own, and an address that apps read', async () => {
    const [first, second] = [await newTotpSecret(), await newTotpSecret()];
    expect(first).toMatch(/^[A-Z2-7]{32}$/);
    expect(first).not.toBe(second);
    expect(await keyUri(secret, 'ada@example.com')).toBe(
      `otpauth://totp/Assentry:ada%40example.com?issuer=Assentry&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

describe('what is stored of an authenticator app', () => {
  const place = { id: 'otp_1', userId: 'usr_1' };
  const secrets = { secret, recovery: { salt: 'AA', hashes: [] } };

  test.each([
    ['another row', { ...place, id: 'otp_2' }],
    ['another person', { ...place, userId: 'usr_2' }],
  ])('does not open for %s', (_what, other) => {
    const box = sealTotp(ring, place, secrets);
    expect(openTotp(ring, place, box)).toEqual(secrets);
    expect(() => openTotp(ring, other, box)).toThrow(expect.objectContaining({ code: 'sealed-unreadable' }));
  });

  test('an enrolment opens in its session alone, and is no stored secret', () => {
    const text = sealEnrolment(ring, 'one session', { secret, expiresAt: 1 });
    expect(openEnrolment(ring, 'one session', text)).toEqual({ secret, expiresAt: 1 });
    expect(() => openEnrolment(ring, 'another', text)).toThrow(expect.objectContaining({ code: 'sealed-unreadable' }));
    expect(() => openTotp(ring, place, Buffer.from(text, 'base64url'))).toThrow();
  });
});

test('ten recovery codes are found again however they are typed, and stored as hashes of one salt', async () => {
  const { codes, recovery } = await newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  expect(await placeOfCode(recovery, codes[3] ?? '')).toBe(3);
  expect(await placeOfCode(recovery, ` ${codes[9]?.toLowerCase().replace('-', ' ')}`)).toBe(9);
  expect(await placeOfCode(recovery, 'AAAAA-AAAAA')).toBeNull();
  expect(JSON.stringify(recovery)).not.toContain(codes[0]?.slice(0, 5));
});
