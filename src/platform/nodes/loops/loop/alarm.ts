import { earliest, type ElicitationRow } from '#requests/state/store/row/row';
import type { Transactor } from '../../../database/transactor.ts';

/** Says when the timers are due that this node stores: a look for due timers might come too late for them. */
export function createAlarm() {
  let notify: (at: number) => void = () => {};
  const set = (isStored: boolean, { timers }: ElicitationRow['state']): boolean => {
    const at = isStored ? earliest(timers) : null;
    if (at !== null) notify(at);
    return isStored;
  };
  return {
    /** The same transactor; what it has stored sets the alarm. */
    watching: ({ open, change }: Transactor): Transactor => ({
      open: async (opening) => set(await open(opening), opening.elicitation.state),
      change: async (next) => set(await change(next), next.state),
    }),
    /** Calls back with the earliest timer of each request that is stored from now on. */
    onSet: (listener: (at: number) => void) => void (notify = listener),
  };
}

export type Alarm = ReturnType<typeof createAlarm>;
