import { statuses, type Status, type Topic } from '../../../asking/contract/elicitation.ts';
import { Problem } from '#platform/model/problem';
import { usersOf } from '../../../voting/contract/quorum/quorum.ts';
import { hasVoted } from '../machine/ballots.ts';
import {
  initialContext,
  type ElicitationContext,
  type ElicitationEvent,
  type ElicitationInput,
} from '../machine/context.ts';
import { firstArrival, nextArrival, restore, type Arrival, type Place } from './courses.ts';
import { elicitationMachine, machineVersion, type StateTag } from '../machine/elicitation-machine.ts';
import { assertNoEmptyStage } from '../machine/stages.ts';
import type { Effect, MachineEvent } from './transition.ts';

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
  assertNoEmptyStage(input.stages);
  if (input.audience === 'approvers' && input.stages.length === 0) throw new Problem('internal');
  return store(firstArrival(input), [], input.openedAt, 'opened');
}

/** The state of an elicitation that a policy decides at opening. */
export function conclude(input: ElicitationInput, status: 'accepted' | 'declined'): Step {
  return store({ value: status, context: initialContext(input), effects: [] }, [], input.openedAt, 'closed');
}

/** Takes one event; pure. Throws the problem of `refusal` if the event does not fit. */
export function step(state: ElicitationMachineState, event: StepEvent): Step {
  const arrival = arrivalOf(state, event);
  if (arrival === null) throw new Problem(reasonOf(state, event));
  assertNoEmptyStage('stages' in event ? event.stages : 'next' in event && event.next ? [event.next] : []);
  const timers = event.type === 'timer' ? state.timers.filter(({ key }) => key !== event.key) : state.timers;
  return store(arrival, timers, event.at, 'changed');
}

/** Why this event cannot be taken now, or null. All answers are harmless to retry. */
export const refusal = (state: ElicitationMachineState, event: StepEvent): Refusal | null =>
  arrivalOf(state, event) === null ? reasonOf(state, event) : null;

type Refusal = 'already-closed' | 'already-voted' | 'not-now';

/** Null if the event cannot be taken. A timer that no longer means anything changes nothing. */
function arrivalOf(state: ElicitationMachineState, event: StepEvent): Arrival | null {
  if (statusOf(state.value) !== 'open') return null;
  const place = placeOf(state, event.at);
  return nextArrival(place, machineEvent(event)) ?? (event.type === 'timer' ? { ...place, effects: [] } : null);
}

function reasonOf(state: ElicitationMachineState, event: StepEvent): Refusal {
  if (statusOf(state.value) !== 'open') return 'already-closed';
  const isRepeated =
    event.type === 'vote' && usersOf(event).some((user) => hasVoted(state.context, user, event.stageNow));
  return isRepeated ? 'already-voted' : 'not-now';
}

/** The timer that is due first at `now`, or null. */
export function dueTimer({ timers }: ElicitationMachineState, now: number): Timer | null {
  const due = timers.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
  return due[0] ?? null;
}

export function statusOf(value: unknown): Status {
  return statuses.find((status) => status === value) ?? 'open';
}

/** The path of the one phase it is in: `open.asking.approvers.collecting`. */
export const phaseOf = (state: ElicitationMachineState): string => viewOf(state).phase;

/** Approved, and waiting for its start. */
export const isScheduled = (state: ElicitationMachineState): boolean => hasTag(state, 'scheduled');

/** Has the requester agreed to open the page? */
export const isVisited = (state: ElicitationMachineState): boolean => hasTag(state, 'visited');

const hasTag = (state: ElicitationMachineState, tag: StateTag): boolean => viewOf(state).tags.has(tag);

interface View {
  phase: string;
  tags: ReadonlySet<string>;
}

/** What people see of a state follows from its value alone, of which the machine has few. */
function viewOf(state: ElicitationMachineState): View {
  const place = placeOf(state, state.context.now);
  const name = JSON.stringify(place.value);
  const kept = views.get(name);
  if (kept) return kept;
  const snapshot = restore(place);
  const [id = ''] = Object.keys(snapshot.getMeta());
  const view = { phase: id.slice(elicitationMachine.id.length + 1), tags: snapshot.tags };
  views.set(name, view);
  return view;
}

const views = new Map<string, View>();

function placeOf({ version, value, context }: ElicitationMachineState, now: number): Place {
  if (version !== machineVersion) throw new Problem('unavailable', { detail: unknownVersion(version) });
  return { value, context: { ...context, now } };
}

/** Older rows are upgraded when they are read, so a newer node wrote this one. */
const unknownVersion = (version: number): string =>
  `Upgrade this node: it does not know version ${version} of the machine, which stored this request.`;

/** xstate names a delayed event by its timer's key. */
const machineEvent = (event: StepEvent): MachineEvent =>
  event.type === 'timer' ? ({ type: event.key } as unknown as ElicitationEvent) : event;

function store({ value, context, effects }: Arrival, before: Timer[], now: number, topic: Topic): Step {
  const status = statusOf(value);
  const timers = status === 'open' ? effects.reduce((kept, effect) => schedule(kept, effect, now), before) : [];
  const state = { version: machineVersion, value, context, timers };
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

const announced = (effects: readonly Effect[]): Topic[] =>
  effects.filter(({ type }) => type === 'announce').map(({ params }) => (params as { topic: Topic }).topic);
