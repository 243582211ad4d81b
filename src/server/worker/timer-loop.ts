import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import { takeDueTimers } from '../engine/elicitation/take-due-timers.ts';
import type { Alarm } from './alarm.ts';
import { createLoop, untilDue, withoutSign, type Loop } from './loop.ts';

const batchSize = 100;
/** Milliseconds an outbox row is kept for streams that come back. */
const outboxLife = 24 * 3_600_000;
const pruneIntervalMs = 600_000;

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

/** Milliseconds a click in chat is remembered: longer than its signature is valid. */
const clickLife = 900_000;

/** Milliseconds a settled notification is shown: a month. */
const notificationLife = 30 * 86_400_000;

const attemptLifeMs = 86_400_000;

/** Deletes old outbox rows, notifications, clicks, and expired tokens and sessions. */
export const createPruneLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(pruneIntervalMs, log, 'outbox, notifications, tokens, sessions and clicks', async () => {
    await engine.outbox.prune(engine.now() - outboxLife);
    await engine.tokens.prune(engine.now());
    await engine.users.pruneSessions(engine.now());
    await engine.passkeys.pruneChallenges(engine.now());
    await engine.federation.prune(engine.now());
    await engine.users.pruneAttempts(engine.now() - attemptLifeMs);
    await engine.chat.prune(engine.now() - clickLife);
    await engine.notifications.prune(engine.now() - notificationLife);
  });
