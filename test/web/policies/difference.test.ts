import { expect, test } from '@jest/globals';
import { differenceOf, wholeWords, type DifferenceLine } from '../../../web/src/policies/PolicyPage.tsx';

const textOf = (lines: DifferenceLine[]) =>
  lines.map(
    ({ number, parts }) => `${number} ${parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')}`,
  );

const blocksOf = (before: string, after: string) =>
  differenceOf(before, after).map((block) =>
    block.kind === 'same' ? textOf(block.lines) : { removed: textOf(block.removed), added: textOf(block.added) },
  );

test.each([
  ['nothing', 'a\nb', 'a\nb', [['1 a', '2 b']]],
  [
    'a value',
    'a: 1\nb: 1\nc: 1',
    'a: 1\nb: 25\nc: 1',
    [['1 a: 1'], { removed: ['2 b: [1]'], added: ['2 b: [25]'] }, ['3 c: 1']],
  ],
  ['a line more', 'a\nc', 'a\nbb\nc', [['1 a'], { removed: [], added: ['2 [bb]'] }, ['2 c']]],
  ['a line less', 'a\nbb\nc', 'a\nc', [['1 a'], { removed: ['2 [bb]'], added: [] }, ['3 c']]],
])('%s is shown by lines and parts', (_, before, after, blocks) => {
  expect(blocksOf(before, after)).toEqual(blocks);
});

test('whatever was and whatever is can be read off whole', () => {
  const before = 'policy: a\nrequire:\n  stages:\n    - name: A\n  deadline: 1h\n';
  const after = 'policy: a\nmatch: { tool: x }\nrequire:\n  stages:\n    - name: B\n    - name: C\n';
  const blocks = differenceOf(before, after);
  const read = (side: 'removed' | 'added') =>
    blocks
      .flatMap((block) => (block.kind === 'same' ? block.lines : block[side]))
      .map(({ parts }) => parts.map(({ text }) => text).join(''));
  expect(read('removed').join('\n')).toBe(before);
  expect(read('added').join('\n')).toBe(after);
});

test.each<[string, [string, boolean][], [string, boolean][]]>([
  [
    'a line of plain letters stays as it was cut',
    [
      ['na', false],
      ['me', true],
    ],
    [
      ['na', false],
      ['me', true],
    ],
  ],
  [
    'a word with one foreign letter is changed as a whole',
    [
      ['to: ', false],
      ['а', true],
      ['cme!', false],
    ],
    [
      ['to: ', false],
      ['аcme', true],
      ['!', false],
    ],
  ],
  [
    'a hidden character goes with its word',
    [
      ['ac', false],
      ['\u200B', true],
      ['me', false],
    ],
    [['ac\u200Bme', true]],
  ],
])('%s, so that it is judged as a reader meets it', (_, parts, expected) => {
  const cut = parts.map(([text, isChanged]) => ({ text, isChanged }));
  expect(wholeWords(cut).map(({ text, isChanged }) => [text, isChanged])).toEqual(expected);
});
