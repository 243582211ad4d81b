import type { Logger } from 'pino';
import { endSent } from '../../engine/notifications/delivery-entry.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';
import { postpone } from './postpone.ts';

interface Way<Shown> {
  /** What to tell now; null if it no longer applies. */
  show(notification: TakenNotification): Promise<Shown | null>;
  /** Tells it all at once, the first one's notification giving its name; `moot` if no one is there to be told. */
  send(shown: readonly [Shown, ...Shown[]], id: string): Promise<'sent' | 'moot'>;
}

/**
 * Tells each target at once everything that is due for it, and records how each notification ended: what was sent of one
 * request together, so that the log has one entry for it and not one for each person.
 */
export async function sendTogether<Shown>(
  parts: { engine: Engine; log: Logger },
  due: TakenNotification[],
  way: Way<Shown>,
): Promise<void> {
  const targets = [...new Set(due.map(({ target }) => target))];
  const results = await Promise.allSettled(
    targets.map((target) =>
      sendTo(
        parts,
        due.filter((notification) => notification.target === target),
        way,
      ),
    ),
  );
  await endSent(
    parts.engine,
    results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Returns what was sent. */
async function sendTo<Shown>(
  parts: { engine: Engine; log: Logger },
  due: TakenNotification[],
  { show, send }: Way<Shown>,
): Promise<TakenNotification[]> {
  const { engine } = parts;
  const dismiss = (notification: TakenNotification): Promise<void> =>
    engine.notifications.dismiss(notification, engine.now());
  const applying: { notification: TakenNotification; shown: Shown }[] = [];
  for (const notification of due) {
    const shown = await show(notification);
    if (shown) applying.push({ notification, shown });
    else await dismiss(notification);
  }
  const [first, ...rest] = applying;
  if (!first) return [];
  const all = applying.map(({ notification }) => notification);
  try {
    const state = await send([first.shown, ...rest.map(({ shown }) => shown)], first.notification.id);
    if (state === 'sent') return all;
    await Promise.all(all.map(dismiss));
  } catch (error) {
    await Promise.all(all.map((notification) => postpone(parts, notification, error)));
  }
  return [];
}
