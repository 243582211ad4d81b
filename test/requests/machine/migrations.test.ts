import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { machineVersion } from '#requests/machine/rules/machine';
import {
  upgrade,
  fullState,
  storedState,
  type StoredState,
  dueTimer,
  isScheduled,
  phaseOf,
  step,
  type ElicitationMachineState,
} from '#requests/machine/rules/step';

/** As a node of version 2 stored it: in its second stage, escalated once, voted on by the one who was added. */
const old = JSON.parse(
  readFileSync(new URL('fixtures/machine-2.json', import.meta.url), 'utf8'),
) as ElicitationMachineState;
const takenIn = ({ context }: ElicitationMachineState) =>
  context.stages.map(({ escalation }) => escalation?.steps.map(({ taken: isTaken }) => isTaken === true));

describe('a row of machine version 2', () => {
  const state = upgrade(old);

  test('is of the version of now and says which steps of its escalations were taken', () => {
    expect(state.version).toBe(machineVersion);
    expect(takenIn(state)).toEqual([
      [true, true],
      [true, false],
    ]);
  });

  test('keeps all else as it was stored', () => {
    const { stages: _before, ...context } = old.context;
    expect(state).toMatchObject({ value: old.value, timers: old.timers, context });
    expect(JSON.parse(JSON.stringify(upgrade(state)))).toEqual(JSON.parse(JSON.stringify(state)));
  });

  test('takes its votes and its timers', () => {
    const at = old.context.now + 1;
    expect(phaseOf(state)).toBe('open.asking.approvers.collecting');
    const approved = step(state, { type: 'vote', by: 'usr_bob', action: 'accept', at });
    expect(isScheduled(approved.state)).toBe(true);
    const due = dueTimer(state, Number.MAX_SAFE_INTEGER);
    expect(step(state, { type: 'timer', key: due?.key ?? '', at: due?.at ?? 0 }).topic).toBe('escalated');
  });
});

test('a row of machine version 4 goes on as it was stored', () => {
  const stored = { ...upgrade(old), version: 4 };
  const state = upgrade(stored);
  expect(state).toEqual({ ...stored, version: machineVersion });
  const due = dueTimer(state, Number.MAX_SAFE_INTEGER);
  expect(step(state, { type: 'timer', key: due?.key ?? '', at: due?.at ?? 0 }).topic).toBe('escalated');
});

test('a state is read back from what its row stores and from its columns', () => {
  const { context } = old;
  const changed = { ...context, watch: { by: 'usr_bob', until: 9 }, onTimeout: 'deny', remarks: 2 } as const;
  const elsewhere = { ...context, deadlineAt: context.deadlineAt + 1, cause: 'user' } as const;
  for (const whole of [context, changed, elsewhere]) {
    const state = { ...old, context: whole };
    const stored = storedState(state, context);
    expect(fullState(JSON.parse(JSON.stringify(stored)) as StoredState, context)).toEqual({
      ...state,
      context: { undo: null, ...whole },
    });
    expect(fullState(state, context)).toEqual({ ...state, context: { undo: null, ...whole } });
  }
  expect(Object.keys(storedState(old, context).context)).toEqual(expect.arrayContaining(['stages', 'stage', 'votes']));
  expect(storedState(old, context).context).not.toHaveProperty('openedAt');
});

test('a row that a newer node stored is left alone, and says so', () => {
  const newer = { ...old, version: machineVersion + 1 };
  expect(upgrade(newer)).toBe(newer);
  expect(() => step(newer, { type: 'caller', state: 'gone', at: 1 })).toThrowProblem('unavailable');
});
