import { describe, expect, test } from '@jest/globals';
import { createDecipheriv, createHmac } from 'node:crypto';
import { deriveKey, expandKey, closeBox } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { maxTokenLength, mintToken, openToken, tokenPurposes } from '#access/tokens/rules';
import { problemSentences } from '#platform/model/problem';
import { refusalOf } from '../../platform/crypto/refusal-of.ts';
import { foreignRing, newRing, oldRing, rotatedRing } from '../../platform/crypto/rings.ts';

const now = 1_800_000_000_000;
const claims = {
  session: 'session-1',
  elicitation: newId('elicitation'),
  purpose: 'page',
  expiresAt: now + 1,
} as const;
const token = mintToken(oldRing, claims);
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const open = (text: string) => openToken(rotatedRing, text, 'page', now);
const segments = (text: string): [string, string, string, string] =>
  text.split('.') as [string, string, string, string];

/** Makes what only a holder of the secret can make. */
const sign = (signed: string): string =>
  `${signed}.${createHmac('sha256', deriveKey(oldRing, 'k1', 'tokenMac'))
    .update(signed)
    .digest('base64url')}`;

describe('a token', () => {
  test('opens to its claims and a nonce of 16 bytes', () => {
    const opened = open(token);
    expect(opened).toEqual({ ...claims, nonce: opened.nonce });
    expect(Buffer.from(opened.nonce, 'base64url')).toHaveLength(16);
  });

  test('MT-02: has a nonce of its own, so that its use can be remembered', () => {
    const tokens = Array.from({ length: 100 }, () => mintToken(oldRing, claims));
    expect(new Set(tokens.map((text) => open(text).nonce)).size).toBe(100);
    expect(open(token).nonce).toBe(open(token).nonce);
  });

  test('the nonce is never the caller’s choice', () => {
    const chosen = { ...claims, nonce: 'chosen' };
    expect(open(mintToken(oldRing, chosen)).nonce).not.toBe('chosen');
  });

  test('MT-05: can stand in a link and shows only its version and key id', () => {
    expect(token).toMatch(/^v1\.k1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
    const shown = segments(token).map((segment) => Buffer.from(segment, 'base64url').toString('latin1') + segment);
    for (const hidden of [claims.session, claims.elicitation, claims.purpose, String(claims.expiresAt)]) {
      expect(shown.join('')).not.toContain(hidden);
    }
  });

  test('F-30, F-32: is AES-256-GCM over the claims and HMAC-SHA256 over all before the last dot', () => {
    const [version, kid, sealed, mac] = segments(token);
    const box = Buffer.from(sealed, 'base64url');
    const nonceAt = 2 + kid.length + 16;
    const key = expandKey(oldRing.secret('k1'), box.subarray(2 + kid.length, nonceAt), 'tokenSeal');
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(nonceAt, nonceAt + 12));
    decipher.setAAD(box.subarray(0, nonceAt)).setAuthTag(box.subarray(-16));
    const text = `${decipher.update(box.subarray(nonceAt + 12, -16), undefined, 'utf8')}${decipher.final('utf8')}`;
    expect(JSON.parse(text)).toMatchObject(claims);
    expect(sign(`${version}.${kid}.${sealed}`)).toBe(`${version}.${kid}.${sealed}.${mac}`);
  });

  test.each(tokenPurposes)('MT-01: made for %s serves nothing else', (purpose) => {
    const result = mintToken(oldRing, { ...claims, purpose });
    expect(openToken(oldRing, result, purpose, now).purpose).toBe(purpose);
    for (const other of tokenPurposes.filter((candidate) => candidate !== purpose)) {
      expect(() => openToken(oldRing, result, other, now)).toThrowProblem('token-invalid');
    }
  });

  test('MT-01: is valid until the millisecond before it expires', () => {
    expect(openToken(oldRing, token, 'page', claims.expiresAt - 1)).toMatchObject(claims);
    expect(() => openToken(oldRing, token, 'page', claims.expiresAt)).toThrowProblem('token-invalid');
    expect(() => openToken(oldRing, token, 'page', claims.expiresAt + 1)).toThrowProblem('token-invalid');
    expect(() => openToken(oldRing, token, 'page', Number.NaN)).toThrowProblem('token-invalid');
  });
});

