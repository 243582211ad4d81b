import { describe, expect, test } from '@jest/globals';
import type { ElicitationInput } from '#requests/machine/rules/machine';
import { begin, dueTimer, isScheduled, refusal, step, type Step, type StepEvent } from '#requests/machine/rules/step';
import type { Escalation } from '#requests/voting/contract/stages';
import { groupOf, stageOf } from '../../support/requests/stages.ts';

const minute = 60_000;
const input: ElicitationInput = {
  audience: 'approvers',
  mode: 'form',
  stages: [stageOf({ approvers: ['a', 'b'], approve: 2 }), stageOf({ approvers: ['c', 'd'] })],
  openedAt: 0,
  deadlineAt: 100 * minute,
  onTimeout: 'expire',
  notBefore: null,
  reminders: [],
};

/** Stores and restores between any two steps, as the rows do; each event comes a millisecond after the other. */
function play(parts: Partial<ElicitationInput>, ...events: Untimed[]): Step {
  return go(begin({ ...input, ...parts }), ...events);
}

function go(from: Step, ...events: Untimed[]): Step {
  return events.reduce((before, event) => {
    const state = JSON.parse(JSON.stringify(before.state)) as Step['state'];
    return step(state, { at: state.context.now + 1, ...event } as StepEvent);
  }, from);
}

type Untimed = StepEvent extends infer E ? (E extends unknown ? Omit<E, 'at'> : never) : never;

const yes = (by: string, absent?: string): Untimed => ({ type: 'vote', by, for: absent, action: 'accept' });
const no = (by: string): Untimed => ({ type: 'vote', by, action: 'decline' });
const refused = ({ state }: Step, event: Untimed) =>
  refusal(state, { at: state.context.now + 1, ...event } as StepEvent);

/** Lets time pass until the next timer. */
function wait(next: Step): Step {
  const timer = dueTimer(next.state, Number.MAX_SAFE_INTEGER);
  if (!timer) throw new TypeError('no timer is set');
  return step(next.state, { type: 'timer', ...timer });
}

describe('groups', () => {
  const groups = [groupOf({ approvers: ['a', 'b'] }), groupOf({ approvers: ['a', 'c'] })];

  test('P5 all of a stage are needed, by distinct persons', () => {
    const stages = [stageOf({ groups })];
    expect(play({ stages }, yes('a')).status).toBe('open');
    expect(play({ stages }, yes('a'), yes('c')).status).toBe('accepted');
    expect(play({ stages }, yes('b'), no('c')).status).toBe('declined');
  });

  test('P5 any of a stage is enough, and only the refusal of each ends it', () => {
    const stages = [stageOf({ groups, complete: 'any' })];
    expect(play({ stages }, yes('a')).status).toBe('accepted');
    expect(play({ stages }, no('b'), yes('c')).status).toBe('accepted');
    expect(play({ stages }, no('b'), no('c')).status).toBe('declined');
  });
});

describe('separation of duties', () => {
  test("P8 a delegate's vote is for one person, and counts for both", () => {
    const once = play({}, yes('x', 'a'));
    expect(once.state.context.votes).toMatchObject([{ by: 'x', for: 'a' }]);
    expect(refused(once, yes('a'))).toBe('already-voted');
    expect(refused(once, yes('x', 'b'))).toBe('already-voted');
    expect(refused(once, yes('b', 'x'))).toBe('already-voted');
    expect(go(once, yes('b')).state.context.stage).toBe(1);
  });

  test('P8 neither side of a delegation may be excluded', () => {
    const opened = play({ stages: [stageOf({ approvers: ['a', 'b', 'r'], excluded: ['r'] })] });
    for (const vote of [yes('r'), yes('r', 'a'), yes('b', 'r')]) expect(refused(opened, vote)).toBe('not-now');
    expect(refused(opened, yes('r', 'b'))).toBe('not-now');
  });

  test('P7 if voters must be fresh, someone who voted in an earlier stage is refused', () => {
    const stages = [stageOf(), stageOf({ freshVoters: true })];
    const second = play({ stages }, yes('x', 'a'));
    for (const vote of [yes('x'), yes('a'), yes('b', 'a'), yes('x', 'b')])
      expect(refused(second, vote)).toBe('already-voted');
    expect(go(second, yes('b')).status).toBe('accepted');
    expect(play({ stages: [stageOf(), stageOf()] }, yes('a'), yes('a')).status).toBe('accepted');
  });
});

