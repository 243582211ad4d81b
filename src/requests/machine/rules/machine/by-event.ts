import type { Action } from '../../../asking/contract/elicitation.ts';
import type { ElicitationContext, ElicitationEvent, EventOf } from './context.ts';

interface Arguments {
  context: ElicitationContext;
  event: ElicitationEvent;
}

/** A guard or an assignment for one kind of event. */
const on =
  <T extends ElicitationEvent['type'], R>(type: T, look: (context: ElicitationContext, event: EventOf<T>) => R) =>
  ({ context, event }: Arguments): R | undefined =>
    event.type === type ? look(context, event as EventOf<T>) : undefined;

/** A guard that is false at every other event. */
export const allows = <T extends ElicitationEvent['type']>(
  type: T,
  look: (context: ElicitationContext, event: EventOf<T>) => boolean,
) => {
  const guard = on(type, look);
  return (args: Arguments): boolean => guard(args) ?? false;
};

export const says =
  (action: Action) =>
  ({ event }: Arguments): boolean =>
    'action' in event && event.action === action;

/** An assignment that changes nothing at every other event. */
export const change = <T extends ElicitationEvent['type']>(
  type: T,
  look: (context: ElicitationContext, event: EventOf<T>) => Partial<ElicitationContext>,
) => {
  const changed = on(type, look);
  return (args: Arguments): Partial<ElicitationContext> => changed(args) ?? {};
};
