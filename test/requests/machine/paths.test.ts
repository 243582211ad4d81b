import { expect, test } from '@jest/globals';
import { getShortestPaths } from 'xstate/graph';
import { type ElicitationEvent, type ElicitationInput, elicitationMachine } from '#requests/machine/rules/machine';
import { begin, statusOf, step, type Step } from '#requests/machine/rules/step';
import { stageOf } from '../../support/requests/stages.ts';

const staged: ElicitationInput = {
  audience: 'approvers',
  mode: 'form',
  stages: [
    stageOf({ approve: 2, deny: 2, approvers: ['a', 'b', 'c'] }),
    stageOf({
      approvers: ['d'],
      escalation: { steps: [{ after: 5, mode: 'add', approvers: ['e'] }], loops: 1, end: 'wait' },
    }),
  ],
  openedAt: 0,
  deadlineAt: 100,
  onTimeout: 'expire',
  notBefore: null,
  reminders: [50],
};
const requester: ElicitationInput = { ...staged, audience: 'requester', mode: 'url', stages: [] };
const inputs = { staged, requester };

const votes = ['a', 'b', 'd', 'e'].flatMap((by) =>
  (['accept', 'decline'] as const).map((action) => ({ type: 'vote' as const, by, action, at: 1 })),
);
const answers = (['accept', 'decline', 'cancel'] as const).flatMap((action) => [
  { type: 'answer' as const, action, at: 1 },
  { type: 'callback' as const, action, at: 1 },
]);
const others: ElicitationEvent[] = [
  { type: 'visit', at: 1 },
  { type: 'cancel', cause: 'superseded', at: 1 },
  { type: 'extend', deadlineAt: 200, at: 1 },
  { type: 'withdraw', by: 'a', at: 1 },
  { type: 'breakGlass', by: 'c', at: 1 },
];

/** The timers a state of this input can have, as events of the graph. */
const timerKeys = (input: ElicitationInput): string[] => [
  ...begin(input).state.timers.map(({ key }) => key),
  'xstate.after.escalate.elicitation.open.asking.approvers.collecting.escalating',
];

test.each(Object.entries(inputs))(
  'AI-23: every path of the %s chart, stored between any two steps, ends as the chart says with no timer left',
  (_name, input) => {
    const events = [...votes, ...answers, ...others, ...timerKeys(input).map((type) => ({ type }) as never)];
    const paths = getShortestPaths(elicitationMachine, { input, events });
    const reached = new Set(paths.map(({ state }) => statusOf(state.value)));
    expect([...reached].sort()).toEqual(['accepted', 'cancelled', 'declined', 'expired', 'open']);
    expect(paths.length).toBeGreaterThan(15);
    for (const path of paths) {
      const end = path.steps
        .map(({ event }) => event as ElicitationEvent | { type: 'xstate.init' })
        .filter((event) => event.type !== 'xstate.init')
        .reduce(take, begin(input));
      expect(end.state.value).toEqual(path.state.value);
      expect(end.state.context.votes).toEqual(path.state.context.votes);
      if (end.status !== 'open') expect(end.state.timers).toEqual([]);
    }
  },
);

function take(before: Step, event: ElicitationEvent): Step {
  const state = JSON.parse(JSON.stringify(before.state)) as Step['state'];
  const isTimer = event.type.startsWith('xstate.');
  return step(state, isTimer ? { type: 'timer', key: event.type, at: 1 } : event);
}
