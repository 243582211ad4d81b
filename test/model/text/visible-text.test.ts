import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lookalikeNote, revealText, type Segment } from '#protocol/model/text/visible-text';
import { firstLineOf } from '../../../web/src/lib/first-line.ts';

const hiddenIn = (text: string) =>
  revealText(text).flatMap((segment) => (segment.kind === 'hidden' ? [segment.label] : []));

const shown = (segment: Segment): string => (segment.kind === 'hidden' ? '' : segment.text);

describe('AI-04 what the eye would miss is spelled out', () => {
  test.each([
    ['a control character', 'a\u0007b', '⟨U+0007⟩'],
    ['a terminal escape', '\u001B[2J', '⟨U+001B⟩'],
    ['a tab', 'a\tb', '⟨U+0009⟩'],
    ['a carriage return', 'safe\rrm', '⟨U+000D⟩'],
    ['a right-to-left override', 'a\u202Etxt.exe', '⟨U+202E⟩'],
    ['an isolate', 'a\u2066b', '⟨U+2066⟩'],
    ['a zero-width space', 'a\u200Bb', '⟨U+200B⟩'],
    ['a joiner between letters', 'a\u200Db', '⟨U+200D⟩'],
    ['a soft hyphen', 'pay\u00ADpal', '⟨U+00AD⟩'],
    ['a non-breaking space', 'a\u00A0b', '⟨U+00A0⟩'],
    ['an ideographic space', 'a\u3000b', '⟨U+3000⟩'],
    ['a byte order mark', '\uFEFFa', '⟨U+FEFF⟩'],
    ['a line separator', 'a\u2028b', '⟨U+2028⟩'],
    ['a Hangul filler', 'a\u3164b', '⟨U+3164⟩'],
    ['blank Braille', 'a\u2800b', '⟨U+2800⟩'],
    ['a tag character', 'a\u{E0041}b', '⟨U+E0041⟩'],
    ['a lone variation selector', 'a\uFE0Fb', '⟨U+FE0F⟩'],
    ['a lone surrogate', 'a\uD800b', '⟨U+D800⟩'],
    ['a private-use character', 'a\uE000b', '⟨U+E000⟩'],
    ['a space at the start', ' a', '⟨U+0020⟩'],
    ['a space at the end', 'a ', '⟨U+0020⟩'],
    ['spaces before a line break', 'a  \nb', '⟨U+0020⟩×2'],
  ])('%s', (_, text, label) => {
    expect(hiddenIn(text)).toEqual([label]);
  });

  test('equal neighbours are counted, different ones share one chip', () => {
    expect(hiddenIn(`a${'\u200B'.repeat(2000)}b`)).toEqual(['⟨U+200B⟩×2000']);
    expect(hiddenIn('a\u200B\u202Eb')).toEqual(['⟨U+200B⟩⟨U+202E⟩']);
  });

  test('marks piled on one letter are spelled out before they cover other lines', () => {
    expect(hiddenIn(`a${'\u0301'.repeat(30)}`)).toHaveLength(1);
    expect(hiddenIn('Ấ')).toEqual([]);
  });

  test('plain writing of many scripts has no chips', () => {
    for (const text of [
      'Überweisung ausführen',
      '请确认转账',
      'Привет, мир',
      'שלום עולם',
      'a  b',
      'tab or space?',
      '👩‍🔬❤️',
    ]) {
      expect(hiddenIn(text)).toEqual([]);
    }
  });

  test('a line break is a break, except at an edge, where it would be missed', () => {
    expect(revealText('a\nb')).toEqual([{ kind: 'text', text: 'a\nb' }]);
    expect(hiddenIn('a\n\n')).toEqual(['⟨U+000A⟩×2']);
    expect(hiddenIn('\n a')).toEqual(['⟨U+000A⟩⟨U+0020⟩']);
  });
});

describe('AI-04 letters that imitate others are marked', () => {
  const notes = (text: string) =>
    revealText(text).flatMap((segment) =>
      segment.kind === 'lookalike' ? [lookalikeNote(segment).replace('not Latin: ', '')] : [],
    );

  test.each([
    ['a Cyrillic letter in a Latin word', 'pаypal.com', 'Cyrillic а U+0430'],
    ['a Greek letter in a Latin word', 'gοogle', 'Greek ο U+03BF'],
    [
      'a word wholly of imitating letters among Latin ones',
      'login at сосо now',
      'Cyrillic с U+0441, Cyrillic о U+043E',
    ],
    ['full-width letters', 'ｒm -rf', 'Styled ｒ U+FF52'],
    ['mathematical letters', '𝐚dmin', 'Styled 𝐚 U+1D41A'],
  ])('%s', (_, text, note) => {
    expect(notes(text)).toEqual([note]);
  });

  test('whole words of another script are no imitation', () => {
    for (const text of ['Привет Anna', 'Это OAuth с токеном', 'Καλημέρα Anna', 'über Straße'])
      expect(notes(text)).toEqual([]);
  });
});

const withoutHidden = (text: string) => text.replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu, '');

test('nothing visible is ever lost or changed', () => {
  const fewMarks = fc.string({ unit: 'binary' }).filter((text) => !/\p{M}{5}/u.test(text));
  fc.assert(
    fc.property(fewMarks, (text) => {
      expect(withoutHidden(revealText(text).map(shown).join(''))).toBe(withoutHidden(text));
    }),
  );
});

test('200 KB of spaces is looked through in well under a second', () => {
  const started = performance.now();
  revealText(`${' '.repeat(200_000)}x`);
  revealText(`a${' '.repeat(200_000)}x`);
  expect(performance.now() - started).toBeLessThan(1000);
});

test('a list shows the first line that says something', () => {
  expect(firstLineOf('\n\nPay now?\nReally?')).toBe('Pay now?');
});
