import { expect, test } from '@jest/globals';
import { withArguments } from '#gateway/calls/arguments';

test('a question without arguments stays as it is', () => expect(withArguments('Run?', {})).toBe('Run?'));

test('each argument stands on a line of its own, without hidden characters', () => {
  const args = { to: 'DE89', note: 'a\nb', 'to\u202e': 'x\u200by', parts: [1, { a: null }] };
  expect(withArguments('Run?', args).split('\n')).toEqual([
    'Run?',
    '',
    '"to": "DE89"',
    String.raw`"note": "a\nb"`,
    String.raw`"to\u202e": "x\u200by"`,
    '"parts": [1,{"a":null}]',
  ]);
});

test('what is too long is cut, and the question says so', () => {
  const long = withArguments('Run?', { text: 'x'.repeat(5_000) });
  expect(long).toMatch(/^Run\?\n\n"text": "x{299} … \(5002 characters\)$/);
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`a${at}`, at]));
  expect(withArguments('Run?', many).split('\n').slice(-2)).toEqual(['"a19": 19', 'and 5 more arguments']);
});

test('what the server reaches stands before the arguments, as one line, and also without arguments', () => {
  expect(withArguments('Run?', { id: 1 }, 'npx db\n"id": 2').split('\n')).toEqual([
    'Run?',
    '',
    String.raw`Server: "npx db\n\"id\": 2"`,
    '"id": 1',
  ]);
  expect(withArguments('Run?', {}, 'npx db')).toBe('Run?\n\nServer: "npx db"');
  expect(withArguments('Run?', {}, 'x'.repeat(5_000))).toMatch(/"x{999} … \(5002 characters\)$/);
});
