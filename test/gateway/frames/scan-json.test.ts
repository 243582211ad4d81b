import { mock } from 'node:test';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judgeLine } from '#gateway/frames/mcp-words';
import { readUpstream } from '#gateway/frames/reading';
import { scanJson } from '#gateway/frames/frame';

const countMembers = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 1
    : 1 + Object.values(value).reduce((sum: number, inner) => sum + countMembers(inner), 0);

test('no message has more members than its survey says', () => {
  const message = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }));
  fc.assert(
    fc.property(message, fc.nat(2), (value, indent) => {
      // The message itself is one of its members.
      expect(scanJson(JSON.stringify(value, null, indent)).members).toBeGreaterThanOrEqual(countMembers(value) - 1);
    }),
  );
});

test.each([
  ['first', '{"id":7,"result":{"id":8}}', 7],
  ['last', '{"result":{"id":"inner"},"jsonrpc":"2.0","id" : "seven"}', 'seven'],
  ['behind a text with quotes', String.raw`{"a":"\\\"id\":1,","id":-7}`, -7],
  ['no integer', '{"id":1.5}', null],
  ['only inside', '{"result":{"id":8}}', null],
  ['missing in what is cut off', '{"a":"', null],
])('the id at the top is found: %s', (_, text, id) => {
  expect(scanJson(text).id).toBe(id);
});

// To parse it takes twenty seconds and three gigabytes, and meanwhile no one else is served.
const millions = '{},'.repeat(11_000_000);

test('millions of members are refused before they are parsed', () => {
  const parse = mock.method(JSON, 'parse');
  const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{"a":[${millions}0]}}}`;
  expect(judgeLine(Buffer.from(call))).toMatchObject({ kind: 'refuse', id: 7 });
  const answer = `{"result":{"a":[${millions}0]},"jsonrpc":"2.0","id":7}`;
  expect(readUpstream(Buffer.from(answer))).toEqual({ fault: 'it has more than 500000 members', id: 7 });
  expect(parse.mock.callCount()).toBe(0);
  parse.mock.restore();
});
