import type { Logger } from 'pino';
import { endDelivery } from '../../engine/notifications/delivery-entry.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';
import { DeliveryFailure } from './delivery-failure.ts';

/** Milliseconds. */
const longestWait = 3_600_000;
/** About half a day of failures in a row. */
const mostFailures = 24;

/** A refusal for good stays one; everything else is tried again, each time after twice as long. */
export async function postpone(
  { engine, log }: { engine: Engine; log: Logger },
  notification: TakenNotification,
  error: unknown,
): Promise<void> {
  if (!(error instanceof DeliveryFailure)) throw error;
  const { code, isFinal } = error;
  const line = { notification: notification.id, channel: notification.channel, code };
  if (isFinal || notification.failures + 1 >= mostFailures) {
    log.error(line, 'a notification was given up: see "assentry notification list --failed"');
    return endDelivery(engine, notification, code);
  }
  log.warn(line, 'could not send a notification; will try again');
  const wait = Math.min(Math.max(1000 * 2 ** notification.failures, error.wait), longestWait);
  await engine.notifications.postpone(notification, code, engine.now() + wait);
}
