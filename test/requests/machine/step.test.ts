import { describe, expect, test } from '@jest/globals';
import type { ElicitationInput } from '#requests/machine/rules/machine';
import { begin, dueTimer, refusal, step, type Step, type StepEvent } from '#requests/machine/rules/step';
import type { Escalation } from '#requests/voting/contract/stages';
import { stageOf } from '../../support/requests/stages.ts';

const minute = 60_000;
const addsBoss: Escalation = {
  steps: [{ after: minute, mode: 'add', approvers: ['boss'] }],
  loops: 1,
  end: 'wait',
};
const approvers: ElicitationInput = {
  audience: 'approvers',
  mode: 'form',
  stages: [stageOf()],
  openedAt: 0,
  deadlineAt: 10 * minute,
  onTimeout: 'expire',
  notBefore: null,
  reminders: [],
};
const requester: ElicitationInput = { ...approvers, audience: 'requester', stages: [] };

/** Stores and restores between any two steps, as the rows do. */
function play(input: ElicitationInput, events: StepEvent[]): Step {
  const stored = (step: Step): Step => JSON.parse(JSON.stringify(step)) as Step;
  return events.reduce((before, event) => stored(step(before.state, event)), stored(begin(input)));
}

const vote = (by: string, action: 'accept' | 'decline', at = 1): StepEvent => ({ type: 'vote', by, action, at });
const expire = (state: Step['state']): StepEvent => {
  const timer = dueTimer(state, Number.MAX_SAFE_INTEGER);
  if (!timer) throw new TypeError('no timer is set');
  return { type: 'timer', ...timer };
};

describe('the approvers audience', () => {
  test('one vote decides if one is needed', () => {
    expect(play(approvers, [vote('a', 'accept')])).toMatchObject({ status: 'accepted', topic: 'closed' });
    expect(play(approvers, [vote('a', 'decline')])).toMatchObject({ status: 'declined', topic: 'closed' });
  });

  test('P3: a quorum counts distinct persons, and a second vote of one person is refused', () => {
    const two = { ...approvers, stages: [stageOf({ approve: 2, deny: 2 })] };
    const once = play(two, [vote('a', 'accept')]);
    expect(once).toMatchObject({ status: 'open', topic: 'changed' });
    expect(() => step(once.state, vote('a', 'accept'))).toThrowProblem('already-voted');
    expect(() => step(once.state, vote('a', 'decline'))).toThrowProblem('already-voted');
    expect(play(two, [vote('a', 'accept'), vote('b', 'decline'), vote('c', 'accept')]).status).toBe('accepted');
    expect(play(two, [vote('a', 'accept'), vote('b', 'decline'), vote('c', 'decline')]).status).toBe('declined');
  });

  test('P5: stages are taken in order, and each counts its own votes', () => {
    const staged = {
      ...approvers,
      stages: [stageOf({ approvers: ['manager'] }), stageOf({ approve: 2, approvers: ['f1', 'f2', 'f3'] })],
    };
    expect(() => play(staged, [vote('f1', 'accept')])).toThrowProblem('not-now');
    const second = play(staged, [vote('manager', 'accept')]);
    expect(second.state.context).toMatchObject({ stage: 1 });
    expect(() => step(second.state, vote('manager', 'accept'))).toThrowProblem('not-now');
    expect(play(staged, [vote('manager', 'accept'), vote('f1', 'accept'), vote('f3', 'accept')]).status).toBe(
      'accepted',
    );
  });

  test('P9: an escalation adds approvers when its timer is due, and leaves with its stage', () => {
    const escalating = {
      ...approvers,
      stages: [stageOf({ approvers: ['a'], escalation: addsBoss }), stageOf({ approvers: ['z'] })],
    };
    const opened = begin(escalating);
    expect(dueTimer(opened.state, Infinity)?.at).toBe(minute);
    expect(refusal(opened.state, vote('boss', 'accept'))).toBe('not-now');
    const escalated = step(opened.state, expire(opened.state));
    expect(escalated.topic).toBe('escalated');
    expect(dueTimer(escalated.state, Infinity)?.at).toBe(10 * minute);
    expect(step(escalated.state, vote('boss', 'accept')).state.context.stage).toBe(1);
    const remaining = step(opened.state, vote('a', 'accept'));
    expect(remaining.state.timers.map(({ at }) => at)).toEqual([10 * minute]);
  });

  test('the requester cannot answer for the approvers', () => {
    const { state } = begin(approvers);
    expect(refusal(state, { type: 'answer', action: 'accept', at: 1 })).toBe('not-now');
    expect(refusal(state, { type: 'callback', action: 'accept', at: 1 })).toBe('not-now');
  });
});

