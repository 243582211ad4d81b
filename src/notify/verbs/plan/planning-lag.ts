import type { Engine } from '#platform/nodes/verbs/engine/engine';

/**
 * Milliseconds for which the first change waits of which no one is notified yet; 0 if there is none, or if no node plans:
 * then there is nothing to wait for.
 */
export async function planningLagMs({ notifications, now }: Pick<Engine, 'notifications' | 'now'>): Promise<number> {
  const [{ since, heldUntil }, at] = [await notifications.lag(), now()];
  return since === null || heldUntil <= at ? 0 : at - since;
}
