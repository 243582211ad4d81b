import type { ElicitationId } from '#platform/model/id';
import type { KeyScope } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertOwn } from '#people/directory/verbs/scope';
import { currentElicitation } from '../../../state/verbs/change/change.ts';

/**
 * Resolves with the elicitation when it is closed, or as it is when the signal aborts. A wake-up is only a hint: the
 * row is read again each time. It listens until the signal aborts: abort it when this has settled.
 */
export async function waitForOutcome(
  engine: Engine,
  server: KeyScope,
  id: ElicitationId,
  signal: AbortSignal,
): Promise<ElicitationRow> {
  for (;;) {
    // Listen before reading, so that a change between the two still wakes.
    const changed = engine.feed.changed(id, signal);
    const row = await currentElicitation(engine, id);
    assertOwn(row, server);
    if (row.status !== 'open' || signal.aborted) return row;
    await changed;
  }
}
