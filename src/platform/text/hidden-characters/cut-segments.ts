import type { Segment } from './segments.ts';

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