describe('MT-01: a token is refused', () => {
  test('if any one character of it is another', () => {
    for (let at = 0; at < token.length; at += 1) {
      for (const char of ['A', 'B', '.', '=', alphabet[(alphabet.indexOf(token.charAt(at)) + 1) % 64] ?? '']) {
        if (char === token.charAt(at)) continue;
        const tampered = token.slice(0, at) + char + token.slice(at + 1);
        expect(() => open(tampered)).toThrowProblem('token-invalid');
      }
    }
  });

  test('if its last character is one that decodes to the same bytes', () => {
    const last = alphabet.indexOf(token.at(-1) ?? '');
    const twins = [1, 2, 3].map((bits) => token.slice(0, -1) + (alphabet[last ^ bits] ?? ''));
    const mac = Buffer.from(segments(token)[3], 'base64url');
    expect(twins.every((twin) => Buffer.from(segments(twin)[3], 'base64url').equals(mac))).toBe(true);
    for (const twin of twins) expect(() => open(twin)).toThrowProblem('token-invalid');
  });

  test('if its parts come from two tokens', () => {
    const [version, kid, sealed, mac] = segments(token);
    const [, , otherSealed, otherMac] = segments(mintToken(oldRing, claims));
    expect(open([version, kid, sealed, mac].join('.'))).toMatchObject(claims);
    expect(() => open([version, kid, otherSealed, mac].join('.'))).toThrowProblem('token-invalid');
    expect(() => open([version, kid, sealed, otherMac].join('.'))).toThrowProblem('token-invalid');
  });

  test('if it claims another key id, known or not', () => {
    const [version, , sealed, mac] = segments(token);
    for (const kid of ['k2', 'k3', '', 'K1', '__proto__', 'constructor', 'k'.repeat(17)]) {
      expect(() => open([version, kid, sealed, mac].join('.'))).toThrowProblem('token-invalid');
    }
  });

  test('if another installation made it', () => {
    expect(openToken(foreignRing, mintToken(foreignRing, claims), 'page', now)).toMatchObject(claims);
    expect(() => open(mintToken(foreignRing, claims))).toThrowProblem('token-invalid');
  });

  test('if it is rightly signed but seals nothing', () => {
    expect(open(sign(token.slice(0, token.lastIndexOf('.'))))).toMatchObject(claims);
    expect(() => open(sign('v1.k1.AAAA'))).toThrowProblem('token-invalid');
    expect(() => open(sign(`v1.k1.${'A'.repeat(200)}`))).toThrowProblem('token-invalid');
  });

  test('if it is rightly made but over-long', () => {
    const withSession = (session: string) => {
      const text = JSON.stringify({ ...claims, session, nonce: 'n' });
      return sign(`v1.k1.${closeBox(oldRing, 'tokenSeal', [], text).toString('base64url')}`);
    };
    expect(open(withSession('session-1'))).toMatchObject(claims);
    expect(() => open(withSession('s'.repeat(4_000)))).toThrowProblem('token-invalid');
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['an object', { toString: () => token }],
    ['a list', [token]],
    ['an empty text', ''],
    ['dots', '...'],
    ['too few parts', token.slice(0, token.lastIndexOf('.'))],
    ['too many parts', `${token}.x`],
    ['a version to come', token.replace('v1', 'v2')],
    ['white space before', ` ${token}`],
    ['a line break after', `${token}\n`],
    ['padding', `${token}=`],
    ['an over-long text', `v1.k1.${'A'.repeat(5_000)}.${'A'.repeat(43)}`],
  ])('if it is %s', (_name, text) => {
    expect(() => open(text as string)).toThrowProblem('token-invalid');
  });

  test('CR-08: with one answer for every reason', () => {
    const attempts = [
      () => open(`${token}x`),
      () => open(token.replace('k1', 'k9')),
      () => openToken(oldRing, token, 'oauth', now),
      () => openToken(oldRing, token, 'page', now + 5),
    ];
    for (const attempt of attempts) {
      expect(refusalOf(attempt)).toEqual({
        code: 'token-invalid',
        message: problemSentences['token-invalid'],
        errors: [],
      });
    }
  });
});

test('MT-03: a token outlives a rotation until its secret is dropped', () => {
  expect(openToken(rotatedRing, token, 'page', now)).toMatchObject(claims);
  expect(() => openToken(newRing, token, 'page', now)).toThrowProblem('token-invalid');
  expect(mintToken(rotatedRing, claims)).toMatch(/^v1\.k2\./);
  expect(openToken(newRing, mintToken(rotatedRing, claims), 'page', now)).toMatchObject(claims);
});

test('a token that no one could open is not made', () => {
  const fitting = mintToken(oldRing, { ...claims, session: 's'.repeat(2_000) });
  expect(fitting.length).toBeLessThanOrEqual(maxTokenLength);
  expect(open(fitting).session).toHaveLength(2_000);
  expect(() => mintToken(oldRing, { ...claims, session: 's'.repeat(4_000) })).toThrowProblem('INVALID_INPUT');
});
