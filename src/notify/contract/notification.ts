import { channels, chatChannels, factsOf, personalChannels, type PlaceKind } from '../chat/contract.ts';
import type { Language } from '#platform/text/language';

/** How a notification is sent: to people in each way of their own, to other programs by webhook, whatever its format. */
export const notificationChannels = [...personalChannels, 'webhook'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** The same, with the messages in chats in which people can vote. */
export const deliveryChannels = [...notificationChannels, ...chatChannels] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

/** What the targets of a delivery are. A message in a chat is no call of a webhook. */
export function placeKindOf(channel: DeliveryChannel): PlaceKind {
  if (channel === 'webhook') return 'webhook';
  return factsOf(channel).chat ? 'chat' : channels[channel].places[0];
}

/**
 * What people are told: that they can vote, that they still can, how a request of theirs or of their server ended; that
 * a policy waits for their review, a key of their server expires, one of its tools changed, a service reported what none of
 * its calls got, or members of a group are to be confirmed; that they
 * sign in otherwise than before; the link that sets their password; or a test.
 */
export const notificationKinds = [
  'turn',
  'reminder',
  'outcome',
  'review',
  'key',
  'tool',
  'members',
  'report',
  'sign-in',
  'link',
  'test',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** `moot` is never sent: there was nothing left to tell. `failed` waits for someone who sends it again. */
export const notificationStates = ['due', 'sent', 'moot', 'failed'] as const;
export type NotificationState = (typeof notificationStates)[number];

/** Together with others: at once, at each full hour, or at nine in the morning. */
export const digests = ['none', 'hourly', 'daily'] as const;
export type Digest = (typeof digests)[number];

/** How a person is notified. */
export interface NotificationSettings {
  /** Are they told by email at all? */
  email: boolean;
  language: Language;
  timeZone: string;
  /** Minutes after midnight of the time zone; `until` may be earlier than `from`. What falls between waits. */
  quiet: { from: number; until: number } | null;
  digest: Digest;
  /** May a request that its policy calls urgent come in quiet hours, and before a digest? */
  urgent: boolean;
}

/** Until a person says otherwise. */
export const defaultNotifications: NotificationSettings = {
  email: true,
  language: 'en',
  timeZone: 'UTC',
  quiet: null,
  digest: 'none',
  urgent: true,
};

/** What can change about how a person signs in. `address` is the one at which they get mails. */
export type SignInChange =
  | 'password'
  | 'passkey-added'
  | 'passkey-removed'
  | 'app-added'
  | 'app-removed'
  | 'recovery-codes'
  | 'provider-connected'
  | 'provider-removed'
  | 'address';
