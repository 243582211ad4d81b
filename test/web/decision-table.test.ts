import { describe, expect, test } from '@jest/globals';
import { pressDecisionKey } from '../../web/src/lib/decision-keys.ts';
import { mayDecide, type DecisionFacts } from '../../web/src/lib/decision-table.ts';

const yes = { allowed: true, reason: null };
const no = { allowed: false, reason: 'You have already voted.' };
const all: DecisionFacts['can'] = { vote: yes, cancel: yes, extend: yes };
const calm: DecisionFacts = { can: all, unopened: 0, isChanged: false, isSending: false };

const allowed = (facts: Partial<DecisionFacts>) =>
  Object.entries(mayDecide({ ...calm, ...facts }))
    .filter(([, permission]) => permission.allowed)
    .map(([verb]) => verb);

describe('the table of what may be pressed', () => {
  test.each([
    ['nothing stands against it', {}, ['approve', 'decline', 'cancel', 'extend']],
    ['a long value is unopened (AI-03)', { unopened: 1 }, ['decline', 'cancel', 'extend']],
    ['the request changed under the reader', { isChanged: true }, ['extend']],
    ['a step is on its way', { isSending: true }, []],
    ['this person may not vote', { can: { ...all, vote: no } }, ['cancel', 'extend']],
    ['this person may not end it', { can: { vote: yes, cancel: no, extend: no } }, ['approve', 'decline']],
  ] satisfies [string, Partial<DecisionFacts>, string[]][])('when %s', (_, facts, verbs) => {
    expect(allowed(facts)).toEqual(verbs);
  });

  test('whatever may not be pressed says why', () => {
    const refused = mayDecide({
      can: { vote: no, cancel: no, extend: no },
      unopened: 2,
      isChanged: true,
      isSending: true,
    });
    for (const { reason } of Object.values(refused)) expect(reason).toBe(no.reason);
    expect(mayDecide({ ...calm, unopened: 2 }).approve.reason).toContain('2 long values');
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
    expect(pressDecisionKey(armed, key, limits)).toEqual(step);
  });

  test.each(['a', 'd', 'y'])('%s does nothing where the risk is high', (key) => {
    expect(pressDecisionKey('approve', key, { ...limits, risk: 'high' })).toEqual({ armed: null, decided: null });
  });

  test('a key does not arm what may not be pressed', () => {
    expect(pressDecisionKey(null, 'a', { ...limits, mayApprove: false }).armed).toBeNull();
    expect(pressDecisionKey(null, 'd', { ...limits, mayDecline: false }).armed).toBeNull();
  });
});
