import { describe, expect, test } from '@jest/globals';
import { formatAside } from '#messages/clause-parts';
import { decide } from '#policies/deciding/rules/decide';
import { describePolicy, whyAside } from '#policies/deciding/rules/describe';
import { bookOf, read } from '../policies.ts';
import { factsOf } from '../users.ts';

const policy = (name: string, rest: string, priority = 0): string => `policy: ${name}\npriority: ${priority}\n${rest}`;
const stage = 'require: { stages: [{ name: One, approvers: anyone }] }';

/** Of the first of these policies and a transfer of 5,000. */
const asideOf = (tried: string, ...others: string[]) => {
  const facts = factsOf({ request: { risk: 'high', annotations: { destructiveHint: true } } });
  const document = read(tried);
  const verdict = decide(bookOf(tried, ...others), facts);
  return whyAside(verdict, { policy: `${document.policy}@1`, terms: describePolicy(document) }, 'high');
};

describe('a policy that is tried', () => {
  test.each([
    ['is about other calls', [policy('a', `match: { tool: other }\n${stage}`)], { kind: 'other-calls' }],
    [
      'has a condition that is false',
      [policy('a', `when: request.args.amount > 9000 && request.args.to == "DE02"\n${stage}`)],
      { kind: 'condition', clauses: ['request.args.amount > 9000'] },
    ],
    [
      'cannot be evaluated and would confirm',
      [policy('a', 'when: request.args.missing == 1\nconfirm: { ceiling: high }')],
      { kind: 'failed', failure: expect.stringContaining('missing') },
    ],
    [
      'confirms less than this risk',
      [policy('a', 'confirm: {}')],
      { kind: 'ceiling', ceiling: 'medium', risk: 'high' },
    ],
    [
      'allows less than this risk',
      [policy('a', 'allow: { ceiling: low }')],
      { kind: 'ceiling', ceiling: 'low', risk: 'high' },
    ],
    [
      'would confirm while another fails',
      [policy('a', 'confirm: { ceiling: high }', 1), policy('b', `when: request.args.missing == 1\n${stage}`)],
      { kind: 'other-failed', policy: 'b@1' },
    ],
    ['comes after another', [policy('a', stage), policy('b', stage, 5)], { kind: 'outranked', policy: 'b@1' }],
    [
      'would allow what another denies',
      [policy('a', 'allow: { ceiling: low }', 5), policy('b', 'deny: { reason: Never. }')],
      { kind: 'outranked', policy: 'b@1' },
    ],
    ['decides', [policy('a', stage)], null],
  ] as const)('and %s is told so', (_case, [tried, ...others], aside) => {
    expect(asideOf(tried, ...others)).toEqual(aside);
  });

  test('is told what to write', () => {
    expect(formatAside({ kind: 'ceiling', ceiling: 'medium', risk: 'high' })).toBe(
      'This policy doesn’t count here: it reaches medium risk, and this call is high risk. To include it, write: ceiling: high',
    );
  });
});
