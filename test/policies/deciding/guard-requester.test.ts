import { describe, expect, test } from '@jest/globals';
import { decide } from '#policies/deciding/rules/decide';
import type { Facts } from '#policies/document/rules/document';
import { bookOf } from '../policies.ts';
import { factsOf } from '../users.ts';

const strict = { unknownTools: 'approvers', requester: 'verified', readingTime: 5_000 } as const;
const checked = { verifiedBy: 'https://idp.example.com' };
const destructive = { annotations: { destructiveHint: true }, risk: 'high' } as const;

const verdictOf = (parts: Parameters<typeof factsOf>[0], text?: string) => {
  const facts: Facts = { ...factsOf(parts), defaults: strict };
  return decide(text === undefined ? bookOf() : bookOf(`policy: p\n${text}`), facts);
};
/** Of each stage: its name, how many of its first group, and whether the owner of the server is kept out. */
const planOf = ({ stages }: ReturnType<typeof verdictOf>) =>
  stages.map(({ name, groups, separation }) => [name, groups[0]?.approve, separation.agentOwner]);

const documentWith = (terms = '', stage = '{ name: S, approvers: { group: finance } }') =>
  `require: { ${terms}stages: [${stage}] }`;

describe('S3 a requester that Assentry has not checked', () => {
  test('needs two people under the built-in policy, none of whom owns the server', () => {
    const verdict = verdictOf({ request: destructive });
    expect(planOf(verdict)).toEqual([['Approval', { count: 2 }, true]]);
    expect(verdict.explanation.terms[0]).toEqual({ kind: 'raised', because: 'unchecked-requester' });
  });

  test('needs one if it was checked, or at low risk', () => {
    expect(planOf(verdictOf({ request: destructive, requester: checked }))).toEqual([
      ['Approval', { count: 1 }, false],
    ]);
    const low = { audience: 'approvers', risk: 'low', annotations: { readOnlyHint: true } } as const;
    expect(planOf(verdictOf({ request: low }))).toEqual([['Approval', { count: 1 }, false]]);
  });

  test.each<[string, string, unknown[]]>([
    [
      'one person',
      documentWith(),
      [
        ['S', { count: 1 }, true],
        ['Second person', { count: 1 }, true],
      ],
    ],
    [
      'two persons',
      documentWith('', '{ name: S, approve: 2, approvers: { group: finance } }'),
      [['S', { count: 2 }, true]],
    ],
    [
      'a share of them',
      documentWith('', '{ name: S, approve: 50%, approvers: anyone }'),
      [
        ['S', { percent: 50 }, true],
        ['Second person', { count: 1 }, true],
      ],
    ],
    [
      'two persons, else one in their place',
      documentWith(
        '',
        '{ name: S, approve: 2, approvers: anyone, escalate: { after: 1h, stage: { name: T, approvers: { role: admin } } } }',
      ),
      [
        ['S', { count: 2 }, true],
        ['Second person', { count: 1 }, true],
      ],
    ],
    [
      'two persons, else two groups in their place',
      documentWith(
        '',
        '{ name: S, approve: 2, approvers: anyone, escalate: { after: 1h, stage: { name: T, groups: [{ name: A, approvers: anyone }, { name: B, approvers: anyone }] } } }',
      ),
      [['S', { count: 2 }, true]],
    ],
    ['one person of anyone', documentWith('', '{ name: S, approvers: anyone }'), [['S', { count: 2 }, true]]],
    [
      'stages one person can do alone',
      documentWith('', '{ name: A, approvers: anyone }, { name: B, approvers: anyone }'),
      [
        ['A', { count: 1 }, true],
        ['B', { count: 1 }, true],
        ['Second person', { count: 1 }, true],
      ],
    ],
    [
      'stages of different people',
      documentWith(
        'separation: { earlierVoters: true }, ',
        '{ name: A, approvers: anyone }, { name: B, approvers: anyone }',
      ),
      [
        ['A', { count: 1 }, true],
        ['B', { count: 1 }, true],
      ],
    ],
    ['low risk', documentWith('risk: low, '), [['S', { count: 1 }, false]]],
    ['any requester', documentWith('requester: any, '), [['S', { count: 1 }, false]]],
  ])('under a policy of %s', (_, text, plan) => {
    expect(planOf(verdictOf({}, text))).toEqual(plan);
  });

  test('is denied by a policy that demands a checked one, also if their server says so', () => {
    const text = documentWith('requester: verified, ');
    expect(verdictOf({ requester: { verified: true } }, text)).toMatchObject({
      outcome: 'deny',
      policy: 'p@1',
      reason: 'Assentry must have checked the requester’s access token itself.',
    });
    expect(verdictOf({ requester: checked }, text)).toMatchObject({ outcome: 'require', policy: 'p@1' });
  });

  test('is not made anyone by one of two policies that decide together', () => {
    const lax = `policy: a\n${documentWith('requester: any, ')}`;
    const failing = `policy: b\nwhen: request.args.missing == 1\n${documentWith()}`;
    const stages = planOf(decide(bookOf(lax, failing), { ...factsOf(), defaults: strict }));
    expect(stages.map(([name]) => name)).toEqual(['S', 'S', 'Second person']);
  });

  test('gets a standing approval at low risk only', () => {
    const grantAt = (risk: string, verified: boolean) => {
      const facts = factsOf({ requester: { verified }, request: { risk: 'low' } });
      return decide(
        bookOf(`policy: p\n${documentWith(`risk: ${risk}, requester: any, grant: { longest: 1h }, `)}`),
        facts,
      ).grant;
    };
    expect([grantAt('low', false), grantAt('medium', true)]).not.toContain(null);
    expect(grantAt('medium', false)).toBeNull();
  });

  test('is anyone where the installation says so', () => {
    expect(decide(bookOf(), factsOf({ request: destructive })).stages[0]?.groups[0]?.approve).toEqual({ count: 1 });
  });
});

describe('S9 a tool that no policy decides about and that says nothing of itself', () => {
  const outcome = (unknownTools: Facts['defaults']['unknownTools'], request: object, text?: string) => {
    const facts = { ...factsOf({ request }), defaults: { unknownTools, requester: 'any', readingTime: 0 } as const };
    const { audience, outcome: what, policy } = decide(text === undefined ? bookOf() : bookOf(text), facts);
    return [what, what === 'deny' ? null : audience, policy];
  };

  test.each([
    ['requester', ['require', 'requester', 'built-in@1']],
    ['approvers', ['require', 'approvers', 'built-in@1']],
    ['deny', ['deny', null, 'built-in@1']],
  ] as const)('goes to %s', (rule, expected) => expect(outcome(rule, {})).toEqual(expected));

  test('is another one if it says what it does, or a policy decides', () => {
    const reads = { annotations: { readOnlyHint: true } };
    for (const rule of ['approvers', 'deny'] as const) {
      expect(outcome(rule, reads)).toEqual(['require', 'requester', 'built-in@1']);
      expect(outcome(rule, destructive)).toEqual(['require', 'approvers', 'built-in@1']);
      expect(outcome(rule, {}, `policy: p\n${documentWith()}`)).toEqual(['require', 'approvers', 'p@1']);
      expect(outcome(rule, {}, `policy: p\nwhen: request.args.amount > 9000\n${documentWith()}`)[2]).toBe('built-in@1');
    }
  });

  test('still sends its requester to an address, unless it is denied: no one else can use it', () => {
    expect(outcome('approvers', { mode: 'url' })).toEqual(['require', 'requester', 'built-in@1']);
    expect(outcome('deny', { mode: 'url' })).toEqual(['deny', null, 'built-in@1']);
  });
});
