import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { elicitationMachine, machineVersion } from './elicitation-machine.ts';

/** A way out of a state. Of those with one `by` and `name`, the first whose guards hold is taken. */
interface ShapeTransition {
  by: 'event' | 'delay' | 'always';
  /** The event or the delay; null if the machine continues by itself. */
  name: string | null;
  /** All of them must hold. */
  guards: string[];
  /** None if the state stays and only its context changes. */
  targets: string[];
}

interface ShapeState {
  /** Its path from the root: `open.asking`. */
  id: string;
  kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  initial: string | null;
  /** Do people see this state? */
  isPhase: boolean;
  transitions: ShapeTransition[];
}

export interface MachineShape {
  version: number;
  initial: string;
  states: ShapeState[];
}

/** The statechart as data, read off the machine that runs; no context, no code. */
export const machineShape = (): MachineShape => ({
  version: machineVersion,
  initial: initialOf(elicitationMachine.root) ?? '',
  states: statesIn(elicitationMachine.root),
});

function statesIn(node: AnyStateNode): ShapeState[] {
  return Object.values<AnyStateNode>(node.states).flatMap((state) => [shapeOf(state), ...statesIn(state)]);
}

const shapeOf = (node: AnyStateNode): ShapeState => ({
  id: pathOf(node),
  kind: node.type,
  initial: node.type === 'compound' ? initialOf(node) : null,
  isPhase: node.meta?.isPhase === true,
  transitions: [...node.transitions.values(), node.always ?? []]
    .flat()
    .map((transition) => transitionOf(node, transition)),
});

function transitionOf(node: AnyStateNode, { eventType, guard, target }: AnyTransitionDefinition): ShapeTransition {
  const delay = node.after.find((transition) => transition.eventType === eventType)?.delay;
  const by = delay !== undefined ? 'delay' : eventType === '' ? 'always' : 'event';
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
