import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ElicitationInput, elicitationMachine } from '#requests/machine/rules/machine';
import {
  firstArrival,
  nextArrival,
  restore,
  type Arrival,
  type Place,
  begin,
  dueTimer,
  isScheduled,
  refusal,
  step,
  type Step,
  type StepEvent,
  firstTransition,
  nextTransition,
  type MachineEvent,
} from '#requests/machine/rules/step';
import { usersOf, verdictOf, type Ballot, type Stage } from '#requests/voting/contract/stages';
import { runs } from '../../support/runs.ts';
import { fitsSeats } from '../../support/requests/seats.ts';
import { groupOf, stageOf } from '../../support/requests/stages.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const user = fc.constantFrom(...names);
const few = fc.subarray(names, { maxLength: 2 });
const count = fc.integer({ min: 1, max: 2 });
const group = fc
  .record({ approvers: fc.oneof(fc.constant('anyone' as const), fc.subarray(names)), approve: count, deny: count })
  .map(groupOf);
const inPlace = fc
  .record({
    name: fc.constant('In place'),
    groups: fc.array(group, { minLength: 1, maxLength: 2 }),
    complete: fc.constantFrom('all' as const, 'any' as const),
  })
  .map((own) => ({ mode: 'stage' as const, approvers: [], stage: own }));
const escalation = fc.record({
  steps: fc.tuple(
    fc
      .tuple(
        count,
        fc.oneof(fc.record({ mode: fc.constantFrom('add' as const, 'replace' as const), approvers: few }), inPlace),
      )
      .map(([after, brought]) => ({ after, ...brought })),
  ),
  loops: count,
  end: fc.constantFrom('wait' as const, 'deny' as const),
});
const stage = fc
  .record({
    groups: fc.array(group, { minLength: 1, maxLength: 2 }),
    complete: fc.constantFrom('all' as const, 'any' as const),
    excluded: few,
    freshVoters: fc.boolean(),
    escalation: fc.option(escalation, { nil: undefined }),
  })
  .map((parts) => stageOf(parts as Partial<Stage>));
const stages = fc.array(stage, { minLength: 1, maxLength: 3 });
const input: fc.Arbitrary<ElicitationInput> = stages.chain((some) =>
  fc.record({
    audience: fc.constantFrom('approvers' as const, 'approvers' as const, 'requester' as const),
    mode: fc.constant('form' as const),
    stages: fc.constant(some),
    openedAt: fc.constant(0),
    deadlineAt: fc.constant(1000),
    onTimeout: fc.constantFrom('expire' as const, 'deny' as const),
    notBefore: fc.option(fc.integer({ min: 1, max: 40 })),
    undo: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }) },
    ),
    reminders: fc.constant([5]),
  }),
);

type Untimed = StepEvent extends infer E ? (E extends unknown ? Omit<E, 'at'> : never) : never;

const ballot = fc.record({
  by: user,
  for: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: user }),
  next: fc.option(stage, { nil: undefined, freq: 1 }),
});
const accepting: fc.Arbitrary<Untimed> = ballot.map((vote) => ({ type: 'vote', action: 'accept', ...vote }));
const declining: fc.Arbitrary<Untimed> = ballot.map((vote) => ({ type: 'vote', action: 'decline', ...vote }));
const another: fc.Arbitrary<Untimed> = fc.oneof(
  fc.record({ type: fc.constant('withdraw' as const), by: user }),
  fc.record({ type: fc.constant('void' as const), user }),
  fc.record({ type: fc.constant('edit' as const), by: user, stages }),
  fc.record({ type: fc.constant('addApprover' as const), by: user, user }),
  fc.record({ type: fc.constant('watch' as const), by: user, until: fc.option(fc.integer({ min: 0, max: 50 })) }),
  fc.record({ type: fc.constant('inquire' as const), by: user, remark: fc.constant('rem') }),
  fc.constantFrom<Untimed>({ type: 'inform' }, { type: 'remark' }, { type: 'caller', state: 'gone' }),
  fc.record({ type: fc.constant('postpone' as const), by: user, notBefore: fc.integer({ min: 0, max: 60 }) }),
  fc.record({ type: fc.constant('extend' as const), deadlineAt: fc.integer({ min: 900, max: 1100 }) }),
);
/** Time runs on to the next timer. */
const wait: fc.Arbitrary<'wait'> = fc.constant('wait');
const play = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: accepting },
    { weight: 1, arbitrary: declining },
    { weight: 3, arbitrary: another },
    { weight: 1, arbitrary: wait },
  ),
  { minLength: 1, maxLength: 14 },
);

