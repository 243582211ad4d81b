import { canonicalJson } from '#platform/crypto/digest/canonical-json';
import type { DirectoryRecord } from '../../../directory/store/directory-record/directory-record.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import {
  outdatedChange,
  type Administrator,
  type Agreement,
} from '../../../directory/verbs/directory/change-directory.ts';

interface Definition<Wanted, Facts extends object, Done> {
  title: string;
  /** The verb itself: it refuses what needs a second administrator. */
  act(engine: Engine, by: Administrator, change: Wanted): Promise<Done>;
  /** What the change is, in full, for the people who decide: who, what, from, to. */
  facts(directory: DirectoryRecord, change: Wanted): Facts;
  /** Exactly what these facts say. */
  changeIn(facts: Facts): Wanted;
  /** In one sentence. */
  say(facts: Facts): string;
  /** The part that only takes power away, if any, and the rest. */
  split?(directory: DirectoryRecord, change: Wanted): { taking: Wanted | null; giving: Wanted };
}

/** One kind of change of who may decide. */
export interface ChangeKind<Wanted, Done> {
  act: Definition<Wanted, object, Done>['act'];
  split: NonNullable<Definition<Wanted, object, Done>['split']>;
  /** The facts of a change as it would be made now, and how to ask about it. */
  describe(directory: DirectoryRecord, change: Wanted): { title: string; message: string; facts: object };
  /** Makes the change that these facts describe; problem `not-now` if they are no longer true. */
  apply(engine: Engine, by: Omit<Agreement, 'expects'>, facts: object): Promise<unknown>;
}

/** What was agreed on is the facts, so the change is read from them, and they must still be true when it is made. */
export const changeKind = <Wanted, Facts extends object, Done>({
  title,
  act,
  facts: read,
  changeIn: wantedIn,
  say,
  split = (_directory, change) => ({ taking: null, giving: change }),
}: Definition<Wanted, Facts, Done>): ChangeKind<Wanted, Done> => ({
  act,
  split,
  describe(directory, change) {
    const facts = read(directory, change);
    return { title, message: say(facts), facts };
  },
  apply(engine, by, stored) {
    const facts = stored as Facts; // sealed by this installation, under the name of this kind
    const change = wantedIn(facts);
    const expects = (directory: DirectoryRecord): void => {
      if (canonicalJson(read(directory, change)) !== canonicalJson(facts)) throw outdatedChange();
    };
    return act(engine, { ...by, expects }, change);
  },
});
