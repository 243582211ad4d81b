import { auditEntry, type AuditEntry } from '#audit/entries/rules/entry';
import type { Delivered, DeliveryEvent } from '#audit/entries/rules/events';
import { requestFacts, type RequestFacts } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random/random';
import type { DeviceId, UserId } from '#platform/model/id';
import { placeKindOf } from '../../contract/notification/notification.ts';
import type { TakenNotification } from '../../store/notifications.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { provenRow } from '#requests/state/verbs/proven-row';

type Delivery = Omit<DeliveryEvent, keyof RequestFacts>;

/** Records that the notification was sent or, with the code of its last failure, given up: whom it told, of what. */
export const endDelivery = (
  engine: EndingEngine,
  notification: TakenNotification,
  fault: string | null = null,
): Promise<void> => end(engine, [notification], fault);

/** Records that these were sent, with one entry for all of a request, channel and kind. */
export async function endSent(engine: EndingEngine, notifications: readonly TakenNotification[]): Promise<void> {
  const groups = new Map<string, [TakenNotification, ...TakenNotification[]]>();
  for (const notification of notifications) {
    const key = [notification.elicitationId ?? notification.id, notification.channel, notification.kind].join(' ');
    const group = groups.get(key);
    if (group) group.push(notification);
    else groups.set(key, [notification]);
  }
  await Promise.all([...groups.values()].map((group) => end(engine, group, null)));
}

type EndingEngine = Pick<Engine, 'notifications' | 'devices' | 'reader' | 'now'>;

async function end(
  engine: EndingEngine,
  all: [TakenNotification, ...TakenNotification[]],
  fault: string | null,
): Promise<void> {
  const [{ elicitationId: elicitation, channel, kind }] = all;
  const type = fault === null ? 'notification.sent' : 'notification.given-up';
  const [first, ...others] = await Promise.all(all.map((notification) => deliveredBy(engine, notification, fault)));
  if (!first) return;
  const together = others.length > 0 ? { others } : {};
  const entry = await deliveryEntry(engine, { type, elicitation, channel, kind, ...first, ...together });
  if (await engine.notifications.end(all, fault, entry)) return;
  for (const notification of all.length > 1 ? all : []) await end(engine, [notification], fault);
}

const deliveredBy = async (
  engine: EndingEngine,
  notification: TakenNotification,
  fault: string | null,
): Promise<Delivered> => ({
  notification: notification.id,
  target: notification.target,
  user: await personBehind(engine, notification),
  failures: notification.failures + Number(fault !== null),
  fault: fault ?? notification.fault,
});

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
  const kind = placeKindOf(channel);
  if (kind === 'person') return target as UserId;
  return kind === 'device' ? ((await devices.find(target as DeviceId))?.userId ?? null) : null;
}
