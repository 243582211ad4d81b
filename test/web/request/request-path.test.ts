import { describe, expect, test } from '@jest/globals';
import { getShortestPaths } from 'xstate/graph';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { type ElicitationInput, elicitationMachine } from '#requests/machine/rules/machine';
import { machineShape, begin, conclude, phaseOf, step, type Step, type StepEvent } from '#requests/machine/rules/step';
import { phasesAfter, phases, requestPath } from '../../../web/src/requests/decide/PolicySection.tsx';
import { formatWaiting } from '../../../web/src/requests/decide/words/format-waiting.ts';
import { path as words } from '../../../web/src/requests/decide/words/words.ts';
import { stageOf } from '../../support/requests/stages.ts';

const shape = machineShape();
const ofApprovers: ElicitationInput = {
  audience: 'approvers',
  mode: 'form',
  stages: [stageOf({ name: 'Manager' }), stageOf({ name: 'Finance', approve: 2, deny: 1 })],
  openedAt: 0,
  deadlineAt: 100,
  onTimeout: 'expire',
  notBefore: null,
  reminders: [],
};
const ofRequester: ElicitationInput = { ...ofApprovers, audience: 'requester', stages: [] };

const vote = (by: string, action: 'accept' | 'decline' = 'accept'): StepEvent => ({ type: 'vote', by, action, at: 1 });
const approvals = [vote('a'), vote('b'), vote('c')];
const expiry: StepEvent = { type: 'timer', key: 'xstate.after.expire.elicitation.open.deadline.running', at: 100 };
const start: StepEvent = {
  type: 'timer',
  key: 'xstate.after.start.elicitation.open.asking.approvers.scheduled',
  at: 50,
};

/** The picture of what the machine made of these events, a line a step. */
function draw(input: ElicitationInput, events: StepEvent[]): string[] {
  const end = events.reduce((before, event) => step(before.state, event), begin(input));
  return drawn(end, events.some(({ type }) => type === 'visit') ? ['elicitation.visited'] : []);
}

function drawn({ state, status }: Step, timeline: string[]): string[] {
  const { context } = state;
  const stages = context.stages.map(({ name }, at) => ({
    name,
    state: at < context.stage ? 'complete' : at === context.stage ? 'current' : 'waiting',
  }));
  const { audience, mode, onTimeout, notBefore, breakGlassBy } = context;
  const facts = {
    status,
    stages,
    audience,
    mode,
    onTimeout,
    notBefore,
    settlesAt: context.settlesAt ?? null,
    breakGlass: breakGlassBy,
    phase: phaseOf(state),
  };
  const shown = { ...facts, timeline: timeline.map((type) => ({ event: { type } })) } as unknown as ElicitationDetail;
  const { steps, end, otherEnds, missed } = requestPath(shape, shown);
  return [
    ...steps.map((step) => `${step.stage?.name ?? step.phase.split('.').at(-1)}: ${step.state}`),
    [end, ...otherEnds].join(' or '),
    ...missed.map((name) => `not ${name}`),
  ];
}

const either = 'accepted or declined or cancelled or expired';
const early = { ...ofApprovers, notBefore: 50 };
const denying = { ...ofApprovers, onTimeout: 'deny' as const };
const byUrl = { ...ofRequester, mode: 'url' as const };

