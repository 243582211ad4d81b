import { auditEntry, type AuditEntry } from '../../audit/entry.ts';
import type { DeliveryEvent } from '../../audit/events/delivery-event.ts';
import { requestFacts, type RequestFacts } from '../../audit/events/request-facts.ts';
import { newId } from '../../crypto/random.ts';
import type { DeviceId, UserId } from '../../model/id.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';
import type { Engine } from '../engine.ts';
import { provenRow } from '../proven-row.ts';

type Delivery = Omit<DeliveryEvent, keyof RequestFacts>;

/** Records that the notification was sent or, with the code of its last failure, given up: whom it told, of what. */
export async function endDelivery(
  engine: Pick<Engine, 'notifications' | 'devices' | 'reader' | 'now'>,
  notification: TakenNotification,
  fault: string | null = null,
): Promise<void> {
  const { id, elicitationId: elicitation, channel, kind, target } = notification;
  const isGivenUp = fault !== null;
  const entry = await deliveryEntry(engine, {
    type: isGivenUp ? 'notification.given-up' : 'notification.sent',
    elicitation,
    notification: id,
    channel,
    kind,
    target,
    user: await personBehind(engine, notification),
    failures: notification.failures + (isGivenUp ? 1 : 0),
    fault: fault ?? notification.fault,
  });
  await engine.notifications.end(notification, fault, entry);
}

/** The entry of a delivery, with what the log says of its request. */
export async function deliveryEntry(engine: Pick<Engine, 'reader' | 'now'>, delivery: Delivery): Promise<AuditEntry> {
  const row = delivery.elicitation && (await provenRow(engine, delivery.elicitation));
  const event = { ...(row && requestFacts(row)), ...delivery };
  return auditEntry(newId('entry'), engine.now(), { kind: 'timer' }, event);
}

async function personBehind(
  { devices }: Pick<Engine, 'devices'>,
  { channel, target }: TakenNotification,
): Promise<UserId | null> {
  if (channel === 'email') return target as UserId;
  return channel === 'push' ? ((await devices.find(target as DeviceId))?.userId ?? null) : null;
}
