import { describe, expect, test } from '@jest/globals';
import { decide } from '#policies/deciding/rules/decide';
import type { Facts } from '#policies/document/rules/document';
import { risks } from '#requests/asking/contract/elicitation';
import { firstPolicy } from '#platform/model/names';
import { bookOf } from '../policies.ts';
import { factsOf } from '../users.ts';

const allowing = (ceiling: string): string => `policy: ${firstPolicy}\nallow: { ceiling: ${ceiling} }`;
const reading = allowing('low');
const audiences = ['requester', 'approvers', null] as const;
const hints: [string, Record<string, boolean>][] = [
  ['only reads', { readOnlyHint: true }],
  ['does not only read', { readOnlyHint: false }],
  ['destroys nothing', { destructiveHint: false }],
  ['only reads and destroys nothing', { readOnlyHint: true, destructiveHint: false }],
  ['destroys', { destructiveHint: true }],
  ['says nothing of itself', {}],
];
const riskOf = ({ readOnlyHint, destructiveHint }: Record<string, boolean>): Facts['request']['risk'] =>
  destructiveHint ? 'high' : readOnlyHint ? 'low' : 'medium';
const cases = hints.flatMap(([tool, annotations]) =>
  audiences.map((audience) => ({ tool, annotations, audience, risk: riskOf(annotations) })),
);

describe('a form that a person must fill in goes to the same people with a policy that allows the call as without one', () => {
  test.each(cases)('a tool that $tool, for $audience', ({ annotations, audience, risk }) => {
    const facts = factsOf({ request: { annotations, audience, risk }, answerable: false });
    const expected = audience === 'approvers' || annotations['destructiveHint'] ? 'approvers' : 'requester';
    for (const [place, ceiling] of (['low', 'medium'] as const).entries()) {
      const isWithin = risks.indexOf(risk) <= place;
      const verdict = decide(bookOf(allowing(ceiling)), facts);
      expect(verdict).toMatchObject({ outcome: 'require', audience: isWithin ? expected : 'approvers' });
    }
    expect(decide(bookOf(), facts)).toMatchObject({ outcome: 'require', audience: expected });
  });
});

describe('a form that a person must fill in, where an allow fits', () => {
  const facts = factsOf({ request: { risk: 'low', annotations: { readOnlyHint: true } }, answerable: false });

  test('is asked as another policy says that applies', () => {
    const other = 'policy: other\nrequire: { stages: [{ name: S, approvers: anyone }] }';
    expect(decide(bookOf(reading, other), facts)).toMatchObject({ policy: 'other@1', audience: 'approvers' });
  });

  test('goes to the approvers of a freeze', () => {
    const freeze =
      '{ name: Year end, from: 2026-11-20T00:00:00Z, until: 2026-11-30T00:00:00Z, approvers: { group: a } }';
    const frozen = `policy: frozen\nallow: { freeze: [${freeze}] }`;
    expect(decide(bookOf(frozen), facts)).toMatchObject({
      policy: 'frozen@1',
      audience: 'approvers',
      frozen: ['Year end'],
    });
  });

  test('needs an approver if another policy cannot be evaluated', () => {
    const failing = 'policy: failing\nwhen: request.args.missing == 1\nallow: {}';
    expect(decide(bookOf(reading, failing), facts)).toMatchObject({ audience: 'approvers' });
  });

  test('asks the requester where only tools that no policy covers are raised to approvers', () => {
    const defaults = { ...facts.defaults, unknownTools: 'deny' as const };
    const unknown = { ...facts, defaults, request: { ...facts.request, annotations: {} } };
    expect(decide(bookOf(reading), unknown)).toMatchObject({ outcome: 'require', audience: 'requester' });
    expect(decide(bookOf(), unknown)).toMatchObject({ outcome: 'deny' });
  });
});