/** Takes what can be taken; tells each step with the state before it. */
function run(
  from: ElicitationInput,
  events: (Untimed | 'wait')[],
  look: (before: Step, event: StepEvent, after: Step) => void,
) {
  let next = begin(from);
  for (const item of events) {
    const timer = dueTimer(next.state, item === 'wait' ? Number.MAX_SAFE_INTEGER : next.state.context.now);
    const event = (
      timer ? { type: 'timer', ...timer } : { at: next.state.context.now + 1, ...(item as Untimed) }
    ) as StepEvent;
    if (refusal(next.state, event)) continue;
    const after = step(JSON.parse(JSON.stringify(next.state)) as Step['state'], event);
    look(next, event, after);
    next = after;
    if (next.status !== 'open') return;
  }
}

/** Judged without the machine: distinct persons in all seats, none of them kept out. */
function isEarned({ groups, complete, excluded }: Stage, votes: readonly Ballot[]): boolean {
  const users = votes.flatMap(({ by, for: absent }) => (absent === undefined ? [by] : [by, absent]));
  const isSeparate = !users.some((user) => excluded.includes(user)) && new Set(users).size === users.length;
  const seated = votes.filter(({ action }) => action === 'accept').map(({ by, for: absent }) => absent ?? by);
  return (
    isSeparate && (complete === 'all' ? fitsSeats(groups, seated) : groups.some((group) => fitsSeats([group], seated)))
  );
}

const always = { numRuns: 1500 }; // where what was met is counted
const often = { numRuns: runs(1500) };

test('P3 whatever happens, only votes of enough distinct eligible persons on the last revision accept', () => {
  let accepted = 0;
  fc.assert(
    fc.property(input, play, (from, events) => {
      let cast: Ballot[] = [];
      run(from, events, (_before, event, { status, state }) => {
        if (event.type === 'edit') cast = [];
        if (event.type === 'vote') cast.push(event);
        if (status !== 'accepted') return;
        accepted += 1;
        const { votes, stages } = state.context;
        expect(from.audience).toBe('approvers');
        for (const vote of votes)
          expect(cast).toContainEqual(expect.objectContaining({ by: vote.by, action: vote.action }));
        for (const [at, stage] of stages.entries())
          expect(
            isEarned(
              stage,
              votes.filter((vote) => vote.stage === at),
            ),
          ).toBe(true);
      });
    }),
    always,
  );
  expect(accepted).toBeGreaterThan(30);
});

test('P7 if a stage needs fresh voters, no one is in a vote of it and in an earlier one', () => {
  fc.assert(
    fc.property(input, play, (from, events) => {
      run(from, events, (_before, _event, { state: { context } }) => {
        for (const { stage: at, ...late } of context.votes.filter((vote) => context.stages[vote.stage]?.freshVoters)) {
          const early = context.votes.filter((vote) => vote.stage < at).flatMap((vote) => [vote.by, vote.for]);
          expect(early).not.toContain(late.by);
          if (late.for !== undefined) expect(early).not.toContain(late.for);
        }
      });
    }),
    often,
  );
});

test('P11 time alone never accepts: it only starts what is approved, and refuses or ends the rest', () => {
  fc.assert(
    fc.property(input, play, (from, events) => {
      run(from, [...events, 'wait', 'wait'], (before, event, after) => {
        if (event.type === 'timer' && after.status === 'accepted') expect(isScheduled(before.state)).toBe(true);
        if (after.status === 'open') expect(after.state.timers.length).toBeGreaterThan(0);
        else expect(after.state.timers).toEqual([]);
      });
    }),
    often,
  );
});

test('AI-14 someone who can no longer vote is in no vote, and that approves nothing', () => {
  let reopened = 0;
  fc.assert(
    fc.property(input, play, user, (from, events, last) => {
      run(from, [...events, { type: 'void', user: last }], (before, event, { status, state }) => {
        if (event.type !== 'void') return;
        expect(status).toBe('open');
        expect(state.context.votes.flatMap(usersOf)).not.toContain(event.user);
        const { stage: at, stages, votes } = state.context;
        for (const [earlier, stage] of stages.slice(0, at).entries())
          expect(
            verdictOf(
              stage,
              votes.filter((vote) => vote.stage === earlier),
            ),
          ).toBe('complete');
        expect(isScheduled(state)).toBe(at === stages.length);
        if (at < before.state.context.stage) reopened += 1;
      });
    }),
    always,
  );
  expect(reopened).toBeGreaterThan(10);
});

