import type { Epoch } from '../store/database/epochs.ts';
import type { Moment, RuleKeeper, Rules, Users } from './rules.ts';

/** The people and the policies that one attempt to change a row is decided on: read when first asked for, and once. */
export interface Known {
  users(): Promise<Users>;
  rules(): Promise<Rules>;
  /** As of when, of what was read; the statement that stores the change checks it. */
  epoch(): Partial<Epoch>;
}

export function createKnown(keeper: Pick<RuleKeeper, 'moment'>): Known {
  let moment: Promise<Moment> | undefined;
  let read: Partial<Epoch> = {};
  const look = async (names: (keyof Epoch)[]): Promise<Moment> => {
    const held = await (moment ??= keeper.moment());
    for (const name of names) read = { ...read, [name]: held.epoch[name] };
    return held;
  };
  return {
    users: async () => (await look(['users'])).users(),
    rules: async () => (await look(['users', 'policies'])).rules(),
    epoch: () => read,
  };
}