describe('P9 an escalation', () => {
  const escalating = (parts: Partial<Escalation>) => ({
    stages: [
      stageOf({
        approvers: ['a', 'b'],
        approve: 2,
        escalation: {
          steps: [
            { after: minute, mode: 'add', approvers: ['c'] },
            { after: 5 * minute, mode: 'replace', approvers: ['boss'] },
          ],
          loops: 2,
          end: 'wait',
          ...parts,
        },
      }),
    ],
  });
  const users = ({ state }: Step) => state.context.stages[0]?.groups[0]?.approvers;

  test('adds and replaces at its times, in rounds, and then waits', () => {
    const values: unknown[] = [];
    for (let step = play(escalating({})); step.status === 'open'; step = wait(step)) {
      values.push([step.state.context.now / minute, step.topic, users(step)]);
    }
    expect(values).toEqual([
      [0, 'opened', ['a', 'b']],
      [1, 'escalated', ['a', 'b', 'c']],
      [5, 'escalated', ['boss']],
      [6, 'escalated', ['boss', 'c']],
      [10, 'escalated', ['boss']],
    ]);
  });

  test('ends in a refusal where that is said, after the last step had its time', () => {
    let step = play(escalating({ loops: 1, end: 'deny' }));
    while (step.status === 'open') step = wait(step);
    expect([step.status, step.state.context.now / minute]).toEqual(['declined', 9]);
  });

  test('keeps anyone who has voted, and their vote', () => {
    const replaced = wait(wait(play(escalating({}), yes('a'))));
    expect(users(replaced)).toEqual(['a', 'boss']);
    expect(go(replaced, yes('boss')).status).toBe('accepted');
  });

  test('keeps anyone for whom a delegate has voted', () => {
    const replaced = wait(wait(play(escalating({}), yes('x', 'a'))));
    expect(users(replaced)).toEqual(['a', 'boss']);
    expect(go(replaced, yes('boss')).status).toBe('accepted');
  });

  describe('with a stage of its own', () => {
    const boss = {
      name: 'Boss',
      complete: 'any' as const,
      groups: [groupOf({ approvers: ['boss', 'a'], approve: 1 })],
    };
    const replacing = (more: Partial<Escalation> = {}, steps: Escalation['steps'] = []) => ({
      stages: [
        stageOf({
          name: 'Two',
          approvers: ['a', 'b'],
          approve: 2,
          excluded: ['z'],
          escalation: {
            steps: [{ after: minute, mode: 'stage', approvers: ['boss', 'a'], stage: boss }, ...steps],
            loops: 1,
            end: 'wait',
            ...more,
          },
        }),
      ],
    });

    test('puts it in the place of the stage, whose votes count no longer', () => {
      const replaced = wait(play(replacing(), yes('b')));
      expect(replaced.topic).toBe('escalated');
      expect(replaced.state.context).toMatchObject({
        stage: 0,
        votes: [],
        stages: [{ ...boss, excluded: ['z'], replacement: { step: 0, since: [] } }],
      });
      expect(refused(replaced, yes('b'))).toBe('not-now');
      expect(go(replaced, yes('a')).status).toBe('accepted');
    });

    test('and no one whom the stage excludes votes in it', () => {
      const [stage] = replacing().stages;
      const replaced = wait(play({ stages: [{ ...stage!, excluded: ['boss'] }] }));
      expect(refused(replaced, yes('boss'))).toBe('not-now');
    });

    test('can be added to by a later step, and comes again in a later round without votes', () => {
      const adding = replacing({ loops: 2 }, [{ after: 2 * minute, mode: 'add', approvers: ['c'] }]);
      const added = wait(wait(play(adding)));
      expect(users(added)).toEqual(['boss', 'a', 'c']);
      expect(added.state.context.stages[0]?.replacement).toEqual({ step: 0, since: [1] });
      const again = wait(added);
      expect([users(again), again.state.context.stages[0]?.replacement]).toEqual([
        ['boss', 'a'],
        { step: 0, since: [] },
      ]);
    });

    test('is as hollow as any other if it could be complete without a vote', () => {
      const [stage] = replacing().stages;
      const [step] = stage!.escalation!.steps;
      const hollow = { ...step!, stage: { ...boss, groups: [] } };
      const stages = [{ ...stage!, escalation: { ...stage!.escalation!, steps: [hollow] } }];
      expect(() => play({ stages })).toThrowProblem('internal');
    });
  });

  test('starts again with each stage', () => {
    const [stage] = escalating({ loops: 1 }).stages;
    const second = wait(go(wait(play({ stages: [stage!, stage!] })), yes('a'), yes('b')));
    expect(second.state.context).toMatchObject({ stage: 1, escalated: 1 });
    expect(second.state.context.now).toBeGreaterThan(2 * minute);
  });
});

