import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** A plan follows a change within seconds; one that waits longer waits for an operator. */
const maxLagMs = 60_000;

/** Warns operators while notifications stand still: in the log once, at `/readyz` while it lasts. */
export async function warnOfLag(
  { notifications, health, now }: Pick<Engine, 'notifications' | 'health' | 'now'>,
  log: Pick<Logger, 'error'>,
): Promise<void> {
  const { changes, since } = await notifications.lag();
  if (since === null || now() - since < maxLagMs) return health.clear('notifications-stand-still');
  if (!health.warn({ code: 'notifications-stand-still', changes, since })) return;
  log.error({ changes, since: new Date(since).toISOString() }, 'notifications stand still: no one is told of changes');
}
