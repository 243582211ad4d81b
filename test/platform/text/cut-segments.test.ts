import { expect, test } from '@jest/globals';
import { cutSegments, type Segment } from '#platform/text/segments';
import { revealText } from '#platform/text/visible-text';

const say = (segments: Segment[]) =>
  segments.map((segment) => (segment.kind === 'hidden' ? segment.label : segment.text)).join('');
const cut = (text: string, most: number, kept?: number) => {
  const { head, tail, isCut } = cutSegments(revealText(text), most, kept);
  return [say(head), say(tail), isCut];
};

test('a short text stays as it is', () => {
  expect(cut('abc', 3)).toEqual(['abc', '', false]);
});

test('what is cut keeps its beginning and its end, whole characters each', () => {
  expect(cut('abcdefghij', 6, 2)).toEqual(['abcd', 'ij', true]);
  expect(cut('😀'.repeat(5), 3, 1)).toEqual(['😀😀', '😀', true]);
});

test('the edge of a cut is no edge of the text', () => {
  expect(cut('one two', 4)).toEqual(['one ', '', true]);
  expect(cut('one two ', 4, 1)).toEqual(['one', '⟨U+0020⟩', true]);
});

test('hidden characters are spelled out whole', () => {
  expect(cut(`${'a'.repeat(9)}\u202E\u202Eb`, 3, 2)).toEqual(['a', '⟨U+202E⟩×2b', true]);
});
