import { describe, expect, test } from '@jest/globals';
import { elicitationMachine, machineVersion } from '#requests/machine/rules/machine';
import { machineShape, begin, phaseOf, step } from '#requests/machine/rules/step';
import { stageOf } from '../../support/requests/stages.ts';

const shape = machineShape();
const stateOf = (id: string) => shape.states.find((state) => state.id === id);

interface ConfiguredStates {
  states?: Record<string, ConfiguredStates>;
}

/** The paths of every state as the machine was written. */
const pathsIn = ({ states = {} }: ConfiguredStates, at: string[] = []): string[] =>
  Object.entries(states).flatMap(([key, item]) => [[...at, key].join('.'), ...pathsIn(item, [...at, key])]);

describe('the shape of the machine', () => {
  test('has every state of the machine, no other, and its version', () => {
    expect(shape.states.map(({ id }) => id)).toEqual(pathsIn(elicitationMachine.config as ConfiguredStates));
    expect([shape.version, shape.initial]).toEqual([machineVersion, 'open']);
  });

  test('has every event under its plain name, and every delay', () => {
    const named = (by: string) =>
      new Set(
        shape.states.flatMap((state) =>
          state.transitions.flatMap((transition) => (transition.by === by ? [transition.name] : [])),
        ),
      );
    expect(named('event')).toEqual(new Set(elicitationMachine.events.filter((name) => !name.startsWith('xstate.'))));
    expect(named('delay')).toEqual(new Set(Object.keys(elicitationMachine.implementations.delays)));
    expect(named('always')).toEqual(new Set([null]));
  });

  test('names states and guards that are there', () => {
    const transitions = shape.states.flatMap((state) => state.transitions);
    for (const target of transitions.flatMap(({ targets }) => targets)) expect(stateOf(target)).toBeDefined();
    const existings = Object.keys(elicitationMachine.implementations.guards);
    expect(transitions.flatMap(({ guards }) => guards).filter((guard) => !existings.includes(guard))).toEqual([]);
  });

  test('says what a state is and what leads out of it', () => {
    expect([stateOf('open')?.kind, stateOf('accepted')?.kind]).toEqual(['parallel', 'final']);
    expect(stateOf('open.asking.approvers.approved')).toEqual({
      id: 'open.asking.approvers.approved',
      kind: 'atomic',
      initial: null,
      isPhase: false,
      transitions: [
        { by: 'always', name: null, guards: ['isEarly'], targets: ['open.asking.approvers.scheduled'] },
        { by: 'always', name: null, guards: [], targets: ['accepted'] },
      ],
    });
    expect(stateOf('open.deadline.running')?.transitions).toContainEqual({
      by: 'delay',
      name: 'expire',
      guards: ['deniesOnTimeout'],
      targets: ['declined'],
    });
  });
});

test('an elicitation is in exactly one phase at any time', () => {
  const input = {
    audience: 'approvers' as const,
    mode: 'form' as const,
    stages: [stageOf()],
    openedAt: 0,
    deadlineAt: 100,
    onTimeout: 'expire' as const,
    notBefore: 50,
    reminders: [10],
  };
  const opened = begin(input);
  const approved = step(opened.state, { type: 'vote', by: 'a', action: 'accept', at: 1 });
  const cancelled = step(approved.state, { type: 'cancel', cause: 'admin', at: 2 });
  expect([opened, approved, cancelled].map(({ state }) => phaseOf(state))).toEqual([
    'open.asking.approvers.collecting',
    'open.asking.approvers.scheduled',
    'cancelled',
  ]);
  expect(phaseOf(begin({ ...input, audience: 'requester', stages: [] }).state)).toBe('open.asking.requester.waiting');
  const phases = shape.states.filter(({ isPhase }) => isPhase).map(({ id }) => id);
  expect(phases.filter((phase) => phases.some((other) => phase.startsWith(`${other}.`)))).toEqual([]);
});
