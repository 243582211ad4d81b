import { amounts } from '../../../language/words/words.ts';

/** How much of a long value is shown before it is opened. Characters. */
const previewLength = 160;
const previewLines = 3;

/** The beginning of a long value, never cut inside a character. */
export function previewOf(value: string): string {
  const start = Array.from(value.slice(0, previewLength * 2))
    .slice(0, previewLength)
    .join('');
  return start.split('\n', previewLines).join('\n');
}

/** "204,812 characters", "204,812 characters in 14 lines". */
export function describeSize(value: string): string {
  const characters = [...value].length;
  const lines = value.split('\n').length;
  const size = amounts.characters(characters);
  return lines === 1 ? size : amounts.inLines(size, lines);
}
