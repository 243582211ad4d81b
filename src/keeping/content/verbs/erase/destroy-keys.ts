import { auditEntry, type Actor, type AuditEvent } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random/random';
import { collectWithin } from '#requests/asking/contract/elicitation';
import type { ElicitationId } from '#platform/model/id';
import type { StoredContent } from '../../store/contents.ts';
import type { Epoch } from '#platform/database/epochs';
import type { InCommit } from '#platform/database/database/in-commit';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { keptByHolds } from '../holds/kept-by-holds.ts';

/** Numbers of requests. */
export interface Erased {
  erased: number;
  /** A legal hold keeps them. */
  held: number;
  /** They are open, or something still rests on their content. */
  needed: number;
}

interface Reason {
  actor: Actor;
  ground: Extract<AuditEvent, { type: 'content.erased' }>['ground'];
  /** The epoch of the policies that say so, if any do. */
  epoch?: Epoch;
}

type IsHeld = Awaited<ReturnType<typeof keptByHolds>>;
type InThatCommit = (tx: Parameters<InCommit>[0], count: Erased, isHeld: IsHeld) => Promise<void>;

/**
 * Destroys the keys of those requests that nothing keeps, with an entry each. `also` gets what will be erased, in the
 * same commit, and prevents it by throwing.
 */
export async function destroyKeys(
  engine: Pick<Engine, 'contents' | 'reader' | 'ring' | 'now'>,
  ids: ElicitationId[],
  by: Reason,
  also: InThatCommit = async () => {},
): Promise<Erased> {
  let count: Erased = { erased: 0, held: 0, needed: 0 };
  let isHeld: IsHeld = () => true;
  const now = engine.now();
  await engine.contents.erase(
    { ids, now, staleBefore: now - collectWithin, ...(by.epoch && { epoch: by.epoch }) },
    async (contents, inForce) => {
      isHeld = await keptByHolds(engine, inForce);
      const free = contents.filter((content) => !isHeld(content));
      const erasable = free.filter(({ isNeeded }) => !isNeeded);
      count = { erased: erasable.length, held: contents.length - free.length, needed: free.length - erasable.length };
      return erasable.map((content) => ({ id: content.id, entry: entryOf(content, now, by) }));
    },
    (tx) => also(tx, count, isHeld),
  );
  return count;
}

const entryOf = (content: StoredContent, now: number, { actor, ground }: Reason) =>
  auditEntry(newId('entry'), now, actor, {
    type: 'content.erased',
    ...requestFacts(content),
    elicitation: content.id,
    ground,
  });
