import { onFirstUse } from './formats.ts';
import { skeletonLines } from './skeletons.ts';

/** Characters that may be read as others: letters, digits and signs drawn like ASCII ones, and marks drawn over letters. */
export interface Lookalike {
  kind: 'lookalike';
  text: string;
  /** The deceptive characters, each once. */
  strangers: Stranger[];
}

/** A character, with its kind or its model. */
export type Stranger = { letter: string } & (
  | { is: 'script'; script: Script }
  | { is: 'digit'; digit: number }
  /** Drawn like this ASCII text. */
  | { is: 'like'; like: string }
  /** A letter of another script in a Latin word. */
  | { is: 'foreign' }
  | { is: 'overlay' }
);

/** `Styled` is Latin, drawn full-width or as a mathematical sign. */
export type Script = (typeof imitators)[number] | 'Styled';

type Plain = { kind: 'text'; text: string };

/** Splits plain pieces of one text at look-alikes. */
export type MarkLookalikes = (plain: string) => (Plain | Lookalike)[];

/**
 * Marks every character by one rule: it is marked unless it is ASCII, ordinary typography, or belongs to a script whose letters
 * make up the text. In a Latin word each letter of another script is marked, and so is a letter or sign drawn like an ASCII one
 * (Unicode's confusables), a digit of a foreign script, and a mark that covers its base.
 */
export function lookalikesIn(whole: string): MarkLookalikes {
  if (!/[^\n -~]/.test(whole)) return (plain) => [{ kind: 'text', text: plain }];
  const writing = describeWriting(whole);
  return (plain) => {
    let at = 0;
    return plain.split(words).flatMap((text): (Plain | Lookalike)[] => {
      if (text === '') return [];
      const part = {
        text,
        before: plain.slice(Math.max(0, at - 2), at),
        after: plain.slice(at + text.length, at + text.length + 2),
      };
      at += text.length;
      const strangers = findStrangers(part, writing);
      return [strangers.length === 0 ? { kind: 'text', text } : { kind: 'lookalike', text, strangers }];
    });
  };
}

/** Words, and signs drawn like ASCII ones: each mark covers one of these, never a whole sentence. */
const words = /([\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}\s -~]+)/u;

/** Script of a text, by its letters. */
interface Writing {
  isLatin: boolean;
  isTurkish: boolean;
  /** Are there letters that are clearly not Latin? */
  isForeign: boolean;
  /** Does the character belong with these letters, such as their digits and punctuation? */
  isAtHome(character: string): boolean;
}

function describeWriting(whole: string): Writing {
  const scripts = [...living].filter(([, { letters }]) => letters.test(whole)).map(([, { members }]) => members);
  const isEastAsian = eastAsian.test(whole);
  const letters = new Set(whole.match(/\p{L}/gu) ?? []);
  return {
    isLatin: latin.test(whole),
    isTurkish: /[şŞğĞİ]/u.test(whole),
    isForeign: [...letters].some((letter) => !latin.test(letter) && skeletonOf(letter) === null),
    isAtHome: (character) =>
      scripts.some((members) => members.test(character)) ||
      (isEastAsian && /[\u3000-\u303F\uFF00-\uFFEF]/u.test(character)),
  };
}

/** A word or a run of signs, with the text next to it. */
interface Part {
  text: string;
  before: string;
  after: string;
}

