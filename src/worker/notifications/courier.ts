import type { Logger } from 'pino';
import type { Engine } from '../../engine/engine.ts';
import { maxToldAtOnce } from '../../engine/notifications/choose-people.ts';
import { notificationChannels, type NotificationChannel } from '../../model/notifications/notification.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';

/** Sends notifications of one channel, and records how each ended. */
export type Sender = (due: TakenNotification[]) => Promise<void>;

interface CourierParts {
  engine: Engine;
  log: Logger;
  /** The channels that this node sends on. */
  senders: Partial<Record<NotificationChannel, Sender>>;
}

export interface Courier {
  /** Takes what is due, in one statement, and begins to send it. False if it has no hand free. */
  turn(): Promise<boolean>;
  /** Resolves when everything taken has been sent or postponed. */
  rest(): Promise<void>;
}

/** Milliseconds for which a node holds what it took; after that others may send it. */
const lease = 120_000;
/** Notifications under way at once: as many as people are told of one request. */
const together = maxToldAtOnce;

/**
 * Sends what is due, a bounded number of notifications in a turn. One node at a time takes a notification. If it dies in between,
 * the notification is due again and the same one may arrive twice, under the same name.
 */
export function createCourier({ engine, log, senders }: CourierParts): Courier {
  const channels = notificationChannels.filter((channel) => senders[channel]);
  const sending = new Set<Promise<void>>();
  let count = 0;
  const begin = (send: Sender, due: TakenNotification[]): void => {
    count += due.length;
    const sent = send(due)
      .catch((err: unknown) => log.error({ err }, 'notifications: will try again'))
      .finally(() => {
        count -= due.length;
        sending.delete(sent);
      });
    sending.add(sent);
  };
  return {
    async turn() {
      if (count >= together) return false;
      const now = engine.now();
      const due = await engine.notifications.take(channels, now, now + lease, together - count);
      for (const channel of channels) {
        const theirs = due.filter((notification) => notification.channel === channel);
        const send = senders[channel];
        if (send && theirs.length > 0) begin(send, theirs);
      }
      return count < together;
    },
    async rest() {
      await Promise.all(sending);
    },
  };
}
