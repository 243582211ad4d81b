import type { Epoch } from '../store/database/epochs.ts';
import type { StopRecord } from '../store/elicitation/stops.ts';
import type { Moment, RuleKeeper, Rules, Users } from './rules.ts';

/** The people and policies that one attempt to change a row is judged by: read once, when first needed. */
export interface Known {
  users(): Promise<Users>;
  rules(): Promise<Rules>;
  stops(): Promise<StopRecord[]>;
  /** The epochs of what was read; the statement that stores the change checks them. */
  epoch(): Partial<Pick<Epoch, 'users' | 'policies'>>;
}

export function createKnown(keeper: Pick<RuleKeeper, 'moment'>): Known {
  let moment: Promise<Moment> | undefined;
  let read: ReturnType<Known['epoch']> = {};
  const look = async (names: ('users' | 'policies')[]): Promise<Moment> => {
    const held = await (moment ??= keeper.moment());
    for (const name of names) read = { ...read, [name]: held.epoch[name] };
    return held;
  };
  return {
    users: async () => (await look(['users'])).users(),
    rules: async () => (await look(['users', 'policies'])).rules(),
    stops: async () => (await look([])).stops(),
    epoch: () => read,
  };
}
