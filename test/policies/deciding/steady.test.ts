import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decide } from '#policies/deciding/rules/decide';
import { ignoresArguments } from '#policies/deciding/rules/describe';
import { bookOf } from '../policies.ts';
import { factsOf } from '../users.ts';

const reading = 'policy: reading\nallow: { ceiling: medium }';
const window = '{ name: Holidays, from: 2026-12-24T00:00:00Z, until: 2026-12-27T00:00:00Z, approvers: anyone }';

test.each([
  ['no policy', [], true],
  ['a policy that allows', [reading], true],
  ['a condition on the arguments', [reading, 'policy: a\nwhen: request.args.amount > 9\ndeny: { reason: No. }'], false],
  ['a condition on the definition', [reading, "policy: a\nwhen: tool.definition == 'a'\ndeny: { reason: No. }"], true],
  [
    'a condition on the definition and more',
    [reading, "policy: a\nwhen: tool.definition == 'a' || request.args.a == 1\ndeny: { reason: No. }"],
    false,
  ],
  ['a condition that is always true', ["policy: a\nwhen: 'true'\nallow: {}"], false],
  ['a condition on the time', [reading, 'policy: a\nwhen: now.getHours() > 9\ndeny: { reason: No. }'], false],
  [
    'a condition for another tool',
    [reading, 'policy: a\nmatch: { tool: b }\nwhen: request.args.c == 1\ndeny: { reason: No. }'],
    true,
  ],
  ['an end', ['policy: a\nallow: { ceiling: medium, until: 2026-12-24T00:00:00Z }'], false],
  ['an end that is past', ['policy: a\nallow: { ceiling: medium, until: 2026-01-01T00:00:00Z }'], true],
  ['a freeze window', [`policy: a\nallow: { ceiling: medium, freeze: [${window}] }`], false],
])('with %s', (_, policies, expected) => {
  expect(ignoresArguments(bookOf(...policies), factsOf())).toBe(expected);
});

const texts = fc.subarray([
  reading,
  'policy: a\nwhen: request.args.amount > 9\ndeny: { reason: No. }',
  'policy: b\npriority: 2\nwhen: has(request.args.to)\nallow: { ceiling: medium }',
  'policy: c\npriority: 1\nmatch: { tool: transfer }\nrequire: { stages: [{ name: S, approvers: anyone }] }',
  'policy: e\npriority: 4\nallow: { ceiling: medium, until: 2026-12-24T00:00:00Z }',
  "policy: f\npriority: 5\nrules: [{ when: tool.definition == 'a', deny: { reason: No. } }, { allow: { ceiling: medium } }]",
  'policy: g\npriority: 6\nrules: [{ when: request.args.x == 1, deny: { reason: No. } }, { allow: { ceiling: medium } }]',
  `policy: d\npriority: 3\nallow: { ceiling: medium, freeze: [${window}] }`,
]);

test('no argument and no moment changes a steady verdict', () => {
  const args = fc.dictionary(fc.constantFrom('amount', 'to', 'x'), fc.oneof(fc.integer(), fc.string()));
  const moments = fc.integer({ min: Date.UTC(2026, 11, 20), max: Date.UTC(2026, 11, 31) });
  fc.assert(
    fc.property(texts, args, moments, (policies, call, now) => {
      const book = bookOf(...policies);
      if (!ignoresArguments(book, factsOf())) return;
      const other = decide(book, factsOf({ request: { args: call }, now }));
      expect(other.outcome).toBe(decide(book, factsOf()).outcome);
    }),
  );
});
