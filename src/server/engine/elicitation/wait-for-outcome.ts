import type { ElicitationId } from '#protocol/model/id';
import type { KeyScope } from '#protocol/model/user';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { assertOwn } from '../key-scope.ts';
import { currentElicitation } from './change.ts';

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