describe('P11 the deadline', () => {
  test.each(['expire', 'deny'] as const)('can only %s it', (onTimeout) => {
    expect(wait(play({ onTimeout }, yes('a'))).status).toBe(onTimeout === 'deny' ? 'declined' : 'expired');
  });
});

describe('P17 a start time', () => {
  const notBefore = 30 * minute;

  test('is waited for when all is approved; no one votes any more', () => {
    const approved = play({ notBefore }, yes('a'), yes('b'), yes('c'));
    expect([approved.status, isScheduled(approved.state)]).toEqual(['open', true]);
    expect(refused(approved, yes('d'))).toBe('not-now');
    const started = wait(approved);
    expect([started.status, started.state.context.now]).toEqual(['accepted', notBefore]);
  });

  test('that has passed is not a start to wait for', () => {
    expect(play({ notBefore: 1 }, yes('a'), yes('b'), yes('c')).status).toBe('accepted');
  });

  test('moves later, before and after the approval, and never beyond the deadline', () => {
    const opened = play({ notBefore });
    const later = (to: number): Untimed => ({ type: 'postpone', by: 'a', notBefore: to });
    expect(refused(opened, later(notBefore))).toBe('not-now');
    expect(refused(opened, later(input.deadlineAt))).toBe('not-now');
    expect(refused(opened, { type: 'postpone', by: 'eve', notBefore: notBefore + 1 })).toBe('not-now');
    const approved = go(opened, later(40 * minute), yes('a'), yes('b'), yes('c'));
    const moved = go(approved, { type: 'postpone', by: 'c', notBefore: 50 * minute });
    expect(wait(moved)).toMatchObject({ status: 'accepted', state: { context: { now: 50 * minute } } });
  });
});

describe('an approval that can be taken back for a while', () => {
  const undo = 8_000;
  const stages = [stageOf({ approvers: ['a', 'b'], approve: 1 })];

  test('releases nothing until that while is over', () => {
    const approved = play({ stages, undo }, yes('a'));
    expect([approved.status, isScheduled(approved.state)]).toEqual(['open', true]);
    expect(refused(approved, yes('b'))).toBe('not-now');
    expect(wait(approved)).toMatchObject({ status: 'accepted', state: { context: { now: undo + 1 } } });
  });

  test('is open again once it is taken back, and the next approval waits as long', () => {
    const next = play({ stages, undo }, yes('a'), { type: 'withdraw', by: 'a' });
    expect([next.status, isScheduled(next.state), next.state.context.votes]).toEqual(['open', false, []]);
    const again = step(next.state, { type: 'vote', by: 'b', action: 'accept', at: minute });
    expect(wait(again)).toMatchObject({ status: 'accepted', state: { context: { now: minute + undo } } });
  });

  test('waits for its start as well, and never beyond the deadline', () => {
    const scheduled = play({ stages, undo, notBefore: 5 * minute }, yes('a'));
    expect(wait(scheduled).state.context.now).toBe(5 * minute);
    const late = step(begin({ ...input, stages, undo }).state, {
      type: 'vote',
      by: 'a',
      action: 'accept',
      at: input.deadlineAt - 2_000,
    });
    expect(wait(late)).toMatchObject({ status: 'accepted', state: { context: { now: input.deadlineAt - 1 } } });
  });
});

