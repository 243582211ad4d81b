import { describeLookalike, type LookalikeWords } from '#platform/text/hidden-characters';
import type { TextWords } from './display-words.ts';

const lookalikes: LookalikeWords = {
  notLatin: 'nicht lateinisch:',
  scripts: {
    Cyrillic: 'kyrillisch',
    Greek: 'griechisch',
    Armenian: 'armenisch',
    Cherokee: 'Cherokee',
    Coptic: 'koptisch',
    Lisu: 'Lisu',
    Styled: 'stilisiert',
  },
  digit: (digit) => `ist die Ziffer ${digit}`,
  like: (text) => `ist kein ${text}`,
  foreign: 'ist nicht lateinisch',
  overlay: 'liegt über Buchstaben',
};

/** German names of the better known hidden characters. */
const hiddenNames: Record<string, string> = {
  '\0': 'Nullzeichen',
  '\t': 'Tabulator',
  '\n': 'Zeilenumbruch am Rand',
  '\r': 'Wagenrücklauf',
  ' ': 'Leerzeichen',
  '\u001B': 'Escape',
  '\u00A0': 'geschütztes Leerzeichen',
  '\u00AD': 'weiches Trennzeichen',
  '\u200B': 'breitenloses Leerzeichen',
  '\u200C': 'breitenloser Nichtverbinder',
  '\u200D': 'breitenloser Verbinder',
  '\u200E': 'Links-nach-rechts-Zeichen',
  '\u200F': 'Rechts-nach-links-Zeichen',
  '\u202A': 'Einbettung links nach rechts',
  '\u202B': 'Einbettung rechts nach links',
  '\u202C': 'Ende der Umordnung',
  '\u202D': 'erzwungen links nach rechts',
  '\u202E': 'erzwungen rechts nach links',
  '\u202F': 'schmales geschütztes Leerzeichen',
  '\u2060': 'Wortverbinder',
  '\u2066': 'Isolation links nach rechts',
  '\u2067': 'Isolation rechts nach links',
  '\u2068': 'Isolation nach erstem Zeichen',
  '\u2069': 'Ende der Isolation',
  '\uFEFF': 'Byte-Reihenfolge-Zeichen',
};

export const textWords: TextWords = {
  verification({ verified, verifiedBy }) {
    if (verifiedBy) return `geprüft von ${verifiedBy}`;
    return verified ? 'Angabe des Servers' : 'nicht geprüft';
  },
  lookalike: (word) => describeLookalike(word, lookalikes),
  hiddenNames,
};
