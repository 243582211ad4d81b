import { codePoint, hiddenRuns } from './hidden-characters.ts';
import { markLookalikes, type Lookalike } from './lookalikes.ts';

/** A piece of text as a person must see it: hidden characters are spelled out. */
export type Segment =
  | { kind: 'text'; text: string }
  /** `label` says which characters are here, such as "⟨U+202E⟩"; `characters` are these, each once. */
  | { kind: 'hidden'; label: string; characters: string[] }
  | Lookalike;

/** Splits text so that control, reordering, invisible and edge-space characters and imitating letters can be shown. */
export function revealText(text: string): Segment[] {
  const segments: Segment[] = [];
  let plainFrom = 0;
  for (const match of text.matchAll(hiddenRuns)) {
    if (match.groups?.['emoji'] !== undefined) continue;
    addPlain(segments, text.slice(plainFrom, match.index), text);
    segments.push(spellOut(match[0]));
    plainFrom = match.index + match[0].length;
  }
  addPlain(segments, text.slice(plainFrom), text);
  return segments;
}

/** The same as text alone, for chat and terminals: `pay⟨U+200B⟩`. */
export const revealAsText = (text: string): string =>
  revealText(text)
    .map((segment) => {
      if (segment.kind === 'hidden') return segment.label;
      return segment.kind === 'text' ? segment.text : `${segment.text}⟨${lookalikeNote(segment)}⟩`;
    })
    .join('');

/** What is shown next to a word that may imitate another: "not Latin: Cyrillic а U+0430". */
export const lookalikeNote = ({ strangers }: Lookalike): string =>
  `not Latin: ${strangers.map(({ script, letter }) => `${script} ${letter} ${codePoint(letter)}`).join(', ')}`;

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

function addPlain(segments: Segment[], plain: string, whole: string): void {
  if (plain !== '') segments.push(...markLookalikes(plain, whole));
}
