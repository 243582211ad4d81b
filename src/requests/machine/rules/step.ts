import {
  type AnyStateNode,
  type AnyTransitionDefinition,
  createActor,
  type ActorScope,
  type EventFromLogic,
  type SnapshotFrom,
  assign,
} from 'xstate';
import {
  elicitationMachine,
  machineVersion,
  type ElicitationInput,
  initialContext,
  type ElicitationContext,
  hasVoted,
  type ElicitationEvent,
  type StateTag,
  assertNoEmptyStage,
} from './machine.ts';
import { statuses, type Status, type Topic } from '../../asking/contract/elicitation.ts';
import { Problem } from '#platform/model/problem';
import { usersOf, type Stage } from '../../voting/contract/stages.ts';

/** The statechart as data, read off the machine that runs; no context, no code. */
export const machineShape = () => ({
  version: machineVersion,
  initial: initialOf(elicitationMachine.root) ?? '',
  states: statesIn(elicitationMachine.root),
});

function statesIn(node: AnyStateNode): ReturnType<typeof shapeOf>[] {
  return Object.values<AnyStateNode>(node.states).flatMap((state) => [shapeOf(state), ...statesIn(state)]);
}

const shapeOf = (node: AnyStateNode) => ({
  id: pathOf(node),
  kind: node.type,
  initial: node.type === 'compound' ? initialOf(node) : null,
  isPhase: node.meta?.isPhase === true,
  transitions: [...node.transitions.values(), node.always ?? []]
    .flat()
    .map((transition) => transitionOf(node, transition)),
});

function transitionOf(node: AnyStateNode, { eventType, guard, target }: AnyTransitionDefinition) {
  const delay = node.after.find((transition) => transition.eventType === eventType)?.delay;
  const by: 'event' | 'delay' | 'always' = delay !== undefined ? 'delay' : eventType === '' ? 'always' : 'event';
  return {
    by,
    name: by === 'always' ? null : `${delay ?? eventType}`,
    guards: guardNames(guard),
    targets: (target ?? []).map(pathOf),
  };
}

const pathOf = ({ path }: AnyStateNode): string => path.join('.');

function initialOf({ initial }: AnyStateNode): string | null {
  const [first] = initial.target ?? [];
  return first ? pathOf(first) : null;
}

/** The machine joins guards with `and([...])` only, which exposes its parts. */
function guardNames(guard: unknown): string[] {
  if (typeof guard === 'string') return [guard];
  const joined = typeof guard === 'function' && 'guards' in guard ? guard.guards : [];
  return Array.isArray(joined) ? joined.flatMap(guardNames) : [];
}

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

/** A state of the machine, as it is stored. */
export interface Place {
  value: unknown;
  context: ElicitationContext;
}

/** A state, and what the machine would do on the way to it. */
export interface Arrival extends Place {
  effects: readonly Effect[];
}

interface Arguments {
  context: ElicitationContext;
  event: MachineEvent;
}
type Guard = (args: Arguments) => boolean;
type Delay = (args: Arguments) => number;
type Assigner = (args: Arguments) => Partial<ElicitationContext>;

/**
 * The courses that the machine takes from one state at one type of event: what it evaluates on its way, in order. Only
 * the answers of guards choose the way. Each ends with a state and effects, or with null if the event cannot be taken.
 */
type Course =
  | { kind: 'guard'; holds: Guard; ways: { true?: Course; false?: Course } }
  | { kind: 'assignment'; assigns: Assigner; next: Course }
  | { kind: 'delay'; waits: Delay; next: Course }
  | { kind: 'end'; arrival: Omit<Arrival, 'context'> | null };
type Turn =
  | { kind: 'guard'; holds: Guard; answer: boolean }
  | { kind: 'assignment'; assigns: Assigner }
  | { kind: 'delay'; waits: Delay };

/** Courses by state and type of event; the machine has few of both. */
const courses = new Map<string, Course>();
const firstEvent = 'xstate.init';
const eventTypes = new Set<string>([firstEvent, ...elicitationMachine.events]);

const nameOf = ({ value }: Pick<Place, 'value'>, { type }: MachineEvent): string => `${type} ${JSON.stringify(value)}`;

/** The first state of the machine. */
export function firstArrival(input: ElicitationInput): Arrival {
  const from = { value: null, context: initialContext(input) };
  const event = { type: firstEvent, input } as unknown as MachineEvent;
  const arrival = arrive(from, event, (machine) => firstTransition(machine, input));
  if (arrival === null) throw new TypeError('The machine has no first state.');
  return arrival;
}

