import { describe, expect, test } from '@jest/globals';
import { tokensIn } from '#platform/text/visible-text';

const token = `v1.k1.${'Ab3_-9'.repeat(36)}.${'Z9_-abcdefg'.repeat(4).slice(0, 43)}`;
const address = `https://pay.example/checkout?amount=1&state=${token}&back=2`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const encodings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  percent: encodeURIComponent,
  'percent of each byte': (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&'),
  base64,
  'base64 in a path': (text) => `https://pay.example/p/${base64(text)}`,
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  JSON: (text) => JSON.stringify({ text }),
  'escapes of JavaScript': (text) => text.replaceAll('.', String.raw`\u002e`),
  'entities of HTML': (text) => text.replaceAll('.', '&#46;').replaceAll('_', '&lowbar;'),
  'quoted-printable': (text) => text.replaceAll('=', '=3D'),
  'full-width characters': (text) => text.replaceAll('.', '\uff0e'),
  'lines and hidden characters': (text) => text.replaceAll(/(.{70})/g, '$1\n\u200b'),
};

describe('a token in a text', () => {
  const names = Object.keys(encodings);
  test.each(names)('is found as %s, and within every other spelling', (outer) => {
    for (const inner of names) {
      const text = encodings[outer]?.(encodings[inner]?.(address) ?? '') ?? '';
      expect([outer, inner, tokensIn(text).includes(token)]).toEqual([outer, inner, true]);
    }
  });

  test.each(['', 'v1.k1.short.mac', 'https://pay.example/?state=abc', 'a'.repeat(4000), '%25'.repeat(1300)])(
    'is not found where there is none',
    (text) => {
      expect(tokensIn(text)).toEqual([]);
    },
  );
});
