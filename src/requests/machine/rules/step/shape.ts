import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { elicitationMachine, machineVersion } from '../machine/elicitation-machine.ts';

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
