import { describe, expect, test } from '@jest/globals';
import { parsePolicies, parsePolicy } from '#policies/language/rules/parse';
import { lookalikeWarnings } from '#policies/language/rules/faults';

const hide = (text: string): string =>
  text.replaceAll(/<([\dA-F]+)>/g, (_, code) => String.fromCodePoint(parseInt(code, 16)));
const policy = (parts: { when?: string; reason?: string; comment?: string; name?: string } = {}): string => {
  const { when = 'request.args.to == "acme"', reason = 'Not today.', comment = 'a comment', name = 'Finance' } = parts;
  return hide(`# ${comment}
policy: wires
match: { tool: wire }
rules:
  - when: '${when}'
    deny: { reason: ${reason} }
  - require: { stages: [{ name: ${name}, approvers: anyone }] }
`);
};

describe('a new policy is refused at each character that a reviewer would not see', () => {
  test.each<[string, Parameters<typeof policy>[0], string[], string, string]>([
    ['a reordering in a comment', { comment: 'x <202E>y' }, [], '1:5', 'U+202E (right-to-left override)'],
    ['an isolate in a condition', { when: '"a" == "a<2066>"' }, ['rules', '0', 'when'], '5:21', 'U+2066'],
    [
      'a zero width space in a text',
      { when: 'request.args.to == "ac<200B>me"' },
      ['rules', '0', 'when'],
      '5:34',
      'U+200B',
    ],
    ['a tag character in a text', { when: '"<E0041>" == "x"' }, ['rules', '0', 'when'], '5:13', '\\U000E0041'],
    ['a reordering in a reason', { reason: 'No<202E>.' }, ['rules', '0', 'deny', 'reason'], '6:23', 'U+202E'],
    ['a soft hyphen in a reason', { reason: 'No<AD>.' }, ['rules', '0', 'deny', 'reason'], '6:23', 'U+00AD'],
    ['an odd space in a name', { name: 'a<A0>b' }, ['rules', '1', 'require', 'stages', '0', 'name'], '7:34', 'U+00A0'],
    ['a control character in a comment', { comment: 'x<1B>[8m' }, [], '1:4', 'U+001B (escape)'],
    ['a carriage return alone', { comment: 'x<D>y' }, [], '1:4', 'U+000D'],
  ])('%s', (_name, parts, path, at, message) => {
    const parsed = parsePolicy(policy(parts), { isNew: true });
    const errors = parsed.ok ? [] : parsed.errors;
    expect(
      errors.map(({ path, line, column }) => ({ path: path.map(String), at: `${line}:${column}` })),
    ).toContainEqual({ path, at });
    expect(errors.map((error) => error.message).join(' ')).toContain(message);
  });

  test('of several policies in one file, in the one that holds it', () => {
    const text = `${policy()}---\n${policy({ reason: 'No<200B>.' }).replace('wires', 'others')}`;
    const parsed = parsePolicies(text);
    expect(parsed).toMatchObject({ ok: false, errors: [{ path: ['rules', 0, 'deny', 'reason'], line: 14 }] });
  });
});

test.each<[string, string]>([
  ['a tab', policy({ comment: 'a<9>b' })],
  ['line breaks of Windows', policy().replaceAll('\n', '\r\n')],
  ['a byte order mark at the start', hide(`<FEFF>${policy()}`)],
  ['joined emoji', policy({ comment: '<1F468>\u200D<1F469>' })],
  ['letters of other scripts', policy({ reason: 'Нельзя сегодня.' })],
  ['an escape, which is seen', policy({ reason: '"No\\u202E."' })],
])('a new policy may hold %s', (_name, text) => {
  expect(parsePolicy(text, { isNew: true })).toMatchObject({ ok: true });
});

test('a policy that was published before goes on', () => {
  expect(parsePolicy(policy({ reason: 'No<200B>.' }))).toMatchObject({ ok: true });
});

test('a word that imitates another is named with its line', () => {
  expect(lookalikeWarnings(policy({ when: 'request.args.to == "<430>cme"' }))).toEqual([
    'Line 5: аcme is not Latin: Cyrillic а U+0430.',
  ]);
  expect(lookalikeWarnings(policy())).toEqual([]);
});
