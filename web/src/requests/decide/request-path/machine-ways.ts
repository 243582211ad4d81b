import type { MachineShape } from '#requests/machine/contract';

/** Guards of which it is known whether they hold. */
export type Facts = Partial<Record<string, boolean>>;

type State = MachineShape['states'][number];
type Transition = State['transitions'][number];

/** The phase in which whatever has these facts begins. */
export const startOf = (shape: MachineShape, facts: Facts): string => restsIn(shape, facts, shape.initial)[0] ?? '';

/** Every other phase that can come right after this one, in the machine's order. */
export function phasesAfter(shape: MachineShape, facts: Facts, phase: string): string[] {
  const active = shape.states.filter(({ id }) => canBeActive(shape, id, phase));
  const targets = active.flatMap(({ transitions }) =>
    possible(transitions, facts).flatMap((transition) => transition.targets),
  );
  const next = new Set(targets.flatMap((target) => restsIn(shape, facts, target)));
  return shape.states.map(({ id }) => id).filter((id) => id !== phase && next.has(id));
}

/** The phases on the shortest way, both ends included; none if no way leads there. */
export function shortestWay(shape: MachineShape, facts: Facts, from: string, to: string): string[] {
  const ways = [[from]];
  const visited = new Set([from]);
  for (const way of ways) {
    const last = way.at(-1) ?? from;
    if (last === to) return way;
    const next = phasesAfter(shape, facts, last).filter((phase) => !visited.has(phase));
    next.forEach((phase) => visited.add(phase));
    ways.push(...next.map((phase) => [...way, phase]));
  }
  return [];
}

/** Where it comes to rest after it has entered this state. */
function restsIn(shape: MachineShape, facts: Facts, id: string): string[] {
  const phase = shape.states.find((state) => state.isPhase && isWithin(id, state.id));
  const state = shape.states.find((state) => state.id === id);
  if (phase || !state) return phase ? [phase.id] : [];
  const onward = possible(state.transitions, facts).filter(({ by }) => by === 'always');
  const entered = onward.length > 0 ? onward.flatMap(({ targets }) => targets) : childrenEntered(shape, state);
  return entered.flatMap((target) => restsIn(shape, facts, target));
}

function childrenEntered({ states }: MachineShape, { id, kind, initial }: State): string[] {
  if (kind !== 'parallel') return initial === null ? [] : [initial];
  return states.map((state) => state.id).filter((child) => parentOf(child) === id);
}

/** Can this state be active while the phase is? So are what holds it, what it holds, and what runs next to it. */
function canBeActive({ states }: MachineShape, id: string, phase: string): boolean {
  if (isWithin(id, phase) || isWithin(phase, id)) return true;
  const shared = states.findLast((state) => isWithin(id, state.id) && isWithin(phase, state.id));
  return shared?.kind === 'parallel';
}

/** Without those whose guards do not hold, and those that come after one that is taken for certain. */
function possible(transitions: Transition[], facts: Facts): Transition[] {
  const open = transitions.filter(({ guards }) => guards.every((guard) => facts[guard] !== false));
  const isTaken = ({ guards }: Transition) => guards.every((guard) => facts[guard] === true);
  return open.filter(
    (transition, at) => !open.slice(0, at).some((first) => isSameCause(first, transition) && isTaken(first)),
  );
}

const isSameCause = (first: Transition, other: Transition): boolean =>
  first.by === other.by && first.name === other.name;

const isWithin = (id: string, whole: string): boolean => id === whole || id.startsWith(`${whole}.`);

const parentOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('.')));
