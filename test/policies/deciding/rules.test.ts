import { describe, expect, test } from '@jest/globals';
import { releasingTool } from '#platform/model/names';
import { isAlwaysDenied } from '#policies/deciding/rules/always-denied';
import { decide, denialOf } from '#policies/deciding/rules/decide';
import { ignoresArguments } from '#policies/deciding/rules/describe';
import { checkSatisfiable } from '#policies/deciding/rules/stages';
import type { Verdict } from '#policies/document/rules/verdict';
import { bookOf, read } from '../policies.ts';
import { directoryOf, factsOf, user } from '../users.ts';

const asking = (name: string): string => `require: { stages: [{ name: ${name}, approvers: anyone }] }`;
const over = (amount: number): string => `when: request.args.amount > ${amount}`;
const listOf = (...rules: string[]): string => `rules:\n${rules.map((rule) => `  - { ${rule} }\n`).join('')}`;
const policy = (name: string, ...rules: string[]): string => `policy: ${name}\n${listOf(...rules)}`;

const transfers = policy('transfers', `${over(1000)}, ${asking('Finance')}`, 'confirm: { ceiling: high }');
const judge = (args: Record<string, unknown>, ...policies: string[]): Verdict =>
  decide(bookOf(...policies), factsOf({ request: { args } }));
const stagesOf = ({ stages }: Verdict): string[] => stages.map(({ name }) => name);
/** Which rules were looked at, and what became of each. */
const walk = ({ explanation }: Verdict): string[] =>
  explanation.considered.map(({ policy: pin, rule, result, decided }) =>
    [`${pin}${rule === undefined ? '' : `/${rule}`}`, result, ...(decided ? ['decided'] : [])].join(' '),
  );

describe('of several rules', () => {
  test('the first that fits decides, and those after it are not looked at', () => {
    const large = judge({ amount: 5000 }, transfers);
    expect(large).toMatchObject({ policy: 'transfers@1', outcome: 'require', audience: 'approvers' });
    expect([stagesOf(large), walk(large)]).toEqual([['Finance'], ['transfers@1/1 applied decided']]);
    const small = judge({ amount: 5 }, transfers);
    expect(small).toMatchObject({ policy: 'transfers@1', outcome: 'require', audience: 'requester', stages: [] });
    expect(walk(small)).toEqual(['transfers@1/1 not-applied', 'transfers@1/2 applied decided']);
  });

  test('one whose condition fails is added, lets nothing pass, and the next is looked at', () => {
    const verdict = judge({}, transfers);
    expect([stagesOf(verdict), walk(verdict)]).toEqual([
      ['Finance'],
      ['transfers@1/1 failed decided', 'transfers@1/2 applied'],
    ]);
    expect(verdict.explanation.considered[0]?.failure).toContain('amount');
    const both = judge({}, policy('a', `${over(9)}, ${asking('Large')}`, asking('All')));
    expect(stagesOf(both)).toEqual(['All', 'Large']);
    expect(judge({}, policy('a', `${over(9)}, allow: {}`, 'allow: { ceiling: medium }'))).toMatchObject({
      outcome: 'require',
      audience: 'approvers',
    });
    expect(judge({}, policy('a', `${over(9)}, deny: { reason: Large. }`, asking('All')))).toMatchObject({
      outcome: 'deny',
      reason: 'Large.',
    });
  });

  test('if none fits, the policy does not apply', () => {
    const verdict = judge({ amount: 5 }, policy('a', `${over(1000)}, deny: { reason: No. }`, `${over(10)}, allow: {}`));
    expect(verdict).toMatchObject({ policy: 'built-in@1', audience: 'requester' });
    expect(walk(verdict)).toEqual(['a@1/1 not-applied', 'a@1/2 not-applied']);
  });

  test('the condition of the policy holds for all of them', () => {
    const guarded = `${transfers}when: request.args.currency == "EUR"\n`;
    const elsewhere = judge({ amount: 5000, currency: 'USD' }, guarded);
    expect([elsewhere.policy, walk(elsewhere)]).toEqual(['built-in@1', ['transfers@1 not-applied']]);
    expect(stagesOf(judge({ amount: 5000, currency: 'EUR' }, guarded))).toEqual(['Finance']);
    // It fails: the rule that fits counts as failing, and the others are still not looked at.
    expect(walk(judge({ amount: 5000 }, guarded))).toEqual(['transfers@1/1 failed decided']);
    expect(judge({ amount: 5 }, guarded)).toMatchObject({ outcome: 'require', audience: 'approvers' });
  });

  test('one that may not let the call pass has decided for its policy', () => {
    const tiered = policy('a', `${over(10)}, allow: { ceiling: low }`, 'confirm: { ceiling: high }');
    expect(judge({ amount: 50 }, tiered)).toMatchObject({ policy: 'built-in@1', audience: 'approvers' });
    expect(stagesOf(judge({ amount: 50 }, tiered, `policy: b\n${asking('Other')}`))).toEqual(['Other']);
  });

  test('one that has ended is passed over', () => {
    const ending = policy('a', `${over(10)}, allow: { ceiling: medium, until: 2026-12-01T00:00:00Z }`, asking('All'));
    const at = (now: string) => decide(bookOf(ending), factsOf({ now: Date.parse(now) }));
    expect(at('2026-11-21T10:00:00Z').outcome).toBe('allow');
    expect(stagesOf(at('2026-12-01T00:00:00Z'))).toEqual(['All']);
  });

  test('what is for approvers alone is left to no requester by one of them', () => {
    const open = policy('a', `${over(10)}, confirm: { ceiling: high }`, asking('All'));
    const release = { tool: releasingTool, args: { amount: 50 } };
    expect(stagesOf(decide(bookOf(`${open}match: { tool: 'assentry.*' }\n`), factsOf({ request: release })))).toEqual([
      'All',
    ]);
  });

  test('each counts among those of other policies by what it does', () => {
    const denying = policy('z', `${over(1000)}, deny: { reason: Too much. }`, 'allow: { ceiling: medium }');
    const above = `policy: b\npriority: 9\n${asking('Two')}`;
    expect(judge({ amount: 5000 }, denying, above)).toMatchObject({ outcome: 'deny', policy: 'z@1' });
    expect(stagesOf(judge({ amount: 5 }, denying, above))).toEqual(['Two']);
    expect(stagesOf(judge({ amount: 5 }, denying, `policy: b\n${asking('Two')}`))).toEqual(['Two']);
    expect(judge({ amount: 5 }, denying)).toMatchObject({ outcome: 'allow', policy: 'z@1' });
  });

  test('so many are explained, and the policy of others is named once', () => {
    const rules = Array.from({ length: 15 }, (_, at) => `when: request.args.amount == ${at}, ${asking(`S${at}`)}`);
    const { explanation } = judge({ amount: 99 }, policy('a', ...rules));
    expect([explanation.considered.length, explanation.passedOver]).toEqual([10, ['a@1']]);
  });
});