function findStrangers(part: Part, writing: Writing): Stranger[] {
  const { text } = part;
  const characters = [...new Set(text)].filter((character) => character > '\u007F');
  if (characters.length === 0) return [];
  const isDrawnOver = /[!-@[-`{-~]\p{M}/u.test(text);
  const letters = text.match(/\p{L}/gu) ?? [];
  const word: Word = {
    isMixed: latin.test(text),
    // A word that reads as Latin, although none of its letters is.
    isDisguised:
      !writing.isForeign &&
      (writing.isLatin || letters.length > 1) &&
      letters.every((letter) => skeletonOf(letter) !== null),
  };
  return characters.flatMap((character): Stranger[] => {
    if (/\p{M}/u.test(character)) {
      return overlays.test(character) || isDrawnOver ? [{ letter: character, is: 'overlay' }] : [];
    }
    if (/\p{Nd}/u.test(character)) return digitOf(character, writing);
    return /\p{L}/u.test(character) ? letterOf(character, word, writing) : signOf(character, part, writing);
  });
}

interface Word {
  isMixed: boolean;
  isDisguised: boolean;
}

function digitOf(letter: string, writing: Writing): Stranger[] {
  if (styled.test(letter)) return [{ letter, is: 'script', script: 'Styled' }];
  if (writing.isAtHome(letter)) return [];
  let zero = letter.codePointAt(0) ?? 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return [{ letter, is: 'digit', digit: ((letter.codePointAt(0) ?? 0) - zero) % 10 }]; // each script has ten in a row
}

function letterOf(letter: string, word: Word, writing: Writing): Stranger[] {
  if (styled.test(letter)) return [{ letter, is: 'script', script: 'Styled' }];
  const like = skeletonOf(letter);
  if (latin.test(letter)) {
    const isOrdinary = like === null || /[ªº]/u.test(letter) || (letter === 'ı' && writing.isTurkish);
    return isOrdinary ? [] : [{ letter, is: 'like', like }];
  }
  if (eastAsian.test(letter)) return like === null || writing.isForeign ? [] : [{ letter, is: 'like', like }];
  if (!word.isMixed && !word.isDisguised) return [];
  const script = imitators.find((name) => living.get(name)?.letters.test(letter));
  if (script !== undefined) return [{ letter, is: 'script', script }];
  return [like === null ? { letter, is: 'foreign' } : { letter, is: 'like', like }];
}

function signOf(letter: string, part: Part, writing: Writing): Stranger[] {
  const like = skeletonOf(letter);
  if (writing.isAtHome(letter) || isTypography(letter, part)) return [];
  if (like !== null) return [{ letter, is: 'like', like }];
  // Signs of old scripts, of music and the like look like anything.
  return letter > '\uFFFF' && !/\p{Extended_Pictographic}/u.test(letter) ? [{ letter, is: 'foreign' }] : [];
}

/** Quotes, dashes and raised numbers as writers set them. A dash before a word may pass for an option or a minus. */
function isTypography(sign: string, { text, before, after }: Part): boolean {
  if (/[\u2013\u2014]/u.test(sign)) return !/^[\p{L}\p{N}]/u.test(after) || /[\p{L}\p{N}]$/u.test(before);
  if (sign === '\u201A') return !(/\d$/.test(before) && /^\d/.test(after));
  if (/[\u2018-\u201F\u2039\u203A\u2032\u2033\u00B4\u00B7×]/u.test(sign)) return true;
  return /[¹²³]/u.test(sign) && /\p{L}[¹²³]$/u.test(text); // such as m²
}

/** The ASCII text that a character is drawn like; null if it is like none. */
function skeletonOf(character: string): string | null {
  const compatible = character.normalize('NFKC');
  const isOneLetter = compatible.length === 1 || /[\p{L}\p{Nl}]/u.test(character);
  if (/^[!-~]+$/.test(compatible) && isOneLetter) return compatible;
  return skeletons().get(character) ?? null;
}

/** Characters by their models; read when a text first holds one that is not ASCII. */
const skeletons = onFirstUse(() => {
  const lines = skeletonLines.trim().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [like = '', ...codes] = line.split(' ');
      return codes.map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), like] as const);
    }),
  );
});

/** The text with each character that is drawn like ASCII ones written as these, as in Unicode's compatibility forms. */
export const drawnAs = (text: string): string =>
  [...text.normalize('NFKD')].map((letter) => skeletons().get(letter) ?? letter).join('');

/** Scripts that people name and whose letters resemble Latin ones. */
const imitators = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'] as const;
/** Scripts with their own digits or punctuation. */
const others =
  'Arabic Hebrew Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Mongolian Nko Georgian Ethiopic';
const living = new Map(
  [...imitators, ...others.split(' ')].map((name) => [
    name,
    {
      letters: new RegExp(`(?=\\p{L})\\p{Script=${name}}`, 'u'),
      members: new RegExp(`\\p{Script_Extensions=${name}}`, 'u'),
    },
  ]),
);
const latin = /(?![\uFF00-\uFFEF])(?=\p{L})\p{Script=Latin}/u;
const eastAsian =
  /(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
// Full-width and mathematical letters and digits.
const styled = /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}]/u;
// Marks that enclose, strike out or underline.
const overlays = /[\p{Me}\u0305\u0331-\u0338\u0347\u035C-\u0362\u20D0-\u20FF]/u;
