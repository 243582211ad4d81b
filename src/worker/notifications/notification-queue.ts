import type { Channel } from '../../channels/parts/channel.ts';
import { endDelivery, endSent } from '../../engine/notifications/delivery-entry.ts';
import type { Engine } from '../../engine/engine.ts';
import { maxToldAtOnce } from '../../engine/notifications/choose-people.ts';
import { notificationChannels, type NotificationChannel } from '../../model/notifications/notification.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';
import type { DispatchQueue } from '../dispatcher.ts';

/**
 * The notifications of these channels. What is sent to people of one request is recorded together, so that the log has
 * one entry for it and not one for each person.
 */
export function notificationQueue(
  engine: Engine,
  channels: Record<NotificationChannel, Channel | null>,
): DispatchQueue<TakenNotification> {
  const { notifications } = engine;
  const names = notificationChannels.filter((name) => channels[name]);
  const isBatched = ({ channel }: TakenNotification): boolean => channels[channel]?.isBatched === true;
  return {
    name: 'notifications',
    givenUpLine: 'a notification was given up: see "assentry notification list --failed"',
    concurrency: maxToldAtOnce, // as many people as are notified of one request
    leaseMs: 120_000,
    maxWaitMs: 3_600_000,
    maxFailures: 24, // about half a day
    take: (at, lease, limit) => notifications.take(names, at, lease, limit),
    recordKey: (item) => (isBatched(item) ? item.channel : item.id),
    sendKey: (item) => (isBatched(item) ? item.target : item.id),
    send: (items) => send(engine, channels[items[0].channel], items),
    record: (sent) => endSent(engine, sent),
    retry: (item, code, at) => notifications.postpone(item, code, at),
    giveUp: (item, code) => endDelivery(engine, item, code),
    describe: ({ id, channel }) => ({ notification: id, channel }),
  };
}

async function send(
  { notifications, now }: Engine,
  channel: Channel | null,
  items: readonly TakenNotification[],
): Promise<TakenNotification[]> {
  const applying: TakenNotification[] = [];
  const shown: unknown[] = [];
  for (const item of items) {
    const content = await channel?.show(item);
    if (content) {
      applying.push(item);
      shown.push(content);
    } else await notifications.dismiss(item, now());
  }
  const [first] = applying;
  if (!first || !channel) return [];
  if ((await channel.send([shown[0], ...shown.slice(1)], first.id)) === 'sent') return applying;
  await Promise.all(applying.map((item) => notifications.dismiss(item, now())));
  return [];
}
