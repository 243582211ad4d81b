// The one table of characters that people miss. Console, hosted page, chat, command line and the form linter use it.

/** Format, private and unassigned characters, marks of direction, odd spaces, fillers, and signs that are blank. */
const blank = String.raw`[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}\u{13441}\u{13442}\u{16FE4}]`;

const unseen = String.raw`(?:(?![ \n])${blank})+`;

/** Marks piled so high on one letter that they would cover other lines. */
const piled = String.raw`(?<=\p{M}{4})\p{M}+`;

/** Spaces and line breaks where they would be missed: at an edge of the text, and spaces before a line break. */
const edges = String.raw`^[ \n]+|(?<![ \n])[ \n]+$|(?<! ) +(?=\n)`;

/** Joined emoji hold invisible joiners that deceive no one. */
const pictograph = String.raw`(?:(?!\p{Cn})[\u{1F000}-\u{1FAFF}\u2600-\u27BF][\uFE0F\u{1F3FB}-\u{1F3FF}]?)`;

const emoji = String.raw`(?<emoji>${pictograph}(?:\u200D${pictograph})+|${pictograph})`;

const hidden = `${emoji}|${unseen}|${edges}|${piled}`;

/** Spaces that push what follows them out of sight. In text of several lines they may align columns. */
const wide = { line: String.raw`(?<=[^ \n]) {3,}(?=[^ \n])`, lines: String.raw`(?<=[^ \n]) {17,}(?=[^ \n])` };

const runs = { line: new RegExp(`${hidden}|${wide.line}`, 'gu'), lines: new RegExp(`${hidden}|${wide.lines}`, 'gu') };

/** Finds each run of hidden characters of this text; a match of the group `emoji` is not one. */
export const hiddenRunsIn = (text: string): RegExp => (text.includes('\n') ? runs.lines : runs.line);

/** Finds hidden characters, but no runs of spaces. */
export const hiddenInColumns = new RegExp(hidden, 'gu');

/** One hidden character of code, except spaces, tabs and line breaks, which are visible by their place. */
export const hiddenCharacter = new RegExp(String.raw`(?![ \n\t])${blank}`, 'gu');

/** Finds each hidden run of code, where spaces at edges are visible; a match of the group `emoji` is not one. */
export const hiddenAnywhere = new RegExp(`${emoji}|${unseen}|${piled}`, 'gu');

const hiddenSingly = new RegExp(unseen, 'gu');

/** Does a text on one line hold any? Spaces at its edges are left to the display. */
export const hasHiddenCharacters = (text: string): boolean =>
  text.includes('\n') || [...text.matchAll(hiddenAnywhere)].some(({ groups }) => groups?.['emoji'] === undefined);

/** A hidden character of a text of several lines; `offset` counts UTF-16 units. */
interface HiddenPlace {
  offset: number;
  character: string;
}

/** The first character of each hidden run. Tabs, line breaks of Windows and a byte order mark at the start deceive no one. */
export function hiddenPlaces(text: string): HiddenPlace[] {
  return [...text.matchAll(hiddenAnywhere)].flatMap((match) => {
    if (match.groups?.['emoji'] !== undefined) return [];
    let offset = match.index;
    for (const character of match[0]) {
      if (!isHarmless(text, offset, character)) return [{ offset, character }];
      offset += character.length;
    }
    return [];
  });
}

const isHarmless = (text: string, offset: number, character: string): boolean =>
  character === '\t' || (character === '\r' && text[offset + 1] === '\n') || (character === '\uFEFF' && offset === 0);

/** The JSON with hidden characters written as escapes. */
export const escapeHiddenInJson = (json: string): string =>
  json.replaceAll(hiddenSingly, (run) =>
    Array.from({ length: run.length }, (_, at) => `\\u${run.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

/** Names of the better known hidden characters. */
export { hiddenNames } from '#locales/texts.en';

/** Code point of a character, such as "U+202E". */
export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
