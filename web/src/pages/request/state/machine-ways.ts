import type { MachineShape } from '../../../../../src/contract/console/machine.ts';

/** Guards of which it is known whether they hold. */
export type Facts = Partial<Record<string, boolean>>;

type State = MachineShape['states'][number];
type Transition = State['transitions'][number];

/** The phase in which whatever has these facts begins. */
export const startOf = (shape: MachineShape, facts: Facts): string => restsIn(shape, facts, shape.initial)[0] ?? '';

/** Every other phase that can come right after this one, in the machine's order. */
export function phasesAfter(shape: MachineShape, facts: Facts, phase: string): string[] {
  const active = shape.states.filter(({ id }) => canBeActive(shape, id, phase));
  const targets = active.flatMap(({ transitions }) => possible(transitions, facts).flatMap((one) => one.targets));
  const next = new Set(targets.flatMap((target) => restsIn(shape, facts, target)));
  return shape.states.map(({ id }) => id).filter((id) => id !== phase && next.has(id));
}

/** The phases on the shortest way, both ends included; none where no way leads there. */
export function shortestWay(shape: MachineShape, facts: Facts, from: string, to: string): string[] {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    const last = way.at(-1) ?? from;
    if (last === to) return way;
    const next = phasesAfter(shape, facts, last).filter((one) => !seen.has(one));
    next.forEach((one) => seen.add(one));
    ways.push(...next.map((one) => [...way, one]));
  }
  return [];
}

/** Where it comes to rest after it has entered this state. */
function restsIn(shape: MachineShape, facts: Facts, id: string): string[] {
  const phase = shape.states.find((one) => one.isPhase && isWithin(id, one.id));
  const state = shape.states.find((one) => one.id === id);
  if (phase || !state) return phase ? [phase.id] : [];
  const onward = possible(state.transitions, facts).filter(({ by }) => by === 'always');
  const entered = onward.length > 0 ? onward.flatMap(({ targets }) => targets) : childrenEntered(shape, state);
  return entered.flatMap((one) => restsIn(shape, facts, one));
}

function childrenEntered({ states }: MachineShape, { id, kind, initial }: State): string[] {
  if (kind !== 'parallel') return initial === null ? [] : [initial];
  return states.map((one) => one.id).filter((one) => parentOf(one) === id);
}

/** Can this state be active while the phase is? So are what holds it, what it holds, and what runs next to it. */
function canBeActive({ states }: MachineShape, id: string, phase: string): boolean {
  if (isWithin(id, phase) || isWithin(phase, id)) return true;
  const shared = states.findLast((one) => isWithin(id, one.id) && isWithin(phase, one.id));
  return shared?.kind === 'parallel';
}

/** Without those whose guards do not hold, and those that come after one that is taken for certain. */
function possible(transitions: Transition[], facts: Facts): Transition[] {
  const open = transitions.filter(({ guards }) => guards.every((guard) => facts[guard] !== false));
  const isTaken = ({ guards }: Transition) => guards.every((guard) => facts[guard] === true);
  return open.filter((one, at) => !open.slice(0, at).some((first) => isSameCause(first, one) && isTaken(first)));
}

const isSameCause = (one: Transition, other: Transition): boolean => one.by === other.by && one.name === other.name;

const isWithin = (id: string, whole: string): boolean => id === whole || id.startsWith(`${whole}.`);

const parentOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('.')));
