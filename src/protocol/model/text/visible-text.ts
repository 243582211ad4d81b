import { codePoint, hiddenAnywhere, hiddenInColumns, hiddenRunsIn } from './hidden-characters.ts';
import { lookalikesIn, type Lookalike, type MarkLookalikes, type Script, type Stranger } from './lookalikes.ts';

/** A piece of text as a person must see it: hidden characters are spelled out. */
export type Segment =
  | { kind: 'text'; text: string }
  /** `label` says which characters are here, such as "⟨U+202E⟩"; `characters` are these, each once. */
  | { kind: 'hidden'; label: string; characters: string[] }
  | Lookalike;

/** Splits text so that control, reordering, invisible and edge-space characters and imitating letters can be shown. */
export const revealText = (text: string): Segment[] => reveal(text, hiddenRunsIn(text), text);

/** The same for a part of a line of code, whose spaces at edges are seen: `line` decides which words imitate others. */
export const revealCode = (part: string, line: string): Segment[] => reveal(part, hiddenAnywhere, line);

function reveal(text: string, hidden: RegExp, whole: string): Segment[] {
  const segments: Segment[] = [];
  const mark = lookalikesIn(whole);
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

/** The same as text alone, for chat and mails: `pay⟨U+200B⟩`. */
export const revealAsText = (text: string): string => writeSegments(revealText(text));

/** The same for a line of our own in a terminal, whose columns are made of spaces. */
export const revealColumns = (line: string): string => writeSegments(reveal(line, hiddenInColumns, line));

const writeSegments = (segments: Segment[]): string =>
  segments
    .map((segment) => {
      if (segment.kind === 'hidden') return segment.label;
      return segment.kind === 'text' ? segment.text : `${segment.text}⟨${lookalikeNote(segment)}⟩`;
    })
    .join('');

/** How a language says what a look-alike is. */
export interface LookalikeWords {
  /** "not Latin:", before letters of scripts that have a name. */
  notLatin: string;
  scripts: Record<Script, string>;
  digit(digit: number): string;
  like(text: string): string;
  foreign: string;
  overlay: string;
}

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

const english: LookalikeWords = {
  notLatin: 'not Latin:',
  scripts: {
    Cyrillic: 'Cyrillic',
    Greek: 'Greek',
    Armenian: 'Armenian',
    Cherokee: 'Cherokee',
    Coptic: 'Coptic',
    Lisu: 'Lisu',
    Styled: 'Styled',
  },
  digit: (digit) => `is the digit ${digit}`,
  like: (text) => `is not ${text}`,
  foreign: 'is not Latin',
  overlay: 'is drawn over letters',
};

/** The same in English. */
export const lookalikeNote = (lookalike: Lookalike): string => describeLookalike(lookalike, english);

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
