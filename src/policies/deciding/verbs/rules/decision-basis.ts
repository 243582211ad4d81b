import type { Epoch } from '#platform/database/epochs';
import type { StopRecord } from '#requests/stops/store/stops';
import type { RulesSnapshot, Rules, Users } from './rules.ts';

/** The people, policies and stops that one attempt to change a row is judged by, as of when the row was read. */
export function createDecisionBasis({ epoch, ...snapshot }: RulesSnapshot) {
  let read: Partial<Epoch> = {};
  return {
    users(): Promise<Users> {
      read = { ...read, users: epoch.users };
      return snapshot.users();
    },
    rules(): Promise<Rules> {
      read = { ...read, users: epoch.users, policies: epoch.policies };
      return snapshot.rules();
    },
    stops(): Promise<StopRecord[]> {
      read = { ...read, stops: epoch.stops };
      return snapshot.stops();
    },
    /** The epochs of what was read; the statement that stores the change checks them. */
    epoch: (): Partial<Epoch> => read,
  };
}

export type DecisionBasis = ReturnType<typeof createDecisionBasis>;
