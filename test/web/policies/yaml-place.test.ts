import { describe, expect, test } from '@jest/globals';
import { placeAt } from '../../../web/src/policies/schema-choices.ts';

/** `|` is the cursor; the word before it is what is being typed. */
function placeIn(marked: string) {
  const to = marked.indexOf('|');
  const text = marked.replace('|', '');
  const from = to - (/[\w-]*$/.exec(marked.slice(0, to))?.[0].length ?? 0);
  return placeAt(text, from, to);
}

describe('the place of the cursor in a YAML text', () => {
  test.each([
    ['a name at the root', 'policy: a\nmat|', { path: [], wants: 'key', present: ['policy'] }],
    ['the first name of a mapping', 'match:\n  |', { path: ['match'], wants: 'value', opensBlock: true }],
    [
      'a name above others',
      'require:\n  |\n  deadline: 1h',
      { path: ['require'], wants: 'key', present: ['deadline'] },
    ],
    [
      'a name between others',
      'match:\n  server: b\n  to|\nwhen: x',
      { path: ['match'], wants: 'key', present: ['server'] },
    ],
    ['a value', 'match:\n  mode: fo|', { path: ['match', 'mode'], wants: 'value', opensBlock: false }],
    ['a value in a list on one line', 'match:\n  risk: [low, |]', { path: ['match', 'risk', 1], wants: 'value' }],
    ['a name on one line', 'match: { server: b, | }', { path: ['match'], wants: 'key', opensBlock: false }],
    ['an item of a list', 'stages:\n  - |', { path: ['stages', 0], wants: 'value', opensBlock: true }],
    [
      'a name in an item',
      'stages:\n  - name: A\n    |\n  - name: B',
      { path: ['stages', 0], wants: 'key', present: ['name'] },
    ],
    ['deep on one line', 'a:\n  - b: { c: 10m, add: { | } }', { path: ['a', 0, 'b', 'add'], wants: 'key' }],
    ['an empty text', '|', { path: [], wants: 'value' }],
  ])('%s', (_, marked, place) => {
    expect(placeIn(marked)).toMatchObject(place);
  });

  test.each([
    ['a comment', 'a: 1 # x|'],
    ['a longer text', 'description: one two|'],
  ])('nothing can be completed in %s', (_, marked) => {
    expect(placeIn(marked)).toBeNull();
  });
});
