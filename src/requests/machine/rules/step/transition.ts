import { createActor, type ActorScope, type EventFromLogic, type SnapshotFrom } from 'xstate';
import type { ElicitationInput } from '../machine/context.ts';
import { elicitationMachine } from '../machine/elicitation-machine.ts';

export type Snapshot = SnapshotFrom<typeof elicitationMachine>;
export type MachineEvent = EventFromLogic<typeof elicitationMachine>;

/** What xstate would have done. */
export interface Effect {
  type: string;
  params?: unknown;
}

type Scope = ActorScope<Snapshot, MachineEvent>;

/** As xstate's `initialTransition`: the first snapshot, and what it would do; nothing is done. */
export const firstTransition = (machine: typeof elicitationMachine, input: ElicitationInput): [Snapshot, Effect[]] =>
  collect((scope) => machine.getInitialSnapshot(scope, input));

/** As xstate's `transition`: the next snapshot, and what it would do; nothing is done. */
export const nextTransition = (snapshot: Snapshot, event: MachineEvent): [Snapshot, Effect[]] =>
  collect((scope) => elicitationMachine.transition(snapshot, event, scope));

function collect(take: (scope: Scope) => Snapshot): [Snapshot, Effect[]] {
  const effects: Effect[] = [];
  const actionExecutor = ({ type, params }: Effect) => void effects.push({ type, params });
  return [take({ ...inert, actionExecutor }), effects];
}

// xstate makes an actor for each call, which takes a first transition of its own. It stands only for who sends events to
// children: the machine has none, so one actor, never started, serves all.
const never: ElicitationInput = {
  audience: 'requester',
  mode: 'form',
  stages: [],
  openedAt: 0,
  deadlineAt: 0,
  onTimeout: 'expire',
  notBefore: null,
  reminders: [],
};
const self = createActor(elicitationMachine, { input: never });
const inert: Scope = {
  self,
  system: self.system,
  id: '',
  sessionId: '',
  logger: () => {},
  defer: () => {},
  stopChild: () => {},
  emit: () => {},
  actionExecutor: () => {},
};
