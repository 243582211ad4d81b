import { describe, expect, test } from '@jest/globals';
import { type StringFormat, formatLengths, isOfFormat } from '#platform/form/schema';
import { workOf } from '../../support/work.ts';

const good: Record<StringFormat, string[]> = {
  email: [
    ['ada@example.com', 'a@b.c', 'first.last+tag@sub.example.co.uk', "o'neil@example.ie", 'x_y-z@example.com'],
    ['jürgen@müller.de', '用户@例子.公司', `${'a'.repeat(64)}@example.com`],
  ].flat(),
  uri: [
    'https://example.com',
    'http://localhost:3000/a?b#c',
    'mailto:ada@example.com',
    'urn:isbn:0451450523',
    'ftp://h/',
  ],
  date: ['2026-03-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'],
  'date-time': [
    ['2026-03-31T09:30:00Z', '2026-03-31T09:30:00.123456Z', '2026-03-31T23:59:59+14:00', '2024-02-29t00:00:00z'],
    ['2026-03-31T09:30:00-00:00'],
  ].flat(),
};

const bad: Record<StringFormat, string[]> = {
  email: [
    ['', 'ada', 'ada@', '@example.com', 'ada@localhost', 'a b@example.com', 'ada@exa mple.com', 'ada@example..com'],
    ['.ada@example.com', 'ada.@example.com', 'a..b@example.com', 'ada@-example.com', 'ada@example-.com', 'a@@b.co'],
    ['a@b@c.de', 'ada@example.com\n', ' ada@example.com', `${'a'.repeat(65)}@example.com`, `a@${'b.'.repeat(130)}de`],
    ['Ada <ada@example.com>', 'ada@example.com.', 'ada\0@example.com', `a@${'b'.repeat(64)}.de`],
  ].flat(),
  uri: [
    ['', 'example.com', '/path', '//example.com/x', 'https://', 'http://exa mple.com', ' https://example.com'],
    ['https://example.com\n', 'https://example.com/a b', 'ht\ttps://example.com', 'https://[::1', '://x'],
  ].flat(),
  date: [
    ['', '2026-02-29', '1900-02-29', '2026-04-31', '2026-00-10', '2026-13-01', '2026-01-00', '2026-01-32'],
    ['26-01-01', '2026-1-1', '2026/01/01', '2026-01-01T00:00:00Z', '2026-01-01 ', '２０２６-01-01', '+2026-01-01'],
  ].flat(),
  'date-time': [
    ['', '2026-03-31', '2026-03-31T09:30:00', '2026-03-31 09:30:00Z', '2026-03-31T24:00:00Z', '2026-03-31T09:60:00Z'],
    ['2026-03-31T09:30:60Z', '2026-03-31T09:30Z', '2026-02-30T09:30:00Z', '2026-03-31T09:30:00+24:00'],
    ['2026-03-31T09:30:00+0100', '2026-03-31T09:30:00.Z', '2026-03-31T09:30:00ZZ', 'T09:30:00Z'],
  ].flat(),
};

const rows = (table: Record<StringFormat, string[]>): [StringFormat, string][] =>
  Object.entries(table).flatMap(([format, texts]) =>
    texts.map((text): [StringFormat, string] => [format as StringFormat, text]),
  );

describe('E-30: the four string formats', () => {
  test.each(rows(good))('as %s, %j is right', (format, text) => expect(isOfFormat(format, text)).toBe(true));
  test.each(rows(bad))('as %s, %j is wrong', (format, text) => expect(isOfFormat(format, text)).toBe(false));

  test.each(rows(good))('a right %s has a length the format can have: %j', (format, text) => {
    expect(text.length).toBeGreaterThanOrEqual(formatLengths[format].shortest);
    expect(text.length).toBeLessThanOrEqual(formatLengths[format].longest);
  });

  test('every day of a leap year and of the century year before it is judged as the calendar has it', () => {
    for (const year of ['2024', '1900']) {
      const days = Array.from({ length: 12 * 31 }, (_, index) => ({
        month: 1 + Math.floor(index / 31),
        day: 1 + (index % 31),
      }));
      for (const { month, day } of days) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const real = new Date(Date.UTC(Number(year), month - 1, day)).toISOString().startsWith(text);
        expect([text, isOfFormat('date', text)]).toEqual([text, real]);
      }
    }
  });

  const formatsOf = (text: string) =>
    Object.keys(formatLengths).filter((format) => isOfFormat(format as StringFormat, text));

  test('a hostile text is judged in reasonable time', () => {
    for (const text of ['a.'.repeat(50_000), `a@${'b-'.repeat(50_000)}`, `2026-01-01T00:00:00.${'0'.repeat(50_000)}`])
      expect(workOf(() => expect(formatsOf(`${text}!`)).toEqual([]))).toBeLessThan(80);
  });
});
