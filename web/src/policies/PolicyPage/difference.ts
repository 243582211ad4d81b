import { Chunk } from '@codemirror/merge';
import { Text } from '@codemirror/state';

/** A line of one version; its changed parts stand out from what stayed. */
export interface DifferenceLine {
  number: number;
  parts: { text: string; isChanged: boolean }[];
}

/** Equal lines, or what was taken away and what came in its place. */
export type DifferenceBlock =
  { kind: 'same'; lines: DifferenceLine[] } | { kind: 'change'; removed: DifferenceLine[]; added: DifferenceLine[] };

/** What differs between two texts, by lines, in their order. */
export function differenceOf(before: string, after: string): DifferenceBlock[] {
  const [a, b] = [Text.of(before.split('\n')), Text.of(after.split('\n'))];
  const blocks: DifferenceBlock[] = [];
  let at = 0;
  for (const chunk of Chunk.build(a, b)) {
    addSame(blocks, a, at, chunk.fromA);
    const { changes, fromA, fromB, endA, endB } = chunk;
    const removed = changes.map((change) => ({ from: fromA + change.fromA, to: fromA + change.toA }));
    const added = changes.map((change) => ({ from: fromB + change.fromB, to: fromB + change.toB }));
    blocks.push({
      kind: 'change',
      removed: fromA === chunk.toA ? [] : linesIn(a, fromA, endA, removed),
      added: fromB === chunk.toB ? [] : linesIn(b, fromB, endB, added),
    });
    at = chunk.toA;
  }
  addSame(blocks, a, at, a.length + 1);
  return blocks;
}

interface Span {
  from: number;
  to: number;
}

/** `to` is the beginning of the first line that differs, or past the end of the text. */
function addSame(blocks: DifferenceBlock[], text: Text, from: number, to: number): void {
  if (to > from) blocks.push({ kind: 'same', lines: linesIn(text, from, to - 1, []) });
}

function linesIn(text: Text, from: number, to: number, changes: Span[]): DifferenceLine[] {
  const lines: DifferenceLine[] = [];
  for (let { number } = text.lineAt(from); number <= text.lines; number += 1) {
    const line = text.line(number);
    if (line.from > to) break;
    lines.push({ number, parts: partsOf(line, changes) });
  }
  return lines;
}

function partsOf(line: Span & { text: string }, changes: Span[]): DifferenceLine['parts'] {
  const parts: DifferenceLine['parts'] = [];
  let at = line.from;
  const add = (to: number, isChanged: boolean) => {
    if (to > at) parts.push({ text: line.text.slice(at - line.from, to - line.from), isChanged });
    at = Math.max(at, to);
  };
  for (const { from, to } of changes) {
    add(Math.min(Math.max(from, line.from), line.to), false);
    add(Math.min(Math.max(to, line.from), line.to), true);
  }
  add(line.to, false);
  return parts;
}

/** The same parts, but a word with letters of several scripts is of one part: changed, if any of it is. */
export function wholeWords(parts: DifferenceLine['parts']): DifferenceLine['parts'] {
  const line = parts.map(({ text }) => text).join('');
  if (/^[\x20-\x7E]*$/.test(line)) return parts;
  const flags = parts.flatMap(({ text, isChanged }) => Array.from({ length: text.length }, () => isChanged));
  let at = 0;
  const whole: DifferenceLine['parts'] = [];
  for (const text of line.match(/[\p{L}\p{M}\p{N}\p{C}]+|[^\p{L}\p{M}\p{N}\p{C}]/gu) ?? []) {
    const isChanged = flags.slice(at, at + text.length).includes(true);
    at += text.length;
    const last = whole.at(-1);
    if (last?.isChanged === isChanged) last.text += text;
    else whole.push({ text, isChanged });
  }
  return whole;
}
