import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { eraseOutlived } from './verbs/erase.ts';
import { reservationLife } from '#requests/asking/verbs/memos';
import { keepConfirmations } from '#people/groups/verbs';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';

/** Intervals in milliseconds: policies keep content for days, and members are confirmed in days. */
const hourMs = 3_600_000;
const pruneIntervalMs = 600_000;

/** Milliseconds an outbox row is kept for streams that come back. */
const outboxLife = 24 * hourMs;

/** Milliseconds a click in chat is remembered: longer than its signature is valid. */
const clickLife = 900_000;

/** Milliseconds a settled notification is shown: a month. */
const notificationLife = 30 * 86_400_000;

const attemptLifeMs = 86_400_000;

/** Milliseconds for which tries of a code are kept after the end of their request. */
const tryLifeMs = 86_400_000;

/**
 * Erases content after its retention time; warns people who confirm the members of groups, and removes members not confirmed in
 * time; deletes rows no longer needed.
 */
export const createUpkeepLoops = (engine: Engine, log: Logger): Loop[] => [
  createLoop(hourMs, log, 'content whose time is over', () => eraseOutlived(engine)),
  createLoop(hourMs, log, 'members to confirm', () => keepConfirmations(engine)),
  createLoop(pruneIntervalMs, log, 'outbox, notifications, tokens, sessions and clicks', () => prune(engine)),
];

async function prune(engine: Engine): Promise<void> {
  await engine.outbox.prune(engine.now() - outboxLife);
  await engine.tokens.prune(engine.now());
  await engine.callMemos.prune(engine.now() - reservationLife);
  await engine.pageTries.prune(engine.now() - tryLifeMs);
  await engine.users.pruneSessions(engine.now());
  await engine.passkeys.pruneChallenges(engine.now());
  await engine.federation.prune(engine.now());
  await engine.users.pruneAttempts(engine.now() - attemptLifeMs);
  await engine.chat.prune(engine.now() - clickLife);
  await engine.notifications.prune(engine.now() - notificationLife);
}
