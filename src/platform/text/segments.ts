import type { Lookalike, MarkLookalikes } from './lookalikes.ts';
import { hiddenRunsIn, codePoint } from './hidden-characters.ts';

/** The shown segments of a text; between `head` and `tail` some may be left out. */
interface CutText {
  head: Segment[];
  tail: Segment[];
  isCut: boolean;
}

/**
 * Shortens the result of `revealText` for the whole text, so that an edge of the cut is never shown as an edge of the text. At
 * most `most` characters stay, `kept` of them at the end; nothing is split inside a character.
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

/** Part of a segment; a marked segment stays whole. */
const part = (segment: Segment, from: number, until: number): Segment =>
  segment.kind === 'text' ? { kind: 'text', text: charactersOf(segment).slice(from, until).join('') } : segment;

/** A piece of text as a person must see it, with hidden characters spelled out. */
export type Segment =
  | { kind: 'text'; text: string }
  /** `label` names the characters, such as "⟨U+202E⟩"; `characters` has each once. */
  | { kind: 'hidden'; label: string; characters: string[] }
  | Lookalike;

/** Splits text at its hidden characters, and the rest by `mark`; without it no look-alike is marked. */
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

/** Spells out characters and counts equal neighbours, so that a thousand of them remain readable. */
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

/** Adds segments; neighbours without a look-alike become one. */
function addPlain(segments: Segment[], plain: string, mark: MarkLookalikes): void {
  for (const segment of mark(plain)) {
    const last = segments.at(-1);
    if (segment.kind === 'text' && last?.kind === 'text') last.text += segment.text;
    else segments.push(segment);
  }
}
