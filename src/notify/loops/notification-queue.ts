import type { Channel } from '../channel/channel/channel.ts';
import { endDelivery, endSent } from '../verbs/deliveries/delivery-entry.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { maxNotifiedAtOnce } from '../verbs/plan-notices/choose-people.ts';
import type { NotificationChannel } from '../contract/notification/notification.ts';
import type { TakenNotification } from '../store/notifications.ts';
import type { DispatchQueue } from '#platform/nodes/loops/dispatcher/dispatcher';

/** As many people as are notified of one request. */
const peopleAtOnce = { concurrency: maxNotifiedAtOnce, maxPerPlace: maxNotifiedAtOnce };
/** A receiver far away still gets hundreds of events in a second, and four that hang hold up no other. */
const callsAtOnce = { concurrency: 100, maxPerPlace: 20 };

/**
 * The notifications of this channel: each has a queue of its own, so that thousands of mails keep no webhook waiting.
 * What is sent to people of one request is recorded together, so that the log has one entry for it and not one for each
 * person.
 */
export function notificationQueue(
  engine: Engine,
  name: NotificationChannel,
  channel: Channel,
): DispatchQueue<TakenNotification> {
  const { notifications } = engine;
  const { isBatched } = channel;
  return {
    name: `notifications (${name})`,
    givenUpLine: 'a notification was given up: see "assentry notification list --failed"',
    ...(isBatched ? peopleAtOnce : callsAtOnce),
    leaseMs: 120_000,
    maxWaitMs: 3_600_000,
    maxFailures: 24, // about half a day
    take: (at, lease, limit, skipped) => notifications.take({ channel: name, skipped, isBatched }, at, lease, limit),
    recordKey: (item) => (isBatched ? item.channel : item.id),
    place: ({ target }) => target,
    sendKey: (item) => (isBatched ? item.target : item.id),
    send: (items) => send(engine, channel, items),
    record: (sent) => endSent(engine, sent),
    retry: (item, code, at) => notifications.postpone(item, code, at),
    giveUp: (item, code) => endDelivery(engine, item, code),
    describe: ({ id }) => ({ notification: id, channel: name }),
  };
}

async function send(
  { notifications, now }: Engine,
  channel: Channel,
  items: readonly TakenNotification[],
): Promise<TakenNotification[]> {
  const applying: TakenNotification[] = [];
  const shown: unknown[] = [];
  for (const item of items) {
    const content = await channel.show(item);
    if (content) {
      applying.push(item);
      shown.push(content);
    } else await notifications.dismiss(item, now());
  }
  const [first] = applying;
  if (!first) return [];
  if ((await channel.send([shown[0], ...shown.slice(1)], first.id)) === 'sent') return applying;
  await Promise.all(applying.map((item) => notifications.dismiss(item, now())));
  return [];
}
