/** What a stranger may write to be read as something else. Every surface shows each of them by its number. */
export interface Disguise {
  what: string;
  text: string;
  /** The number of what deceives. */
  code: string;
}

const hide = (what: string, character: string): Disguise => ({
  what,
  text: `pay${character}pal`,
  code: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
});

/** Characters that are not seen, or that change how others are read. */
export const hidden: Disguise[] = [
  hide('a bell', '\u0007'),
  hide('an escape of the terminal', '\u001B'),
  hide('a carriage return', '\r'),
  hide('a tab', '\t'),
  hide('a delete', '\u007F'),
  hide('a control of eight bits', '\u009B'),
  hide('a non-breaking space', '\u00A0'),
  hide('a soft hyphen', '\u00AD'),
  hide('a combining joiner', '\u034F'),
  hide('an Arabic letter mark', '\u061C'),
  hide('a Hangul filler', '\u115F'),
  hide('a Mongolian separator', '\u180E'),
  hide('an em space', '\u2003'),
  hide('a zero-width space', '\u200B'),
  hide('a zero-width non-joiner', '\u200C'),
  hide('a zero-width joiner', '\u200D'),
  hide('a left-to-right mark', '\u200E'),
  hide('a right-to-left mark', '\u200F'),
  hide('a line separator', '\u2028'),
  hide('an embedding', '\u202A'),
  hide('an override', '\u202E'),
  hide('a narrow space', '\u202F'),
  hide('a word joiner', '\u2060'),
  hide('an invisible times', '\u2062'),
  hide('an isolate', '\u2067'),
  hide('blank Braille', '\u2800'),
  hide('an ideographic space', '\u3000'),
  hide('another Hangul filler', '\u3164'),
  hide('a private character', '\uE000'),
  hide('a variation selector', '\uFE0F'),
  hide('a byte order mark', '\uFEFF'),
  hide('a halfwidth filler', '\uFFA0'),
  hide('an annotation', '\uFFF9'),
  hide('a tag', '\u{E0041}'),
  hide('a variation selector of the supplement', '\u{E0100}'),
];

/** Letters that are drawn like others. */
export const imitating: Disguise[] = [
  { what: 'a Cyrillic letter', text: 'pаypal', code: 'U+0430' },
  { what: 'a Greek letter', text: 'gοogle', code: 'U+03BF' },
  { what: 'an Armenian letter', text: 'bօb', code: 'U+0585' },
  { what: 'a Cherokee letter', text: 'Ꭺda', code: 'U+13AA' },
  { what: 'a Coptic letter', text: 'gⲟld', code: 'U+2C9F' },
  { what: 'a full-width letter', text: 'ｒm', code: 'U+FF52' },
  { what: 'a mathematical letter', text: '𝐚dmin', code: 'U+1D41A' },
];

export const disguises: Disguise[] = [...hidden, ...imitating];

/** Those that are still there as they came. Imitating letters may stay: their number stands next to them. */
export const stillHidden = (shown: string): string[] =>
  hidden.filter(({ text }) => shown.includes(text)).map(({ what }) => what);
/** Those whose number is not told. */
export const untold = (shown: string): string[] =>
  disguises.filter(({ code }) => !shown.includes(code)).map(({ what }) => what);
