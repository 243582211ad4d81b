import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lookalikeNote } from '#platform/text/lookalike-words';
import type { Segment } from '#platform/text/segments';
import { revealText } from '#platform/text/visible-text';
import { firstLineOf } from '../../../web/src/requests/inbox/first-line.ts';
import { workOf } from '../../support/work.ts';

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
    ['a blank note', 'a\u{1D159}b', '⟨U+1D159⟩'],
    ['a blank hieroglyph', 'a\u{13441}b', '⟨U+13441⟩'],
    ['a Khitan filler', 'a\u{16FE4}b', '⟨U+16FE4⟩'],
    ['a hundred and fifty spaces', `rm a${' '.repeat(150)}/srv`, '⟨U+0020⟩×150'],
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
    ['a word wholly of imitating letters, alone', 'сосо', 'Cyrillic с U+0441, Cyrillic о U+043E'],
    ['a letter of a script without look-alikes in a Latin word', 'სtore', 'ს U+10E1 is not Latin'],
    ['a letter of Deseret in a Latin word', '𐐬ffice', '𐐬 U+1042C is not Latin'],
    ['full-width letters', 'ｒm -rf', 'Styled ｒ U+FF52'],
    ['mathematical letters', '𝐚dmin', 'Styled 𝐚 U+1D41A'],
  ])('%s', (_, text, note) => {
    expect(notes(text)).toEqual([note]);
  });

  test('whole words of another script are no imitation', () => {
    for (const text of ['Привет Anna', 'Это OAuth с токеном', 'Καλημέρα Anna', 'über Straße'])
      expect(notes(text)).toEqual([]);
  });

  test.each([
    ['a Bengali 4', '৪00', '৪ U+09EA is the digit 4'],
    ['a Bengali 7', '৭00', '৭ U+09ED is the digit 7'],
    ['a Gurmukhi 1', '੧00', '੧ U+0A67 is the digit 1'],
    ['an Oriya 2', '୨00', '୨ U+0B68 is the digit 2'],
    ['a Thai 5', '๕00', '๕ U+0E55 is the digit 5'],
    ['a digit of Segmented type', '🯵00', '🯵 U+1FBF5 is the digit 5'],
    ['raised digits', '5⁰⁰', '⁰ U+2070 is not 0'],
    ['a circled digit', '⑤00', '⑤ U+2464 is not 5'],
    ['an Arabic decimal sign', '1٫500', '٫ U+066B is not ,'],
    ['a phonetic g', 'ɡithub.com', 'ɡ U+0261 is not g'],
    ['a phonetic a', 'pɑypal.com', 'ɑ U+0251 is not a'],
    ['a dotless i', 'gıthub.com', 'ı U+0131 is not i'],
    ['the Roman fifty', 'paypaⅼ.com', 'ⅼ U+217C is not l'],
    ['a click', 'bank.exampleǃ', 'ǃ U+01C3 is not !'],
    ['a long s', 'paſſword', 'ſ U+017F is not s'],
    ['the Kelvin sign', '\u212Aey', '\u212A U+212A is not K'],
    ['a ligature', 'ﬁle.txt', 'ﬁ U+FB01 is not fi'],
    ['a fraction slash', 'bank.example⁄evil.com', '⁄ U+2044 is not /'],
    ['a division slash', 'bank.example∕evil.com', '∕ U+2215 is not /'],
    ['a full-width slash', '/srv/data／..', '／ U+FF0F is not /'],
    ['a full-width full stop', 'bank．example', '． U+FF0E is not .'],
    ['a one dot leader', 'bank.example․evil.com', '․ U+2024 is not .'],
    ['a Greek question mark', 'ls\u037Erm', '\u037E U+037E is not ;'],
    ['a hyphen that is none', 'rm ‐rf', '‐ U+2010 is not -'],
    ['a minus sign', '−500', '− U+2212 is not -'],
    ['a dash for a minus', 'pay –500', '– U+2013 is not -'],
    ['a dash for an option', 'rm —rf /srv', '— U+2014 is not -'],
    ['a ratio', 'https∶//bank', '∶ U+2236 is not :'],
    ['a letter colon', 'a꞉b', '꞉ U+A789 is not :'],
    ['letters struck out', 'p̶r̶o̶d̶', 'U+0336 is drawn over letters'],
    ['letters under a prohibition', 'p⃠r⃠', 'U+20E0 is drawn over letters'],
    ['letters underlined', 's̲t̲a̲g̲', 'U+0332 is drawn over letters'],
    ['a dot below a digit', '1̣000.50', 'U+0323 is drawn over letters'],
    ['a comma below a digit', '1̦000', 'U+0326 is drawn over letters'],
  ])('%s', (_, text, note) => {
    expect(notes(text)).toEqual([note]);
  });

  test.each([
    ['the typography of writers', '“Quotes” ‘so’ – or so — it’s 2020–2024, 3 × 5, 40 m², … 1º, ½, №, ™ and 5 €'],
    ['French', '« Cœur d’élève : l’été »'],
    ['German', '„Straße“, ‚Größe‘'],
    ['Turkish', 'Işık için ağaç'],
    ['Vietnamese', 'Nguyễn Thị Ánh'],
    ['Czech, decomposed', 'Z\u030Cizkov'],
    ['Arabic, with its digits', 'مبلغ ٥٠٠٫٥ ريال'],
    ['Hindi, with its digits', 'राशि ५०० रुपये'],
    ['Bengali, with its digits', 'টাকা ৫০০'],
    ['Hebrew', 'לשלם 500 ש״ח'],
    ['Japanese', '東京都へ５件を送る、ノート（一覧）。'.replaceAll('５', '5')],
    ['Chinese', '转账：100，确认？'],
    ['Korean', '서울에 보내기'],
    ['Greek', 'Σύνολο: 5 κιλά'],
    ['emoji', '👍 ➕ ✅'],
  ])('%s is left alone', (_, text) => {
    expect(notes(text)).toEqual([]);
  });

  test('signs of East Asian writing are marked in a text without its letters', () => {
    expect(notes('https://bank.example。evil.com')).toEqual(['。 U+3002 is not .']);
    expect(notes('a，b')).toEqual(['， U+FF0C is not ,']);
  });
});