/** The state after this event, or null if it cannot be taken now. */
export const nextArrival = (from: Place, event: MachineEvent): Arrival | null =>
  arrive(from, event, (machine, turns) => {
    const before = restore(from, machine);
    if (!before.can(event)) return null;
    turns.length = 0; // the transition evaluates the same guards again
    return nextTransition(before, event);
  });

/** The machine in this state. */
export const restore = ({ value, context }: Place, machine = elicitationMachine): Snapshot =>
  machine.resolveState({ value: value as Snapshot['value'], context, status: 'active' });

type Ask = (machine: typeof elicitationMachine, turns: Turn[]) => [Snapshot, Effect[]] | null;

/**
 * XState alone says what the courses are. It is asked for each once; then the course is followed with the machine's own
 * guards, assignments and delays, which costs a third.
 */
function arrive(from: Place, event: MachineEvent, ask: Ask): Arrival | null {
  const name = nameOf(from, event);
  const course = courses.get(name);
  const followed = course && follow(course, from.context, event);
  if (followed !== undefined) return followed;
  const turns: Turn[] = [];
  const answer = ask(recorder(turns), turns);
  const arrival = answer && { value: answer[0].value, effects: answer[1] };
  if (eventTypes.has(event.type)) courses.set(name, graft(course, turns, { kind: 'end', arrival }));
  return answer && { value: answer[0].value, context: answer[0].context, effects: answer[1] };
}

/** Undefined where it leaves the courses that the machine has taken before. */
function follow(from: Course, start: ElicitationContext, event: MachineEvent): Arrival | null | undefined {
  let course: Course | undefined = from;
  let context = start;
  const waits: number[] = [];
  while (course && course.kind !== 'end') {
    const args: Arguments = { context, event };
    if (course.kind === 'guard') {
      course = course.ways[course.holds(args) ? 'true' : 'false'];
      continue;
    }
    if (course.kind === 'assignment') context = { ...context, ...course.assigns(args) };
    else waits.push(course.waits(args));
    course = course.next;
  }
  if (!course) return undefined;
  return course.arrival && { ...course.arrival, context, effects: delayed(course.arrival.effects, waits) };
}

/** The effects with the delays of this course, which come in the order in which they are evaluated. */
function delayed(effects: readonly Effect[], waits: readonly number[]): readonly Effect[] {
  let at = 0;
  return effects.map((effect) => {
    const isDelayed = effect.type === 'xstate.raise' && (effect.params as { delay?: number }).delay !== undefined;
    return isDelayed ? { ...effect, params: { ...(effect.params as object), delay: waits[at++] } } : effect;
  });
}

function graft(course: Course | undefined, [turn, ...rest]: readonly Turn[], end: Course): Course {
  if (turn === undefined) return end;
  if (turn.kind !== 'guard')
    return { ...turn, next: graft(course && 'next' in course ? course.next : undefined, rest, end) };
  const ways = course?.kind === 'guard' ? course.ways : {};
  const way = turn.answer ? 'true' : 'false';
  return { kind: 'guard', holds: turn.holds, ways: { ...ways, [way]: graft(ways[way], rest, end) } };
}

interface Implementations {
  guards: Record<string, Guard>;
  delays: Record<string, Delay>;
  /** Assignments, and effects that are only named. */
  actions: Record<string, { assignment?: Assigner | Record<string, unknown> }>;
}

/** The machine, noting each of its turns. */
function recorder(turns: Turn[]): typeof elicitationMachine {
  const { guards, delays, actions } = elicitationMachine.implementations as unknown as Implementations;
  const noted = {
    guards: mapValues(guards, (holds) => (args: Arguments) => {
      const answer = holds(args);
      turns.push({ kind: 'guard', holds, answer });
      return answer;
    }),
    delays: mapValues(delays, (waits) => (args: Arguments) => {
      turns.push({ kind: 'delay', waits });
      return waits(args);
    }),
    actions: mapValues(actions, (action) => {
      if (action.assignment === undefined) return action;
      const assigns = assignerOf(action.assignment);
      return assign((args) => {
        turns.push({ kind: 'assignment', assigns });
        return assigns(args as unknown as Arguments);
      });
    }),
  };
  return elicitationMachine.provide(noted as unknown as Parameters<typeof elicitationMachine.provide>[0]);
}

