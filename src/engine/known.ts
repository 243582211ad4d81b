import type { Epoch } from '../store/database/epochs.ts';
import type { StopRecord } from '../store/elicitation/stops.ts';
import type { Moment, Rules, Users } from './rules.ts';

/** The people, the policies and the stops that one attempt to change a row is decided on, as of when the row was read. */
export interface Known {
  users(): Promise<Users>;
  rules(): Promise<Rules>;
  stops(): Promise<StopRecord[]>;
  /** As of when, of what was read; the statement that stores the change checks it. */
  epoch(): Partial<Epoch>;
}

export function createKnown({ epoch, ...moment }: Moment): Known {
  let read: ReturnType<Known['epoch']> = {};
  return {
    users() {
      read = { ...read, users: epoch.users };
      return moment.users();
    },
    rules() {
      read = { ...read, users: epoch.users, policies: epoch.policies };
      return moment.rules();
    },
    stops() {
      read = { ...read, stops: epoch.stops };
      return moment.stops();
    },
    epoch: () => read,
  };
}