test.each<[string, ElicitationInput, StepEvent[], string[]]>([
  ['asked', ofApprovers, [], ['Manager: current', 'Finance: next', either]],
  ['in its second stage', ofApprovers, [vote('a'), vote('b')], ['Manager: done', 'Finance: current', either]],
  ['approved', ofApprovers, approvals, ['Manager: done', 'Finance: done', 'accepted']],
  ['declined', ofApprovers, [vote('a', 'decline')], ['Manager: ended', 'declined', 'not Finance']],
  ['expired', ofApprovers, [vote('a'), expiry], ['Manager: done', 'Finance: ended', 'expired']],
  ['to be denied by time', denying, [], ['Manager: current', 'Finance: next', 'accepted or declined or cancelled']],
  ['denied by time', denying, [expiry], ['Manager: ended', 'declined', 'not Finance']],
  [
    'break-glass',
    ofApprovers,
    [{ type: 'breakGlass', by: 'z', at: 1 }],
    ['Manager: skipped', 'Finance: skipped', 'accepted'],
  ],
  ['to be scheduled', early, [], ['Manager: current', 'Finance: next', 'scheduled: next', either]],
  [
    'scheduled',
    early,
    approvals,
    ['Manager: done', 'Finance: done', 'scheduled: current', 'accepted or cancelled or expired'],
  ],
  ['started', early, [...approvals, start], ['Manager: done', 'Finance: done', 'scheduled: done', 'accepted']],
  [
    'cancelled while scheduled',
    early,
    [...approvals, { type: 'cancel', cause: 'admin', at: 2 }],
    ['Manager: done', 'Finance: done', 'scheduled: ended', 'cancelled'],
  ],
  [
    'overridden before its start',
    early,
    [{ type: 'breakGlass', by: 'z', at: 1 }],
    ['Manager: skipped', 'Finance: skipped', 'accepted'],
  ],
  ['put to the requester', ofRequester, [], ['waiting: current', either]],
  ['opened by the requester', byUrl, [{ type: 'visit', at: 1 }], ['waiting: done', 'visited: current', either]],
  [
    'finished by a service after the visit',
    byUrl,
    [
      { type: 'visit', at: 1 },
      { type: 'callback', action: 'accept', at: 2 },
    ],
    ['waiting: done', 'visited: done', 'accepted'],
  ],
  [
    'refused by the requester',
    ofRequester,
    [{ type: 'answer', action: 'decline', at: 1 }],
    ['waiting: ended', 'declined'],
  ],
])('a request %s', (_name, input, events, expected) => {
  expect(draw(input, events)).toEqual(expected);
});

test('what a policy or a grant decides as it is asked has gone through nothing', () => {
  expect(drawn(conclude(ofApprovers, 'accepted'), ['elicitation.opened', 'elicitation.decided'])).toEqual(['accepted']);
});

describe('the picture and the machine', () => {
  test('agree on every move between phases that the machine can make', () => {
    const [expire, begins] = [expiry, start].map((timer) => ({ type: 'key' in timer && timer.key }));
    const others = [
      { type: 'cancel', cause: 'admin', at: 1 },
      { type: 'withdraw', by: 'a', at: 1 },
    ];
    const events = [...approvals, vote('a', 'decline'), expire, begins, ...others] as never[];
    const moves = getShortestPaths(elicitationMachine, { input: early, events }).flatMap(({ steps }) => {
      const trail = steps.map(({ state: { value, context } }) =>
        phaseOf({ version: shape.version, value, context, timers: [] }),
      );
      return trail.slice(1).map((to, at) => [trail[at] ?? '', to] as const);
    });
    const real = moves.filter(([from, to]) => from !== to);
    expect(new Set(real.map(([, to]) => to))).toEqual(
      new Set([phases.scheduled, 'accepted', 'declined', 'cancelled', 'expired']),
    );
    for (const [from, to] of real) expect(phasesAfter(shape, { isForApprovers: true }, from)).toContain(to);
  });

  test('have the same states, and each phase a name: stages have their own', () => {
    const shown = shape.states.filter(({ isPhase, kind }) => isPhase && kind !== 'final').map(({ id }) => id);
    expect(shown).toEqual(expect.arrayContaining(Object.values(phases)));
    expect([...Object.keys(words.phases), phases.collecting].sort()).toEqual(shown.sort());
  });
});

test.each([
  [[], 1, 'No one can vote at the moment.'],
  [['Ada'], 2, 'Only Ada can vote at the moment; 2 approvals are still needed.'],
  [['Ada', 'Bob'], 2, 'Waiting for Ada or Bob'],
  [['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'], 1, 'Waiting for A, B, C, D, E, F or 2 more'],
])('of %j, where %i are missing, it says who can vote', (names, needed, sentence) => {
  expect(formatWaiting(names, needed)).toBe(sentence);
});