describe('P30 a withdrawn vote', () => {
  test('no longer counts, and may be cast again', () => {
    const step = play({}, yes('a'), { type: 'withdraw', by: 'a' });
    expect(step.state.context.votes).toEqual([]);
    expect(refused(step, { type: 'withdraw', by: 'a' })).toBe('not-now');
    expect(go(step, yes('b')).state.context.stage).toBe(0);
    expect(go(step, yes('b'), no('a')).status).toBe('declined');
  });

  test('opens its stage again if that is no longer complete; later votes are void', () => {
    const stages = [stageOf({ approvers: ['a'] }), stageOf({ approve: 2 })];
    const step = play({ stages }, yes('a'), yes('b'), { type: 'withdraw', by: 'a' });
    expect(step.state.context).toMatchObject({ stage: 0, votes: [] });
    expect(go(step, yes('a'), yes('b'), yes('c')).status).toBe('accepted');
  });

  test('opens what is approved and waits for its start', () => {
    const approved = play({ notBefore: 30 * minute }, yes('a'), yes('b'), yes('c'));
    const step = go(approved, { type: 'withdraw', by: 'c' });
    expect([isScheduled(step.state), step.state.context.stage]).toEqual([false, 1]);
    expect(wait(step).status).toBe('expired');
    expect(isScheduled(go(step, yes('d')).state)).toBe(true);
  });

  describe('that held up a group, where any of them is enough,', () => {
    const groups = [groupOf({ approvers: ['a', 'b', 'x'], approve: 2 }), groupOf({ approvers: ['d'] })];
    const any = stageOf({ groups, complete: 'any' });
    const back: Untimed = { type: 'withdraw', by: 'x' };
    const heldUp = [no('x'), yes('a'), yes('b')];

    test('accepts where it was the last, waits for its start, or goes on to the next stage', () => {
      expect(play({ stages: [any] }, ...heldUp).status).toBe('open');
      expect(play({ stages: [any] }, ...heldUp, back).status).toBe('accepted');
      const scheduled = play({ stages: [any], notBefore: 30 * minute }, ...heldUp, back);
      expect([scheduled.status, isScheduled(scheduled.state)]).toEqual(['open', true]);
      const next = stageOf({ approvers: ['new'] });
      const second = play({ stages: [any, stageOf()] }, ...heldUp, { ...back, next } as Untimed);
      expect(second.state.context).toMatchObject({ stage: 1, stages: [{}, next] });
      expect(go(second, yes('new')).status).toBe('accepted');
    });

    test('goes on only where nothing else is missing, and by no one else', () => {
      expect(play({ stages: [any] }, no('x'), yes('a'), back).status).toBe('open');
      expect(refused(play({ stages: [any] }, ...heldUp), { type: 'withdraw', by: 'd' })).toBe('not-now');
      const voided = play({ stages: [any] }, ...heldUp, { type: 'void', user: 'x' });
      expect(refused(voided, { type: 'withdraw', by: 'd' })).toBe('not-now');
    });
  });

  test('leaves the stage if it was not needed', () => {
    const groups = [groupOf({ approvers: ['a'] }), groupOf({ approvers: ['b'] })];
    const stages = [stageOf({ groups: [groupOf({ approvers: ['a', 'x'] }), ...groups.slice(1)] }), stageOf()];
    const second = play({ stages }, yes('a'), yes('x'), yes('b'));
    expect(go(second, { type: 'withdraw', by: 'x' }).state.context.stage).toBe(1);
  });
});

