import { hiddenAnywhere, hiddenInColumns, hiddenRunsIn } from '../hidden-characters/hidden-characters.ts';
import { lookalikeNote } from '../hidden-characters/lookalike-words.ts';
import { lookalikesIn } from '../lookalikes.ts';
import { segmentsOf, type Segment } from '../hidden-characters/segments.ts';

/** Splits text so that control, reordering, invisible and edge-space characters and imitating letters can be shown. */
export const revealText = (text: string): Segment[] => segmentsOf(text, hiddenRunsIn(text), lookalikesIn(text));

/** The same for a part of a line of code, whose spaces at edges are seen: `line` decides which words imitate others. */
export const revealCode = (part: string, line: string): Segment[] =>
  segmentsOf(part, hiddenAnywhere, lookalikesIn(line));

/** The same as text alone, for chat and mails: `pay⟨U+200B⟩`. */
export const revealAsText = (text: string): string => writeSegments(revealText(text));

/** The same for a line of our own in a terminal, whose columns are made of spaces. */
export const revealColumns = (line: string): string =>
  writeSegments(segmentsOf(line, hiddenInColumns, lookalikesIn(line)));

const writeSegments = (segments: Segment[]): string =>
  segments
    .map((segment) => {
      if (segment.kind === 'hidden') return segment.label;
      return segment.kind === 'text' ? segment.text : `${segment.text}⟨${lookalikeNote(segment)}⟩`;
    })
    .join('');
