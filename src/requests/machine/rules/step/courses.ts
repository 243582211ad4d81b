import { assign } from 'xstate';
import { initialContext, type ElicitationContext, type ElicitationInput } from '../machine/context.ts';
import { elicitationMachine } from '../machine/elicitation-machine.ts';
import { firstTransition, nextTransition, type Effect, type MachineEvent, type Snapshot } from './transition.ts';

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

/** By state and type of event, of both of which the machine has few. */
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