describe('the requester audience', () => {
  test.each([
    ['accept', 'accepted'],
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ] as const)('%s ends it as %s', (action, status) => {
    expect(play(requester, [{ type: 'answer', action, at: 1 }]).status).toBe(status);
  });

  test('an approver cannot vote on it', () => {
    expect(refusal(begin(requester).state, vote('a', 'accept'))).toBe('not-now');
  });

  test('X-06: in URL mode accept is consent; the callback decides', () => {
    const url = { ...requester, mode: 'url' as const };
    const consented = play(url, [{ type: 'answer', action: 'accept', at: 1 }]);
    expect(consented.status).toBe('open');
    expect(step(consented.state, { type: 'callback', action: 'accept', at: 2 }).status).toBe('accepted');
    expect(play(url, [{ type: 'answer', action: 'decline', at: 1 }]).status).toBe('declined');
  });
});

describe('time', () => {
  test('P11: the deadline expires it and can only be moved later', () => {
    const { state } = begin(approvers);
    expect(step(state, expire(state))).toMatchObject({ status: 'expired', topic: 'closed' });
    expect(() => step(state, { type: 'extend', at: 1, deadlineAt: 5 * minute })).toThrowProblem('not-now');
    const extended = step(state, { type: 'extend', at: minute, deadlineAt: 20 * minute });
    expect(extended.state.timers.map(({ at }) => at)).toEqual([20 * minute]);
  });

  test('P10 reminders that are due together come as one, and those to come stay', () => {
    const opened = begin({ ...approvers, reminders: [minute, 2 * minute, 3 * minute, 4 * minute] });
    const key = opened.state.timers.find(({ at }) => at === minute)?.key ?? '';
    const { state, topic } = step(opened.state, { type: 'timer', key, at: 3 * minute });
    expect([topic, state.context.reminders]).toEqual(['reminder', [4 * minute]]);
    expect(state.timers.map(({ at }) => at)).toContain(4 * minute);
    expect(dueTimer(state, 4 * minute - 1)).toBeNull();
  });

  test('P10 reminders come in order and leave the deadline alone', () => {
    let next = begin({ ...approvers, reminders: [minute, 2 * minute] });
    const values: [string, number][] = [];
    while (next.status === 'open') {
      const event = expire(next.state);
      next = step(next.state, event);
      values.push([next.topic, event.at]);
    }
    expect(values).toEqual([
      ['reminder', minute],
      ['reminder', 2 * minute],
      ['closed', 10 * minute],
    ]);
  });
});

describe('the caller', () => {
  test('a lost caller is shown as lost and may come back; nothing is decided by it', () => {
    const gone = play(approvers, [{ type: 'caller', state: 'gone', at: 1 }]);
    expect(gone).toMatchObject({ status: 'open', state: { context: { caller: 'gone' } } });
    const back = step(gone.state, { type: 'caller', state: 'waiting', at: 2 });
    expect(back.state.context.caller).toBe('waiting');
    expect(step(back.state, vote('a', 'accept')).status).toBe('accepted');
  });
});

test.each(['accepted', 'declined', 'cancelled', 'expired'] as const)(
  'once %s, nothing moves and no timer is left',
  (end) => {
    const { state } = begin(approvers);
    const last = {
      accepted: vote('a', 'accept'),
      declined: vote('a', 'decline'),
      cancelled: { type: 'cancel', cause: 'admin', at: 1 } as const,
      expired: expire(state),
    }[end];
    const closed = step(state, last);
    expect(closed.status).toBe(end);
    expect(closed.state.timers).toEqual([]);
    for (const event of [vote('b', 'accept'), last, { type: 'extend', at: 2, deadlineAt: 99 * minute } as const]) {
      expect(() => step(closed.state, event)).toThrowProblem('already-closed');
    }
  },
);
