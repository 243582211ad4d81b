import { describe, expect, test } from '@jest/globals';
import { pausedUntil, type GivenApproval, type PaceRule } from '#policies/terms/pace';

const minute = 60_000;
const now = 100 * minute;
/** Approvals so many minutes ago, the latest first; a hasty one has an exclamation mark. */
const approvalsIn = (text: string): GivenApproval[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({ at: now - Number.parseFloat(word) * minute, isHasty: word.endsWith('!') }));
const rule = (parts: Partial<PaceRule>): PaceRule => ({ approvals: null, hasty: null, within: 5 * minute, ...parts });
const minutesLeft = (text: string, ...rules: PaceRule[]) => {
  const until = pausedUntil(approvalsIn(text), rules, now);
  return until === null ? null : (until - now) / minute;
};

describe('a person pauses', () => {
  test.each([
    ['too few approvals', '0 1', null],
    ['the first of them is within the time', '0 1 2', 3],
    ['of more, the one that counts is the third', '0 1 2 3 4', 3],
    ['the first of them is exactly so long ago', '0 1 5', null],
    ['they are spread', '0 4 9', null],
  ])('after three approvals within five minutes: %s', (_what, text, left) => {
    expect(minutesLeft(text, rule({ approvals: 3 }))).toBe(left);
  });

  test.each([
    ['too few', '0! 1!', null],
    ['a run', '0! 1! 9!', 5],
    ['a run some time ago', '2! 2! 2!', 3],
    ['a run whose pause is over', '5! 5! 5!', null],
    ['a run that one was read after', '0 1! 1! 1!', null],
    ['a run that one was read in', '0! 1 1! 1!', null],
  ])('after three hasty ones in a row: %s', (_what, text, left) => {
    expect(minutesLeft(text, rule({ hasty: 3 }))).toBe(left);
  });

  test('until the later end, if there are several rules; never without one', () => {
    expect(minutesLeft('0! 1! 2!', rule({ approvals: 3 }), rule({ hasty: 2, within: 4 * minute }))).toBe(4);
    expect(minutesLeft('0! 0! 0!')).toBeNull();
  });
});