describe('AI-14 someone who can no longer vote', () => {
  const lost = (user: string): Untimed => ({ type: 'void', user });

  test.each([
    ['as voter', yes('a')],
    ['as whom someone stood in for', yes('x', 'a')],
    ['with a refusal', no('a')],
  ])('has no vote %s', (_name, vote) => {
    const stages = [stageOf({ approvers: ['a', 'b', 'c'], approve: 2, deny: 2 })];
    const voided = go(play({ stages }, vote), lost('a'));
    expect(voided.state.context.votes).toEqual([]);
    expect(refused(voided, lost('a'))).toBe('not-now');
    expect(go(voided, yes('b')).status).toBe('open');
    expect(go(voided, yes('b'), yes('c')).status).toBe('accepted');
  });

  test('opens the first stage that they leave incomplete, and what waits for its start', () => {
    const stages = [stageOf({ approvers: ['a', 'c'] }), stageOf()];
    const approved = play({ stages, notBefore: 30 * minute }, yes('a'), yes('a'));
    expect(isScheduled(approved.state)).toBe(true);
    const voided = go(approved, lost('a'));
    expect([isScheduled(voided.state), voided.state.context]).toMatchObject([false, { stage: 0, votes: [] }]);
    expect(wait(voided).status).toBe('expired');
    expect(isScheduled(go(voided, yes('c'), yes('b')).state)).toBe(true);
  });

  test('approves nothing by a refusal that is void; the next approval does, and no refusal', () => {
    const groups = [groupOf({ approvers: ['a', 'b', 'c'], approve: 2 }), groupOf({ approvers: ['d'], approve: 1 })];
    const full = play({ stages: [stageOf({ groups, complete: 'any' })] }, no('a'), yes('b'), yes('c'), lost('a'));
    expect(full.status).toBe('open');
    expect(go(full, no('d')).status).toBe('open');
    expect(go(full, yes('d')).status).toBe('accepted');
  });
});

describe('P21 an edit', () => {
  const edit = (by: string, stages = input.stages): Untimed => ({ type: 'edit', by, stages });

  test('begins again without votes, and keeps the deadline', () => {
    const edited = play({}, yes('a'), yes('b'), edit('c'));
    expect(edited.state.context).toMatchObject({ revision: 2, stage: 0, votes: [], deadlineAt: input.deadlineAt });
    expect(go(edited, yes('a'), yes('b'), yes('c')).status).toBe('accepted');
  });

  test('is only for approvers of the stage, and needs stages', () => {
    for (const event of [edit('c'), edit('eve'), edit('a', [])]) expect(refused(play({}), event)).toBe('not-now');
    const requester = play({ audience: 'requester', stages: [] });
    expect(refused(requester, edit('a'))).toBe('not-now');
  });

  test('is too late once all is approved', () => {
    const approved = play({ notBefore: 30 * minute }, yes('a'), yes('b'), yes('c'));
    expect(refused(approved, edit('c'))).toBe('not-now');
  });
});

describe('P23 an added approver', () => {
  const add = (by: string, user: string): Untimed => ({ type: 'addApprover', by, user });

  test('comes after the current stage, and takes no one away', () => {
    const added = play({}, add('a', 'z'), yes('a'), yes('b'));
    expect(added.state.context).toMatchObject({ stage: 1, stages: [{}, { added: 'z' }, {}] });
    expect(refused(added, yes('c'))).toBe('not-now');
    expect(go(added, yes('z')).status).toBe('open');
    expect(go(added, yes('z'), yes('c')).status).toBe('accepted');
    expect(go(added, no('z')).status).toBe('declined');
  });

  test('stays when the question is edited', () => {
    const edited = play({}, add('a', 'z'), { type: 'edit', by: 'a', stages: input.stages });
    expect(edited.state.context.stages.map(({ added }) => added)).toEqual([undefined, undefined, 'z']);
  });

  test('is refused from outside, twice, and where the person is kept out', () => {
    const opened = play({ stages: [stageOf({ excluded: ['r'] })] });
    expect(refused(opened, add('r', 'z'))).toBe('not-now');
    expect(refused(opened, add('a', 'r'))).toBe('not-now');
    expect(refused(go(opened, add('a', 'z')), add('b', 'z'))).toBe('not-now');
    expect(refused(play({}), add('eve', 'z'))).toBe('not-now');
  });
});

