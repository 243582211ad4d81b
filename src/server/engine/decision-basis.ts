import type { Epoch } from '../store/database/epochs.ts';
import type { StopRecord } from '../store/elicitation/stops.ts';
import type { RulesSnapshot, Rules, Users } from './rules.ts';

/** The people, policies and stops that one attempt to change a row is judged by, as of when the row was read. */
export interface DecisionBasis {
  users(): Promise<Users>;
  rules(): Promise<Rules>;
  stops(): Promise<StopRecord[]>;
  /** The epochs of what was read; the statement that stores the change checks them. */
  epoch(): Partial<Epoch>;
}

export function createDecisionBasis({ epoch, ...snapshot }: RulesSnapshot): DecisionBasis {
  let read: ReturnType<DecisionBasis['epoch']> = {};
  return {
    users() {
      read = { ...read, users: epoch.users };
      return snapshot.users();
    },
    rules() {
      read = { ...read, users: epoch.users, policies: epoch.policies };
      return snapshot.rules();
    },
    stops() {
      read = { ...read, stops: epoch.stops };
      return snapshot.stops();
    },
    epoch: () => read,
  };
}
