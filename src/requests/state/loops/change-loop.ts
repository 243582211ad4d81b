import type { Logger } from 'pino';
import { applyAccepted } from '#people/changes/verbs/changes';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createLoop, withoutSign, type Loop } from '#platform/nodes/loops/loop';

/**
 * Makes accepted changes of power that no node has made yet. Usually the vote that completes an agreement makes its
 * change; this loop makes it if that node died.
 */
export function createChangeLoop(engine: Engine, log: Logger): Loop {
  const loop = createLoop(withoutSign, log, 'accepted changes', () => applyAccepted(engine));
  return { ...loop, onSigns: ({ isUnapplied }) => isUnapplied && loop.within(0) };
}
