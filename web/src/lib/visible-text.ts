import { codeOf } from './code-point.ts';
import { markLookalikes, type Lookalike } from './lookalikes.ts';

/** A piece of text as a person must see it: what the eye would miss is spelled out. */
export type Segment =
  | { kind: 'text'; text: string }
  /** `label` says which characters stand here, such as "⟨U+202E⟩"; `names` says it in words where there are any. */
  | { kind: 'hidden'; label: string; names: string }
  | Lookalike;

/** Splits text so that control, reordering, invisible and edge-space characters and imitating letters can be shown. */
export function revealText(text: string): Segment[] {
  const segments: Segment[] = [];
  let plainFrom = 0;
  for (const found of text.matchAll(remarkable)) {
    if (found.groups?.['emoji'] !== undefined) continue;
    addPlain(segments, text.slice(plainFrom, found.index), text);
    segments.push(spellOut(found[0]));
    plainFrom = found.index + found[0].length;
  }
  addPlain(segments, text.slice(plainFrom), text);
  return segments;
}

/** The first line, for lists; the whole text is shown where decisions are made. */
export const firstLineOf = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';

// Joined emoji hold invisible joiners that deceive nobody. Format, private and unassigned characters, odd spaces,
// fillers, blank Braille, spaces and breaks at an edge, and marks piled so high that they would cover other lines are spelled out.
const emoji = String.raw`(?:[\u{1F000}-\u{1FAFF}\u2600-\u27BF][\uFE0F\u{1F3FB}-\u{1F3FF}]?)`;
const hidden = String.raw`(?:(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800])+`;
const remarkable = new RegExp(
  String.raw`(?<emoji>${emoji}(?:\u200D${emoji})+|${emoji})|${hidden}|^[ \n]+|(?<![ \n])[ \n]+$|(?<! ) +(?=\n)|(?<=\p{M}{4})\p{M}+`,
  'gu',
);

const names: Record<string, string> = {
  '\0': 'null',
  '\t': 'tab',
  '\n': 'line break at the edge',
  '\r': 'carriage return',
  ' ': 'space at the edge',
  '\u001B': 'escape',
  '\u00A0': 'non-breaking space',
  '\u00AD': 'soft hyphen',
  '\u200B': 'zero-width space',
  '\u200C': 'zero-width non-joiner',
  '\u200D': 'zero-width joiner',
  '\u200E': 'left-to-right mark',
  '\u200F': 'right-to-left mark',
  '\u202A': 'left-to-right embedding',
  '\u202B': 'right-to-left embedding',
  '\u202C': 'end of reordering',
  '\u202D': 'left-to-right override',
  '\u202E': 'right-to-left override',
  '\u202F': 'narrow non-breaking space',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'end of isolate',
  '\uFEFF': 'byte order mark',
};

/** Equal neighbours are counted, so that a thousand of them stay readable. */
function spellOut(characters: string): Segment {
  const runs: { character: string; count: number }[] = [];
  for (const character of characters) {
    const last = runs.at(-1);
    if (last?.character === character) last.count += 1;
    else runs.push({ character, count: 1 });
  }
  const label = runs.map(({ character, count }) => `⟨${codeOf(character)}⟩${count > 1 ? `×${count}` : ''}`).join('');
  const known = runs.flatMap(({ character }) => names[character] ?? []);
  return { kind: 'hidden', label, names: [...new Set(known)].join(', ') };
}

function addPlain(segments: Segment[], plain: string, whole: string): void {
  if (plain !== '') segments.push(...markLookalikes(plain, whole));
}
