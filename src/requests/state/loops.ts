import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { takeDueTimers } from './verbs/end.ts';
import { type Alarm, createLoop, untilDue, withoutSign, type Loop } from '#platform/nodes/loops/loop';
import { applyAccepted } from '#people/changes/verbs/changes';

const batchSize = 100;

/** Takes timers when they are due, while the node runs; any number of nodes may do so at once. */
export function createTimerLoop(engine: Engine, alarm: Alarm, log: Logger): Loop {
  const loop = createLoop(withoutSign, log, 'due timers', async () => {
    for (;;) {
      const { taken, nextAt } = await takeDueTimers(engine, batchSize);
      wake(nextAt);
      if (taken < batchSize) return;
    }
  });
  const wake = (at: number | null): void => void (at !== null && loop.within(untilDue(at, engine.now())));
  alarm.onSet(wake);
  return { ...loop, onSigns: ({ timerAt }) => wake(timerAt) };
}

/**
 * Makes accepted changes of power that no node has made yet. Usually the vote that completes an agreement makes its
 * change; this loop makes it if that node died.
 */
export function createChangeLoop(engine: Engine, log: Logger): Loop {
  const loop = createLoop(withoutSign, log, 'accepted changes', () => applyAccepted(engine));
  return { ...loop, onSigns: ({ isUnapplied }) => isUnapplied && loop.within(0) };
}
