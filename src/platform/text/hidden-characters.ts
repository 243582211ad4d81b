import { lookalikes as english } from '#locales/texts.en';
import type { Lookalike, Stranger, MarkLookalikes } from './lookalikes.ts';

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

/** The same, however many spaces stand in a row. */
export const hiddenInColumns = new RegExp(hidden, 'gu');

/** One hidden character of code, whose spaces, tabs and line breaks are seen by their place. */
export const hiddenCharacter = new RegExp(String.raw`(?![ \n\t])${blank}`, 'gu');

/** Finds each hidden run of code, where spaces at edges are seen; a match of the group `emoji` is not one. */
export const hiddenAnywhere = new RegExp(`${emoji}|${unseen}|${piled}`, 'gu');
const hiddenSingly = new RegExp(unseen, 'gu');

/** Does text that stands on one line hold any? Spaces at its edges are left to the display. */
export const hasHiddenCharacters = (text: string): boolean =>
  text.includes('\n') || [...text.matchAll(hiddenAnywhere)].some(({ groups }) => groups?.['emoji'] === undefined);

/** A hidden character of a text of several lines; `offset` counts UTF-16 units. */
export interface HiddenPlace {
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

/** The same JSON without hidden characters: each is written as its escape. */
export const escapeHiddenInJson = (json: string): string =>
  json.replaceAll(hiddenSingly, (run) =>
    Array.from({ length: run.length }, (_, at) => `\\u${run.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

/** Names of the better known hidden characters. */
export { hiddenNames } from '#locales/texts.en';

/** Such as "U+202E". */
export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** How a language says what a look-alike is. */
export type LookalikeWords = typeof english;

/** What is shown next to a look-alike: "not Latin: Cyrillic а U+0430", "৪ U+09EA is the digit 4". */
export function describeLookalike({ strangers }: Lookalike, words: LookalikeWords): string {
  const named = strangers.flatMap((stranger) =>
    stranger.is === 'script' ? [`${words.scripts[stranger.script]} ${withCode(stranger)}`] : [],
  );
  const others = strangers.flatMap((stranger) => describeStranger(stranger, words) ?? []);
  return [...(named.length > 0 ? [`${words.notLatin} ${named.join(', ')}`] : []), ...others].join('; ');
}

function describeStranger(stranger: Stranger, words: LookalikeWords): string | null {
  switch (stranger.is) {
    case 'script':
      return null;
    case 'digit':
      return `${withCode(stranger)} ${words.digit(stranger.digit)}`;
    case 'like':
      return `${withCode(stranger)} ${words.like(stranger.like)}`;
    case 'foreign':
      return `${withCode(stranger)} ${words.foreign}`;
    case 'overlay':
      return `${codePoint(stranger.letter)} ${words.overlay}`; // the mark alone would be drawn over the space before it
  }
}

const withCode = ({ letter }: Stranger): string => `${letter} ${codePoint(letter)}`;

/** The same in English. */
export const lookalikeNote = (lookalike: Lookalike): string => describeLookalike(lookalike, english);

/** The segments that are shown of a text; between `head` and `tail` some may be left out. */
interface CutText {
  head: Segment[];
  tail: Segment[];
  isCut: boolean;
}

/**
 * Shortens what `revealText` found in the whole text, so that an edge of the cut is never shown as an edge of the text.
 * At most so many characters stay, `kept` of them at the end; nothing is split inside a character.
 */
export function cutSegments(segments: Segment[], most: number, kept = 0): CutText {
  const length = segments.reduce((sum, segment) => sum + lengthOf(segment), 0);
  if (length <= most) return { head: segments, tail: [], isCut: false };
  return { head: take(segments, most - kept), tail: takeLast(segments, kept), isCut: true };
}

const charactersOf = (segment: Segment): string[] => (segment.kind === 'text' ? Array.from(segment.text) : ['']);
const lengthOf = (segment: Segment): number => charactersOf(segment).length;

function take(segments: Segment[], most: number): Segment[] {
  const [first, ...rest] = segments;
  if (first === undefined || most <= 0) return [];
  return [part(first, 0, most), ...take(rest, most - lengthOf(first))];
}

function takeLast(segments: Segment[], most: number): Segment[] {
  const last = segments.at(-1);
  if (last === undefined || most <= 0) return [];
  const length = lengthOf(last);
  return [...takeLast(segments.slice(0, -1), most - length), part(last, Math.max(0, length - most), length)];
}

/** A marked segment stays whole. */
const part = (segment: Segment, from: number, until: number): Segment =>
  segment.kind === 'text' ? { kind: 'text', text: charactersOf(segment).slice(from, until).join('') } : segment;

/** A piece of text as a person must see it: hidden characters are spelled out. */
export type Segment =
  | { kind: 'text'; text: string }
  /** `label` says which characters are here, such as "⟨U+202E⟩"; `characters` are these, each once. */
  | { kind: 'hidden'; label: string; characters: string[] }
  | Lookalike;

/** Splits text at its hidden characters, and what is between them by `mark`; without it no look-alike is marked. */
export function segmentsOf(
  text: string,
  hidden: RegExp = hiddenRunsIn(text),
  mark: MarkLookalikes = (plain) => [{ kind: 'text', text: plain }],
): Segment[] {
  const segments: Segment[] = [];
  let plainFrom = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.groups?.['emoji'] !== undefined) continue;
    addPlain(segments, text.slice(plainFrom, match.index), mark);
    segments.push(spellOut(match[0]));
    plainFrom = match.index + match[0].length;
  }
  addPlain(segments, text.slice(plainFrom), mark);
  return segments;
}

/** Equal neighbours are counted, so that a thousand of them remain readable. */
function spellOut(characters: string): Segment {
  const runs: { character: string; count: number }[] = [];
  for (const character of characters) {
    const last = runs.at(-1);
    if (last?.character === character) last.count += 1;
    else runs.push({ character, count: 1 });
  }
  const label = runs.map(({ character, count }) => `⟨${codePoint(character)}⟩${count > 1 ? `×${count}` : ''}`).join('');
  return { kind: 'hidden', label, characters: [...new Set(characters)] };
}

/** Neighbours without a look-alike are one segment. */
function addPlain(segments: Segment[], plain: string, mark: MarkLookalikes): void {
  for (const segment of mark(plain)) {
    const last = segments.at(-1);
    if (segment.kind === 'text' && last?.kind === 'text') last.text += segment.text;
    else segments.push(segment);
  }
}
