import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canComplete, isEligible, tally, verdictOf, type Ballot, type Stage } from '#requests/voting/contract/stages';
import { accountsFrom } from '#people/accounts/contract';
import { runs } from '../../support/runs.ts';
import { fitsSeats } from '../../support/requests/seats.ts';
import { groupOf, stageOf } from '../../support/requests/stages.ts';

const yes = (by: string, absent?: string): Ballot => ({ by, for: absent, action: 'accept' });
const no = (by: string, absent?: string): Ballot => ({ by, for: absent, action: 'decline' });
const manager = groupOf({ approvers: ['ada', 'bob'] });
const finance = groupOf({ approve: 2, deny: 2, approvers: ['ada', 'cleo', 'dan'] });
const both = stageOf({ groups: [manager, finance] });
const either = stageOf({ groups: [manager, finance], complete: 'any' });

describe('P3 a quorum of distinct persons', () => {
  test.each<[string, Stage, Ballot[], ReturnType<typeof verdictOf>]>([
    ['of no one is missing', stageOf(), [], null],
    ['of one is complete', stageOf(), [yes('ada')], 'complete'],
    ['counts one person once', stageOf({ approve: 2 }), [yes('ada'), yes('ada')], null],
    [
      'counts a delegate and whom they stand in for once',
      stageOf({ approve: 2 }),
      [yes('bob', 'ada'), yes('ada')],
      null,
    ],
    ['counts one person in two groups once', both, [yes('ada'), yes('cleo')], null],
    ['moves a person to the seat where they are needed', both, [yes('ada'), yes('cleo'), yes('dan')], 'complete'],
    ['does so in any order', both, [yes('cleo'), yes('ada'), yes('bob')], 'complete'],
    ['needs every group where all are wanted', both, [yes('cleo'), yes('dan')], null],
    ['needs one group where any is enough', either, [yes('cleo'), yes('dan')], 'complete'],
    ['lets one person help two groups where any is enough', either, [yes('ada')], 'complete'],
    ['counts no stranger', both, [yes('ada'), yes('cleo'), yes('eve')], null],
    ['counts whom a delegate speaks for', stageOf({ approvers: ['ada'] }), [yes('eve', 'ada')], 'complete'],
  ])('%s', (_name, stage, votes, verdict) => {
    expect(verdictOf(stage, votes)).toBe(verdict);
  });
});

describe('P5 refusals', () => {
  test.each<[string, Stage, Ballot[], ReturnType<typeof verdictOf>]>([
    ['of one group end a stage that needs all', both, [no('bob')], 'refused'],
    ['of too few end nothing', both, [no('cleo')], null],
    ['of one person twice count once', both, [no('cleo'), no('cleo')], null],
    ['of one group leave the other where any is enough', either, [no('bob')], null],
    ['of every group end a stage where any is enough', either, [no('ada'), no('cleo')], 'refused'],
    ['end a group for good', either, [no('bob'), yes('ada')], null],
  ])('%s', (_name, stage, votes, verdict) => {
    expect(verdictOf(stage, votes)).toBe(verdict);
  });
});

test('the count of each group says who is still missing', () => {
  expect(tally(both, [yes('ada'), yes('cleo'), no('dan')])).toEqual([
    { have: 1, need: 1, refusals: 0 },
    { have: 1, need: 2, refusals: 1 },
  ]);
});

test('P7 neither an excluded person nor their delegate is eligible, nor they as a delegate', () => {
  const stage = stageOf({ excluded: ['ada'] });
  expect([yes('ada'), yes('bob', 'ada'), yes('ada', 'bob'), yes('bob')].map((item) => isEligible(stage, item))).toEqual(
    [false, false, false, true],
  );
  expect(canComplete(stageOf({ approve: 2, excluded: ['ada'] }), new Set(['ada', 'bob']))).toBe(false);
  expect(canComplete(both, new Set(['ada', 'bob', 'cleo']))).toBe(true);
});

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const users = fc.subarray(names);
const stages = fc
  .array(
    fc.record({
      approvers: fc.oneof(fc.constant('anyone' as const), users),
      approve: fc.integer({ min: 1, max: 3 }),
    }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((groups) => stageOf({ groups: groups.map((group) => groupOf({ ...group, deny: 9 })) }));

test('P3 a stage is complete exactly if distinct persons fit all its seats, whatever the order of votes', () => {
  fc.assert(
    fc.property(stages, fc.shuffledSubarray(names), (stage, accepting) => {
      const isComplete =
        verdictOf(
          stage,
          accepting.map((by) => yes(by)),
        ) === 'complete';
      expect(isComplete).toBe(fitsSeats(stage.groups, accepting));
    }),
    { numRuns: runs(400) },
  );
});

describe('P3 a person with several accounts', () => {
  const accounts = accountsFrom([
    ['ada', 'ada2'],
    ['ada2', 'ada3'],
  ]);
  const linked = (stage: Stage): Stage => ({ ...stage, accounts: [['ada', 'ada2', 'ada3']] });

  test('fills one seat and refuses once, with whichever account votes first', () => {
    const two = linked(stageOf({ approve: 2, deny: 2 }));
    expect(verdictOf(two, [yes('ada'), yes('ada3')])).toBeNull();
    expect(verdictOf(two, [yes('ada3'), yes('ada'), yes('bob')])).toBe('complete');
    expect(verdictOf(two, [no('ada'), no('ada2')])).toBeNull();
    expect(tally(two, [yes('bob', 'ada'), yes('ada2')])).toEqual([{ have: 1, need: 2, refusals: 0 }]);
  });

  test('counts once where a stage could be completed, in whichever group they are needed', () => {
    const pair = stageOf({ approve: 2, approvers: ['ada', 'ada2'] });
    expect(canComplete(pair, new Set(['ada', 'ada2']), accounts)).toBe(false);
    expect(canComplete(pair, new Set(['ada', 'ada2']))).toBe(true);
    const groups = [groupOf({ approvers: ['ada', 'dan'] }), groupOf({ approvers: ['ada3'] })];
    expect(canComplete(stageOf({ groups }), new Set(['ada', 'dan', 'ada3']), accounts)).toBe(true);
    expect(canComplete(stageOf({ groups }), new Set(['ada', 'ada3']), accounts)).toBe(false);
    const own = stageOf({ approvers: ['ada2'], excluded: ['ada'] });
    expect(canComplete(own, new Set(['ada2']), accounts)).toBe(false);
  });
});
