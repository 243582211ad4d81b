import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import { takeDueTimers } from '../engine/elicitation/take-due-timers.ts';
import { createLoop, untilDue, withoutSign, type Loop } from './loop.ts';

const batchSize = 100;
/** Milliseconds an outbox row is kept for streams that come back. */
const outboxLife = 24 * 3_600_000;
const pruneEvery = 600_000;

/** Takes due timers while the node runs; any number of nodes may do so at once. */
export function createTimerLoop(engine: Engine, log: Logger): Loop {
  const loop = createLoop(withoutSign, log, 'due timers', async () => {
    while ((await takeDueTimers(engine, batchSize)) === batchSize);
  });
  const heed: Loop['heed'] = ({ timerAt }) => timerAt !== null && loop.within(untilDue(timerAt, engine.now()));
  return { ...loop, heed };
}

/** Milliseconds a click in chat is remembered: longer than its signature is valid. */
const clickLife = 900_000;

/** Milliseconds a settled notification is shown: a month. */
const notificationLife = 30 * 86_400_000;

/** Deletes old outbox rows, notifications, clicks, and expired tokens and sessions. */
export const createPruneLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(pruneEvery, log, 'outbox, notifications, tokens, sessions and clicks', async () => {
    await engine.outbox.prune(engine.now() - outboxLife);
    await engine.tokens.prune(engine.now());
    await engine.users.pruneSessions(engine.now());
    await engine.chat.prune(engine.now() - clickLife);
    await engine.notifications.prune(engine.now() - notificationLife);
  });