describe('P22 what is said', () => {
  test('of a question to the requester one is open at a time, and it keeps no one from voting', () => {
    const opened = play({}, { type: 'inquire', by: 'a', remark: 'rem_1' });
    expect(opened).toMatchObject({ topic: 'inquired', state: { context: { inquiry: 'rem_1', remarks: 1 } } });
    expect(refused(opened, { type: 'inquire', by: 'b', remark: 'rem_2' })).toBe('not-now');
    expect(go(opened, yes('a'), yes('b'), yes('c')).status).toBe('accepted');
    const step = go(opened, { type: 'inform' });
    expect(step.state.context).toMatchObject({ inquiry: null, remarks: 2 });
    expect(refused(step, { type: 'inform' })).toBe('not-now');
  });

  test('has an end', () => {
    const many = go(play({}), ...Array.from({ length: 200 }, (): Untimed => ({ type: 'remark' })));
    expect(refused(many, { type: 'remark' })).toBe('not-now');
  });
});

test('a watch is a hint for a while, and keeps no one from voting', () => {
  const watch = (by: string, until: number | null): Untimed => ({ type: 'watch', by, until });
  const watched = play({}, watch('a', minute));
  expect(watched.state.context.watch).toEqual({ by: 'a', until: minute });
  expect(refused(watched, watch('b', minute))).toBe('not-now');
  expect(refused(watched, watch('b', null))).toBe('not-now');
  expect(refused(watched, watch('eve', minute))).toBe('not-now');
  expect(go(watched, watch('a', null), watch('b', minute)).state.context.watch?.by).toBe('b');
  expect(go(watched, yes('b'), yes('a'), yes('c')).status).toBe('accepted');
  expect(
    step(watched.state, { type: 'watch', by: 'b', until: 3 * minute, at: 2 * minute }).state.context.watch?.by,
  ).toBe('b');
});

describe('P24 emergency override', () => {
  test('accepts at once and says so, but not by whom a stage keeps out', () => {
    const opened = play({ stages: [stageOf({ approvers: ['a'], excluded: ['r'] })], notBefore: 30 * minute });
    const broken = go(opened, { type: 'breakGlass', by: 'ops' });
    expect(broken).toMatchObject({ status: 'accepted', topic: 'closed', alerts: ['break-glass'] });
    expect(broken.state.context.breakGlassBy).toBe('ops');
    expect(refused(opened, { type: 'breakGlass', by: 'r' })).toBe('not-now');
    expect(refused(play({ audience: 'requester', stages: [] }), { type: 'breakGlass', by: 'ops' })).toBe('not-now');
  });
});

test('the following stage may have other persons when it starts; an added one stays as it is', () => {
  const next = stageOf({ approvers: ['new'] });
  const vote: Untimed = { type: 'vote', by: 'b', action: 'accept', next };
  const second = play({}, yes('a'), vote);
  expect(second.state.context.stages[1]).toEqual(next);
  const added = play({}, { type: 'addApprover', by: 'a', user: 'z' }, yes('a'), vote);
  expect(added.state.context.stages[1]?.added).toBe('z');
});

test.each([
  ['no groups', stageOf({ groups: [] })],
  ['a group that needs no one', stageOf({ groups: [groupOf(), groupOf({ approve: 0 })] })],
  ['a group that no one can refuse', stageOf({ deny: 0 })],
])('a stage with %s is refused wherever it comes from', (_name, hollow) => {
  expect(() => play({ stages: [hollow] })).toThrowProblem('internal');
  expect(() => play({ stages: [] })).toThrowProblem('internal');
  expect(() => play({}, { type: 'edit', by: 'a', stages: [hollow] })).toThrowProblem('internal');
  expect(() => play({}, { type: 'vote', by: 'a', action: 'accept', next: hollow })).toThrowProblem('internal');
});

test('a state of another machine is not guessed at', () => {
  const { state } = play({});
  expect(() => step({ ...state, version: 1 }, { type: 'remark', at: 1 })).toThrowProblem('unavailable');
});
