import { statuses, type Status, type Topic } from '../model/elicitation.ts';
import { Problem } from '../model/problem.ts';
import { usersOf } from '../model/quorum.ts';
import { hasVoted } from './ballots.ts';
import type { ElicitationContext, ElicitationEvent, ElicitationInput } from './context.ts';
import { elicitationMachine, machineVersion, type StateTag } from './elicitation-machine.ts';
import { refuseHollow } from './stages.ts';
import { firstTransition, nextTransition, type Effect, type MachineEvent, type Snapshot } from './transition.ts';

/** A delayed transition, waiting as data: when due, its event goes through `step` like any other. */
export interface Timer {
  key: string;
  at: number;
}

/** The complete stored state of an elicitation: all that its next step needs. */
export interface ElicitationMachineState {
  version: number;
  value: unknown;
  context: ElicitationContext;
  timers: Timer[];
}

export interface Step {
  state: ElicitationMachineState;
  status: Status;
  topic: Topic;
  /** The notices of a step. */
  alerts: Topic[];
}

export type StepEvent = ElicitationEvent | { type: 'timer'; key: string; at: number };

/** The first state of an elicitation, with its timers. */
export function begin(input: ElicitationInput): Step {
  refuseHollow(input.stages);
  if (input.audience === 'approvers' && input.stages.length === 0) throw new Problem('internal');
  const [snapshot, effects] = firstTransition(input);
  return store(snapshot, effects, [], input.openedAt, 'opened');
}

/** The state of an elicitation that a policy decides at opening. */
export function conclude(input: ElicitationInput, status: 'accepted' | 'declined'): Step {
  const [{ context }] = firstTransition({ ...input, audience: 'requester' });
  const waiting = { ...context, audience: input.audience };
  const snapshot = elicitationMachine.resolveState({ value: status, context: waiting, status: 'done' });
  return store(snapshot, [], [], input.openedAt, 'closed');
}

/** Takes one event; pure. Throws the problem of `refusal` if the event does not fit. */
export function step(state: ElicitationMachineState, event: StepEvent): Step {
  const before = statusOf(state.value) === 'open' ? restore(state, event.at) : null;
  const code = refusalOf(before, state, event);
  if (code || !before) throw new Problem(code ?? 'already-closed');
  refuseHollow('stages' in event ? event.stages : 'next' in event && event.next ? [event.next] : []);
  const [snapshot, effects] = nextTransition(before, machineEvent(event));
  const timers = event.type === 'timer' ? state.timers.filter(({ key }) => key !== event.key) : state.timers;
  return store(snapshot, effects, timers, event.at, 'changed');
}

/** Why this event cannot be taken now, or null. All answers are harmless to retry. */
export function refusal(
  state: ElicitationMachineState,
  event: StepEvent,
): 'already-closed' | 'already-voted' | 'not-now' | null {
  return refusalOf(statusOf(state.value) === 'open' ? restore(state, event.at) : null, state, event);
}

/** `open` is the restored snapshot, or null if it is closed. */
function refusalOf(
  open: Snapshot | null,
  state: ElicitationMachineState,
  event: StepEvent,
): ReturnType<typeof refusal> {
  if (!open) return 'already-closed';
  if (event.type === 'timer' || open.can(event)) return null;
  const isRepeated = event.type === 'vote' && usersOf(event).some((user) => hasVoted(state.context, user));
  return isRepeated ? 'already-voted' : 'not-now';
}

/** The timer that is due first at `now`, or null. */
export function dueTimer({ timers }: ElicitationMachineState, now: number): Timer | null {
  const due = timers.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
  return due[0] ?? null;
}

export const wakeAt = ({ timers }: ElicitationMachineState): number | null =>
  timers.length === 0 ? null : Math.min(...timers.map(({ at }) => at));

export function statusOf(value: unknown): Status {
  return statuses.find((status) => status === value) ?? 'open';
}

/** The path of the one phase it is in: `open.asking.approvers.collecting`. */
export function phaseOf(state: ElicitationMachineState): string {
  const [id = ''] = Object.keys(restore(state, state.context.now).getMeta());
  return id.slice(elicitationMachine.id.length + 1);
}

/** Approved, and waiting for its start. */
export const isScheduled = (state: ElicitationMachineState): boolean => hasTag(state, 'scheduled');

/** Has the requester agreed to open the page? */
export const isVisited = (state: ElicitationMachineState): boolean => hasTag(state, 'visited');

const hasTag = (state: ElicitationMachineState, tag: StateTag): boolean => tagsOf(state).has(tag);

/** They follow from the value alone, of which the machine has few. */
function tagsOf(state: ElicitationMachineState): ReadonlySet<string> {
  const name = `${state.version} ${JSON.stringify(state.value)}`;
  const tags = tagsByValue.get(name) ?? restore(state, state.context.now).tags;
  tagsByValue.set(name, tags);
  return tags;
}

const tagsByValue = new Map<string, ReadonlySet<string>>();

function restore({ version, value, context }: ElicitationMachineState, now: number): Snapshot {
  if (version !== machineVersion) throw new Problem('unavailable', { detail: unknownVersion(version) });
  const done = statusOf(value) !== 'open';
  return elicitationMachine.resolveState({
    value: value as Snapshot['value'],
    context: { ...context, now },
    status: done ? 'done' : 'active',
  });
}

/** Older rows are upgraded when they are read, so a newer node wrote this one. */
const unknownVersion = (version: number): string =>
  `Upgrade this node: it does not know version ${version} of the machine, which stored this request.`;

/** xstate names a delayed event by its timer's key. */
const machineEvent = (event: StepEvent): MachineEvent =>
  event.type === 'timer' ? ({ type: event.key } as unknown as ElicitationEvent) : event;

function store(snapshot: Snapshot, effects: Effect[], before: Timer[], now: number, topic: Topic): Step {
  const status = statusOf(snapshot.value);
  const timers = status === 'open' ? effects.reduce((kept, effect) => schedule(kept, effect, now), before) : [];
  const state = { version: machineVersion, value: snapshot.value, context: snapshot.context, timers };
  const topics = announced(effects);
  const main = status === 'open' ? (topics[0] ?? topic) : 'closed';
  return { state, status, topic: main, alerts: topics.filter((topic) => topic !== main) };
}

/** In order: a re-entered state clears its timer, then sets it again. */
function schedule(timers: Timer[], { type, params }: Effect, now: number): Timer[] {
  if (type === 'xstate.cancel') return timers.filter(({ key }) => key !== (params as { sendId: string }).sendId);
  if (type !== 'xstate.raise') return timers;
  const { id, delay } = params as { id: string; delay?: number };
  if (delay === undefined) return timers;
  return [...timers.filter(({ key }) => key !== id), { key: id, at: now + Math.max(0, delay) }];
}

const announced = (effects: Effect[]): Topic[] =>
  effects.filter(({ type }) => type === 'announce').map(({ params }) => (params as { topic: Topic }).topic);
