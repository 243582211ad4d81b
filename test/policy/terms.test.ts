import { describe, expect, test } from '@jest/globals';
import { refuseJustification } from '../../src/policy/justification.ts';
import type { FreezeWindow } from '../../src/policy/policy-document.ts';
import { refuseStart, ttlOf } from '../../src/policy/start-time.ts';

const hour = 3_600_000;

describe('P18 a reason', () => {
  const ticket = [{ minLength: 10, like: 'JIRA-*' }];

  test.each<[typeof ticket, string | null]>([
    [[], null],
    [[], ''],
    [ticket, 'JIRA-12 is about this'],
    [ticket, '  JIRA-12 is about this  '],
    [[{ minLength: 2, like: null as unknown as string }], '好的'],
  ])('%j is satisfied by %j', (rules, reason) => {
    expect(refuseJustification(rules, reason)).toBeNull();
  });

  test.each<[string | null]>([
    [null],
    [''],
    ['JIRA-12'],
    ['JIRA-12      '],
    ['as in JIRA-12'],
    ['jira-12 is about it'],
  ])('%j is not enough', (reason) => {
    expect(refuseJustification(ticket, reason)).toBe('Give a reason of at least 10 characters that fits JIRA-*.');
  });

  test('of several rules each must be satisfied; characters are counted, not their code units', () => {
    const rules = [...ticket, { minLength: 1, like: '*approved*' }];
    expect(refuseJustification(rules, 'JIRA-12 approved')).toBeNull();
    expect(refuseJustification(rules, 'JIRA-12 is enough')).toBe('Give a reason that fits *approved*.');
    expect(refuseJustification([{ minLength: 2, like: null }], '😀')).toBe('Give a reason of at least 2 characters.');
  });
});

describe('how long people have', () => {
  test.each([
    ['what the caller asks', null, 2 * hour, 2 * hour],
    ['never longer than the policy says', hour, 2 * hour, hour],
    ['as short as the caller asks', 3 * hour, 2 * hour, 2 * hour],
    ['what the policy says', 3 * hour, null, 3 * hour],
    ['a day', null, null, 24 * hour],
  ])('%s', (_name, deadline, asked, expected) => {
    expect(ttlOf({ deadline, audience: 'approvers' }, asked)).toBe(expected);
  });

  test('the person at the client has five minutes', () => {
    expect(ttlOf({ deadline: null, audience: 'requester' }, null)).toBe(300_000);
  });
});

describe('P17 a start in the future', () => {
  const window: FreezeWindow = { name: 'year end', from: 50 * hour, until: 60 * hour, approvers: [{ kind: 'anyone' }] };
  const terms = { notBefore: true, freeze: [window], frozen: [] as string[] };

  test.each<[string, typeof terms, 'requester' | 'approver', number | null, number]>([
    ['the requester sets it', terms, 'requester', null, 10 * hour],
    ['the requester moves it earlier', terms, 'requester', 20 * hour, 10 * hour],
    ['an approver moves it later', terms, 'approver', 10 * hour, 20 * hour],
    ['an approver sets it', terms, 'approver', null, 20 * hour],
    ['it may be at the end of a freeze', terms, 'approver', null, 60 * hour],
    ['a freeze whose stage it has is no obstacle', { ...terms, frozen: ['year end'] }, 'approver', null, 55 * hour],
  ])('%s', (_name, given, by, from, to) => {
    expect(refuseStart(given, { by, from, to, now: hour })).toBeNull();
  });

  test.each<[string, typeof terms, 'requester' | 'approver', number | null, number]>([
    ['does not let anybody', { ...terms, notBefore: false }, 'requester', null, 10 * hour],
    ['only to a later time', terms, 'approver', 20 * hour, 10 * hour],
    ['only to a later time', terms, 'approver', null, 0],
    ['within 30 days', terms, 'requester', null, 31 * 24 * hour + hour],
    ['within the freeze year end', terms, 'requester', null, 50 * hour],
    ['within the freeze year end', terms, 'approver', 10 * hour, 59 * hour],
  ])('%s', (reason, given, by, from, to) => {
    expect(refuseStart(given, { by, from, to, now: hour })).toContain(reason);
  });
});
