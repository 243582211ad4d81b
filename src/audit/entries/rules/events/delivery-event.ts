import type { ElicitationId, NotificationId, UserId } from '#platform/model/id';
import type { DeliveryChannel, NotificationKind } from '#notify/contract/notification/notification';
import type { RequestFacts } from './request-facts.ts';

/**
 * A notification of a request was sent or given up; without its text. The entry about a test names no request. One entry
 * covers everyone who was notified at the same time in the same way.
 */
export interface DeliveryEvent extends Partial<RequestFacts>, Delivered {
  type: 'notification.sent' | 'notification.given-up';
  elicitation: ElicitationId | null;
  channel: DeliveryChannel;
  kind: NotificationKind;
  /** All but the first; absent if there is only one. */
  others?: Delivered[];
}

/** One notification of one target. */
export interface Delivered {
  /** Null of a message in chat, which has no id. */
  notification: NotificationId | null;
  /** The person of a mail, the browser, the webhook, or the channel or member in chat. */
  target: string;
  /** Who reads it; null if it is no person. */
  user: UserId | null;
  /** How often it failed. */
  failures: number;
  /** The code of the last failure; null if there was none. */
  fault: string | null;
}