describe('what follows from several rules', () => {
  const denial = 'deny: { reason: No. }';

  test.each<[string, string[], string | null]>([
    ['a denial that fits', [`${over(10)}, ${denial}`, 'allow: {}'], 'a@1'],
    ['a denial behind one that fits', [`${over(10)}, allow: {}`, denial], null],
    ['a denial behind one that fails', [`when: request.args.x == 1, allow: {}`, denial], 'a@1'],
    ['no denial', ['allow: {}'], null],
  ])('a stored request meets %s', (_, rules, expected) => {
    expect(denialOf(bookOf(policy('a', ...rules)), factsOf())?.policy ?? null).toBe(expected);
  });

  test.each<[string, string[], boolean]>([
    ['a denial alone', [denial], true],
    ['denials only, the last without a condition', [`${over(10)}, ${denial}`, denial], true],
    ['a denial behind what may allow', [`${over(10)}, allow: { ceiling: medium }`, denial], false],
    ['denials with conditions', [`${over(10)}, ${denial}`, `${over(1)}, ${denial}`], false],
  ])('a tool with %s is denied always: %s', (_, rules, expected) => {
    expect(isAlwaysDenied(bookOf(policy('a', ...rules)), factsOf())).toBe(expected);
    const under = `${policy('a', ...rules)}when: request.args.amount > 1\n`;
    expect(isAlwaysDenied(bookOf(under), factsOf())).toBe(false);
  });

  test.each<[string, string[], boolean]>([
    ['on the definition alone', [`when: tool.definition == 'a', ${asking('S')}`, 'allow: { ceiling: medium }'], true],
    ['on an argument', [`${over(10)}, ${asking('S')}`, 'allow: { ceiling: medium }'], false],
    [
      'on the definition, before one that ends',
      [`when: tool.definition == 'a', ${asking('S')}`, 'allow: { until: 2026-12-24T00:00:00Z }'],
      false,
    ],
  ])('a verdict by conditions %s is steady: %s', (_, rules, expected) => {
    expect(ignoresArguments(bookOf(policy('a', ...rules)), factsOf())).toBe(expected);
    const under = `${policy('a', ...rules)}when: now.getHours() > 9\n`;
    expect(ignoresArguments(bookOf(under), factsOf())).toBe(false);
  });

  test('each must find its people', () => {
    const people = directoryOf(user('ada', { groups: ['finance'] }), user('ben'));
    const check = (...rules: string[]) => checkSatisfiable(read(policy('a', ...rules)), people);
    const two = 'require: { stages: [{ name: Two, approve: 2, approvers: { group: finance } }] }';
    expect(check(`${over(10)}, ${asking('All')}`, `${over(5)}, ${denial}`, 'allow: {}')).toEqual({ ok: true });
    expect(check(`${over(10)}, ${asking('All')}`, two)).toEqual({
      ok: false,
      reason: 'Rule 2: Stage Two needs 2 approvals from the group finance, but only Ada can vote there.',
    });
  });
});