test('P30 a stage that is complete without the withdrawn vote continues at once', () => {
  const groups = fc.array(group, { minLength: 2, maxLength: 3 });
  let wentOn = 0;
  fc.assert(
    fc.property(input, groups, fc.shuffledSubarray(names), user, (from, some, accept, last) => {
      const stages = [stageOf({ groups: some, complete: 'any' }), stageOf()];
      const votes = accept.map((by): Untimed => ({ type: 'vote', by, action: 'accept' }));
      const events: Untimed[] = [
        { type: 'vote', by: last, action: 'decline' },
        ...votes,
        { type: 'withdraw', by: last },
      ];
      run({ ...from, audience: 'approvers', stages }, events, (before, event, { state: { context } }) => {
        if (event.type !== 'withdraw' || before.state.context.stage > 0) return;
        const votes = before.state.context.votes.filter(({ by }) => by !== last);
        const isComplete = verdictOf(stages[0] ?? stageOf(), votes) === 'complete';
        expect(context.stage).toBe(isComplete ? 1 : 0);
        if (isComplete) wentOn += 1;
      });
    }),
    { numRuns: 600 },
  );
  expect(wentOn).toBeGreaterThan(10);
});

test('P21 an edit voids every vote and keeps the deadline and the people who were added', () => {
  fc.assert(
    fc.property(input, play, (from, events) => {
      run(from, events, (before, event, { state: { context } }) => {
        if (event.type !== 'edit') return;
        const added = (of: Step['state']) => of.context.stages.flatMap((stage) => stage.added ?? []);
        expect(context).toMatchObject({ votes: [], stage: 0, deadlineAt: before.state.context.deadlineAt });
        expect(context.stages.flatMap((stage) => stage.added ?? [])).toEqual(added(before.state));
        expect(context.revision).toBe(before.state.context.revision + 1);
      });
    }),
    often,
  );
});

test('a course that is followed leads where XState leads, with the same effects, and changes nothing it is given', () => {
  const met = { followed: 0, refused: 0 };
  fc.assert(
    fc.property(input, play, (from, events) => {
      const first = firstArrival(frozen(from));
      expect(first).toEqual(arrivalOf(firstTransition(elicitationMachine, from)));
      run(from, events, (before, event) => {
        for (const tried of [event, ...events.filter((item) => item !== 'wait')]) {
          const sent = (tried.type === 'timer' ? { type: tried.key } : { at: event.at, ...tried }) as MachineEvent;
          const { value, context } = before.state;
          const place = frozen({ value, context: { ...context, now: event.at } });
          const arrival = nextArrival(place, frozen(sent));
          expect(arrival).toEqual(directly(place, sent));
          met[arrival === null ? 'refused' : 'followed'] += 1;
        }
      });
    }),
    { numRuns: runs(300) },
  );
  expect(Math.min(met.followed, met.refused)).toBeGreaterThan(20);
});

test('XState is asked again for no course that it has taken', () => {
  const from = firstArrival({ ...once, deadlineAt: 7_000 });
  const event = { type: 'extend', deadlineAt: 9_000, at: 1 } as const;
  const arrivals = [nextArrival(from, event), nextArrival(from, event)];
  expect(arrivals[0]?.effects).not.toEqual([]);
  // Only the delays of a course that is followed are copied; its state is the one that XState came to.
  expect(arrivals[1]).toEqual(arrivals[0]);
  expect(arrivals[1]?.value).toBe(arrivals[0]?.value);
});

const once: ElicitationInput = {
  audience: 'approvers',
  mode: 'form',
  stages: [stageOf({})],
  openedAt: 0,
  deadlineAt: 1000,
  onTimeout: 'expire',
  notBefore: null,
  reminders: [],
};

function directly(place: Place, event: MachineEvent): Arrival | null {
  const before = restore(place);
  return before.can(event) ? arrivalOf(nextTransition(before, event)) : null;
}

const arrivalOf = ([{ value, context }, effects]: ReturnType<typeof nextTransition>): Arrival => ({
  value,
  context,
  effects,
});

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