const assignerOf = (assignment: Assigner | Record<string, unknown>): Assigner =>
  typeof assignment === 'function'
    ? assignment
    : (args) =>
        mapValues(assignment, (value) =>
          typeof value === 'function' ? (value as (of: Arguments) => unknown)(args) : value,
        );

const mapValues = <V, R>(record: Record<string, V>, map: (value: V) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

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

/** Was the requester at a provider that has not said what happened? */
export const isSettling = (state: ElicitationMachineState): boolean => hasTag(state, 'settling');

/** Has the requester agreed to open the page? */
export const isVisited = (state: ElicitationMachineState): boolean => hasTag(state, 'visited');

const hasTag = (state: ElicitationMachineState, tag: StateTag): boolean => viewOf(state).tags.has(tag);

interface View {
  phase: string;
  tags: ReadonlySet<string>;
}

/** The view of a state follows from its value alone, and the machine has few values. */
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

type Upgrade = (state: ElicitationMachineState) => ElicitationMachineState;

/** Upgrades by the version they start from; each leads to the next version. */
const upgrades: Record<number, Upgrade> = { 2: markTakenSteps, 3: unchanged, 4: unchanged, 5: unchanged };

/** A stored state, upgraded to the current machine. A state from a newer node is left unchanged. */
export function upgrade(state: ElicitationMachineState): ElicitationMachineState {
  const next = upgrades[state.version];
  return next ? upgrade({ ...next(state), version: state.version + 1 }) : state;
}

/**
 * Version 3 stores which steps of an escalation were taken. Before, only the current stage counted them; of an
 * earlier
 * stage any may have been.
 */
function markTakenSteps(state: ElicitationMachineState): ElicitationMachineState {
  const { stages, stage, escalated } = state.context;
  const marked = stages.map((current, at) =>
    at > stage ? current : withTaken(current, at < stage ? Infinity : escalated),
  );
  return { ...state, context: { ...state.context, stages: marked } };
}

/** The least version that knows the state: nodes from before an upgrade go on with what they can take. */
const versionOf = (version: number, { settlesWithin }: ElicitationContext): number =>
  settlesWithin === undefined ? Math.min(version, versionWithoutOutcomes) : version;

const versionWithoutOutcomes = 5;

/**
 * Rows of version 4 are stored without what their columns say, and a step of version 5 can have a stage of its own, so
 * nodes of the version before must not read them.
 */
function unchanged(state: ElicitationMachineState): ElicitationMachineState {
  return state;
}

function withTaken(stage: Stage, count: number): Stage {
  if (!stage.escalation) return stage;
  const steps = stage.escalation.steps.map((step, at) => (at < count ? { ...step, taken: true } : step));
  return { ...stage, escalation: { ...stage.escalation, steps } };
}

/** A state as its row stores it: without what the row's columns say, and without defaults. */
export type StoredState = Omit<ElicitationMachineState, 'context'> & { context: Partial<ElicitationContext> };

type Columns = Pick<
  ElicitationContext,
  'audience' | 'mode' | 'openedAt' | 'deadlineAt' | 'revision' | 'caller' | 'cause'
>;

/** The stored part of a state, which `fullState` reads back next to the same columns. */
export function storedState({ context, ...state }: ElicitationMachineState, row: Columns): StoredState {
  const implied: Record<string, unknown> = impliedBy(row);
  const rest = Object.entries(context).filter(([name, value]) => !isSame(value, implied[name]));
  return { ...state, version: versionOf(state.version, context), context: Object.fromEntries(rest) };
}

/** The whole state. One that was stored whole stays as it is. */
export const fullState = ({ context, ...state }: StoredState, row: Columns): ElicitationMachineState => ({
  ...state,
  context: { ...impliedBy(row), ...context } as ElicitationContext,
});

const impliedBy = ({ audience, mode, openedAt, deadlineAt, revision, caller, cause }: Columns) => ({
  ...defaults,
  audience,
  mode,
  openedAt,
  deadlineAt,
  revision,
  caller,
  cause,
});

// It never changes: what was stored is read with it. SQL reads `stages`, `stage` and `votes`, so they are always stored.
const defaults = {
  onTimeout: 'expire',
  notBefore: null,
  undo: null,
  reminders: [],
  escalated: 0,
  watch: null,
  inquiry: null,
  remarks: 0,
  breakGlassBy: null,
} satisfies Partial<ElicitationContext>;

const isSame = (value: unknown, other: unknown): boolean =>
  value === other || (isEmptyList(value) && isEmptyList(other));
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
