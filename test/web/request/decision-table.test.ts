import { describe, expect, test } from '@jest/globals';
import type { UserId } from '#platform/model/id';
import { pressDecisionKey } from '../../../web/src/requests/decide/use-decision-keys.tsx';
import { mayDecide, type DecisionFacts } from '../../../web/src/requests/decide/decision-table.ts';

const yes = { allowed: true, refusal: null };
const no = { allowed: false, refusal: 'has-voted' } as const;
const steps = ['vote', 'cancel', 'extend', 'withdrawVote', 'revoke', 'edit', 'addApprover'] as const;
const more = ['watch', 'comment', 'inquire', 'postpone', 'breakGlass', 'reviewBreakGlass', 'reviewLookBack'] as const;
const each = (permission: typeof yes | typeof no) =>
  Object.fromEntries([...steps, ...more].map((step) => [step, permission])) as DecisionFacts['can'];
const all = each(yes);
const calm: DecisionFacts = {
  can: all,
  stages: [],
  unread: 0,
  isCardUnseen: false,
  isChanged: false,
  secondsLeft: 0,
  pauseLeft: 0,
  isForAbsent: false,
  isSending: false,
};

const refused = (facts: Partial<DecisionFacts>) =>
  Object.entries(mayDecide({ ...calm, ...facts }))
    .filter(([, permission]) => !permission.allowed)
    .map(([step]) => step);
const everything = Object.keys(mayDecide(calm));

describe('the table of what may be pressed', () => {
  test.each([
    ['nothing stands against it', {}, []],
    ['a part was not on the screen yet (AI-03)', { unread: 1 }, ['approve', 'breakGlass']],
    ['the sheet with the buttons was not seen whole', { isCardUnseen: true }, ['approve']],
    ['they approved too fast', { pauseLeft: 90 }, ['approve']],
    ['it was shown too short a time ago (AI-21)', { secondsLeft: 3 }, ['approve', 'breakGlass']],
    [
      'the request changed under the reader',
      { isChanged: true },
      ['approve', 'decline', 'cancel', 'edit', 'addApprover', 'inquire', 'postpone', 'breakGlass'],
    ],
    ['a step is on its way', { isSending: true }, everything],
    ['this person may not vote', { can: { ...all, vote: no } }, ['approve', 'decline']],
    ['this person votes for someone absent', { can: { ...all, vote: no }, isForAbsent: true }, []],
    ['this person may do nothing but vote', { can: { ...each(no), vote: yes } }, everything.slice(2)],
  ] satisfies [string, Partial<DecisionFacts>, string[]][])('when %s', (_, facts, stopped) => {
    expect(refused(facts)).toEqual(stopped);
  });

  test('every disabled button says why', () => {
    const facts = { ...calm, can: each(no), unread: 2, isChanged: true, isSending: true };
    for (const { reason } of Object.values(mayDecide(facts))) expect(reason).toBe('You’ve already voted.');
    expect(mayDecide({ ...calm, unread: 2 }).approve.reason).toContain('not all of it was on your screen');
  });
});

describe('if another stage or group must decide', () => {
  const later = { ...all, vote: { allowed: false, refusal: 'other-stage' } } as const;
  const stage = (names: string[] | null, state: 'current' | 'waiting' = 'current') => ({
    name: 'Stage',
    state,
    complete: 'all' as const,
    added: false,
    groups: [
      {
        name: 'Group',
        meaning: 'approved' as const,
        have: 0,
        need: 1,
        refusals: 0,
        deny: 1,
        open: names && names.map((name) => ({ id: `usr_${name}` as UserId, name })),
      },
    ],
  });
  const reasonOf = (...stages: DecisionFacts['stages']) => mayDecide({ ...calm, can: later, stages }).approve.reason;

  test('the people it waits for are named, with the stage if there are several', () => {
    expect(reasonOf(stage(['Max Manager']), stage(['Fay'], 'waiting'))).toBe('Waiting for Max Manager (stage 1 of 2).');
    expect(reasonOf(stage(['Max', 'Fay']))).toBe('Waiting for Max or Fay.');
  });

  test('no one is named if anyone may, or it has ended', () => {
    for (const stages of [[], [stage(null)], [stage([])]])
      expect(reasonOf(...stages)).toBe('This stage is for other approvers.');
  });
});

describe('one key never decides', () => {
  const limits = { risk: 'medium', mayApprove: true, mayDecline: true } as const;

  test.each([
    [null, 'a', { armed: 'approve', decided: null }],
    [null, 'd', { armed: 'decline', decided: null }],
    [null, 'y', { armed: null, decided: null }],
    ['approve', 'y', { armed: null, decided: 'approve' }],
    ['decline', 'y', { armed: null, decided: 'decline' }],
    ['approve', 'd', { armed: 'decline', decided: null }],
    ['approve', 'Escape', { armed: null, decided: null }],
    ['approve', 'x', { armed: null, decided: null }],
  ] as const)('armed %s, then %s', (armed, key, step) => {
    expect(pressDecisionKey(armed, key, limits)).toEqual({ ...step, focused: null });
  });

  test.each([
    ['a', 'approve'],
    ['d', 'decline'],
    ['y', null],
  ])('at high risk %s only leads to the button', (key, focused) => {
    const step = pressDecisionKey(null, key, { ...limits, risk: 'high' });
    expect(step).toEqual({ armed: null, decided: null, focused });
  });

  test('a key does not arm a button that may not be pressed', () => {
    expect(pressDecisionKey(null, 'a', { ...limits, mayApprove: false }).armed).toBeNull();
    expect(pressDecisionKey(null, 'd', { ...limits, mayDecline: false }).armed).toBeNull();
  });
});
