import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { textOfFrame, type Frame, textInParts, textInTurns } from '#gateway/frames/frame';
import { atOnce } from '#platform/crypto/in-turns';

const frameOf = (result: unknown): Frame => ({ jsonrpc: '2.0', id: 1, result });

test('a frame that is written in parts has the same text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string({ unit: 'binary' }), (value, name) => {
      const frame = frameOf({ [name]: value, none: undefined, list: [undefined, null] });
      expect(atOnce(textInParts(frame))).toBe(textOfFrame(frame));
    }),
  );
});

test.each([
  ['characters of two units', '😀'.repeat(700_000)],
  ['those at the other side of a part', `x${'😀'.repeat(700_000)}`],
  ['ends of lines of some readers', '\u2028"\\\n'.repeat(400_000)],
])('so does a large text of %s', async (_, text) => {
  const frame = frameOf({ content: [{ type: 'text', text }] });
  expect(await textInTurns(frame)).toBe(textOfFrame(frame));
});
