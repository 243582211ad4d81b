import { describe, expect, test } from '@jest/globals';
import { freezeAgainst } from '#policies/deciding/rules/stages';
import { faultOfJustification } from '#policies/document/rules/stages';
import type { FreezeWindow } from '#policies/document/rules/document';

describe('P18 a reason', () => {
  const ticket = [{ minLength: 10, like: 'JIRA-*' }];

  test.each<[typeof ticket, string | null]>([
    [[], null],
    [[], ''],
    [ticket, 'JIRA-12 is about this'],
    [ticket, '  JIRA-12 is about this  '],
    [[{ minLength: 2, like: null as unknown as string }], '好的'],
  ])('%j is satisfied by %j', (rules, reason) => {
    expect(faultOfJustification(rules, reason)).toBeNull();
  });

  test.each<[string | null]>([
    [null],
    [''],
    ['JIRA-12'],
    ['JIRA-12      '],
    ['as in JIRA-12'],
    ['jira-12 is about it'],
  ])('%j is not enough', (reason) => {
    expect(faultOfJustification(ticket, reason)).toBe('Give a reason (at least 10 characters, in the form JIRA-*).');
  });

  test('of several rules each must be satisfied; characters are counted, not their code units', () => {
    const rules = [...ticket, { minLength: 1, like: '*approved*' }];
    expect(faultOfJustification(rules, 'JIRA-12 approved')).toBeNull();
    expect(faultOfJustification(rules, 'JIRA-12 is enough')).toBe('Give a reason (in the form *approved*).');
    expect(faultOfJustification([{ minLength: 2, like: null }], '😀')).toBe('Give a reason (at least 2 characters).');
  });
});

describe('P17 a start in the future', () => {
  const window: FreezeWindow = { name: 'year end', from: 50, until: 60, approvers: [{ kind: 'anyone' }] };

  test.each([
    [49, [], null],
    [50, [], 'year end'],
    [59, [], 'year end'],
    [60, [], null],
    [55, ['year end'], null],
  ])('at %d, with stages for %j, is within %j', (at, frozen: string[], expected) => {
    expect(freezeAgainst({ freeze: [window], frozen }, at)).toBe(expected);
  });
});
