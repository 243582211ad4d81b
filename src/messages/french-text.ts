import { describeLookalike, type LookalikeWords } from '#platform/text/hidden-characters';
import type { TextWords } from './display-words.ts';

const lookalikes: LookalikeWords = {
  notLatin: 'non latin :',
  scripts: {
    Cyrillic: 'cyrillique',
    Greek: 'grec',
    Armenian: 'arménien',
    Cherokee: 'cherokee',
    Coptic: 'copte',
    Lisu: 'lisu',
    Styled: 'stylisé',
  },
  digit: (digit) => `est le chiffre ${digit}`,
  like: (text) => `n’est pas ${text}`,
  foreign: 'n’est pas latin',
  overlay: 'recouvre des lettres',
};

/** French names of the better known hidden characters. */
const hiddenNames: Record<string, string> = {
  '\0': 'caractère nul',
  '\t': 'tabulation',
  '\n': 'saut de ligne au bord',
  '\r': 'retour chariot',
  ' ': 'espace',
  '\u001B': 'échappement',
  '\u00A0': 'espace insécable',
  '\u00AD': 'trait d’union conditionnel',
  '\u200B': 'espace sans chasse',
  '\u200C': 'antiliant sans chasse',
  '\u200D': 'liant sans chasse',
  '\u200E': 'marque gauche-à-droite',
  '\u200F': 'marque droite-à-gauche',
  '\u202A': 'insertion gauche-à-droite',
  '\u202B': 'insertion droite-à-gauche',
  '\u202C': 'fin de réordonnancement',
  '\u202D': 'gauche-à-droite forcé',
  '\u202E': 'droite-à-gauche forcé',
  '\u202F': 'espace fine insécable',
  '\u2060': 'liant de mots',
  '\u2066': 'isolat gauche-à-droite',
  '\u2067': 'isolat droite-à-gauche',
  '\u2068': 'isolat au premier caractère',
  '\u2069': 'fin d’isolat',
  '\uFEFF': 'indicateur d’ordre des octets',
};

export const textWords: TextWords = {
  verification({ verified, verifiedBy }) {
    if (verifiedBy) return `vérifié par ${verifiedBy}`;
    return verified ? 'selon le serveur' : 'non vérifié';
  },
  lookalike: (word) => describeLookalike(word, lookalikes),
  hiddenNames,
};
