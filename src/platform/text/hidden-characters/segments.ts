import { codePoint, hiddenRunsIn } from './hidden-characters.ts';
import type { Lookalike, MarkLookalikes } from '../lookalikes.ts';

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
