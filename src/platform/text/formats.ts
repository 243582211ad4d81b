import type { Language } from './language.ts';

/** Format of numbers, lists and spans of time in a language. */
export interface Formats {
  number(value: number): string;
  percent(value: number): string;
  /** List with "and": "a, b and c". */
  all(parts: readonly string[]): string;
  /** List with "or": "a, b or c". */
  any(parts: readonly string[]): string;
  /** The number with its noun: `count(2, { one: 'vote', other: 'votes' })` is "2 votes". */
  count(value: number, noun: Noun): string;
  /** The noun alone, in the number for `value`. */
  noun(value: number, noun: Noun): string;
  /** Milliseconds in their largest whole unit: "8 hours". */
  duration(milliseconds: number): string;
}

interface Noun {
  one: string;
  other: string;
}

/** The formats of a language, written as in `locales`. */
export const formatsIn = (language: Language): Formats => languages[language];

/** British English: days before months, 24 hours. */
export const locales: Record<Language, string> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR' };

const languages: Record<Language, Formats> = {
  en: makeFormats(locales.en),
  de: makeFormats(locales.de),
  fr: makeFormats(locales.fr),
};

/** Formats made on first use: a process that writes no sentences does not pay for them. */
function makeFormats(locale: string): Formats {
  const numbers = onFirstUse(() => new Intl.NumberFormat(locale));
  const percents = onFirstUse(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }));
  const plurals = onFirstUse(() => new Intl.PluralRules(locale));
  const all = onFirstUse(() => new Intl.ListFormat(locale, { type: 'conjunction' }));
  const any = onFirstUse(() => new Intl.ListFormat(locale, { type: 'disjunction' }));
  const noun = (value: number, forms: Noun): string => (plurals().select(value) === 'one' ? forms.one : forms.other);
  const number = (value: number): string => withPlainSpaces(numbers().format(value));
  return {
    number,
    percent: (value) => withPlainSpaces(percents().format(value / 100)),
    all: (parts) => all().format(parts),
    any: (parts) => any().format(parts),
    noun,
    count: (value, forms) => `${number(value)} ${noun(value, forms)}`,
    duration: (milliseconds) => withPlainSpaces(writeDuration(locale, milliseconds)),
  };
}

export function onFirstUse<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

/** Replaces no-break spaces, because sentences are shown with each hidden character spelled out. */
const withPlainSpaces = (text: string): string => text.replaceAll(/[\u00A0\u202F]/g, ' ');

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

function writeDuration(locale: string, milliseconds: number): string {
  const [unit, size] = units.find(([, length]) => milliseconds % length === 0) ?? units[3];
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 });
  return format.format(milliseconds / size);
}