test('every character that Unicode lists as drawn like an ASCII one is marked in a Latin text, or is typography', () => {
  const file = readFileSync('node_modules/unhomoglyph/data.json', 'utf8');
  const characters = Object.entries(JSON.parse(file) as Record<string, string>)
    .filter(([character, target]) => /^[!-~]$/.test(target) && !/[ -~\p{M}\p{Extended_Pictographic}]/u.test(character))
    .map(([character]) => character);
  expect(characters.length).toBeGreaterThan(1000);
  const unmarked = characters.filter((character) =>
    revealText(`Pay ${character}500a to Anna`).every(({ kind }) => kind === 'text'),
  );
  expect(unmarked.join('')).toBe('‚‘’‛′´‹›×');
});

test('the table of drawn characters is the one its script writes', () => {
  expect(() => execFileSync(process.execPath, ['scripts/skeletons.mjs', '--check'], { stdio: 'pipe' })).not.toThrow();
});

const withoutHidden = (text: string) =>
  text.replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}\u{13441}\u{13442}\u{16FE4}]/gu, '');

test('nothing visible is ever lost or changed', () => {
  const fewMarks = fc.string({ unit: 'binary' }).filter((text) => !/\p{M}{5}/u.test(text));
  fc.assert(
    fc.property(fewMarks, (text) => {
      expect(withoutHidden(revealText(text).map(shown).join(''))).toBe(withoutHidden(text));
    }),
  );
});

test('200 KB of spaces is looked through in well under a second', () => {
  expect(workOf(() => revealText(`${' '.repeat(200_000)}x`))).toBeLessThan(80);
  expect(workOf(() => revealText(`a${' '.repeat(200_000)}x`))).toBeLessThan(80);
});

test('a list shows the first line that says something', () => {
  expect(firstLineOf('\n\nPay now?\nReally?')).toBe('Pay now?');
});
