import { channels, chatChannels, factsOf, personalChannels, type PlaceKind } from '../chat/contract.ts';
import type { Language } from '#platform/text/language';

/** Channels of notifications: each personal one for people, and webhooks of any format for programs. */
export const notificationChannels = [...personalChannels, 'webhook'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** Channels of deliveries: notifications, and chats in which people can vote. */
export const deliveryChannels = [...notificationChannels, ...chatChannels] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

/** Kind of a delivery's targets. A message in a chat is no call of a webhook. */
export function placeKindOf(channel: DeliveryChannel): PlaceKind {
  if (channel === 'webhook') return 'webhook';
  return factsOf(channel).chat ? 'chat' : channels[channel].places[0];
}

/**
 * Kinds of notifications to people: they can vote, or still can; a request of theirs or of their server ended; a policy waits
 * for their review, a key of their server expires, one of its tools changed, a service reported a result that no call got, or
 * members of a group are to be confirmed; their sign-in changed; the link that sets their password; or a test.
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

/** `moot` is never sent: it no longer applied. `failed` waits until someone sends it again. */
export const notificationStates = ['due', 'sent', 'moot', 'failed'] as const;
export type NotificationState = (typeof notificationStates)[number];

/** Digests: none, at each full hour, or at nine in the morning. */
export const digests = ['none', 'hourly', 'daily'] as const;
export type Digest = (typeof digests)[number];

/** Notification settings of a person. */
export interface NotificationSettings {
  /** Are they notified by email at all? */
  email: boolean;
  language: Language;
  timeZone: string;
  /** Minutes after midnight of the time zone; `until` may be earlier than `from`. Notifications in between wait. */
  quiet: { from: number; until: number } | null;
  digest: Digest;
  /** May a request that its policy calls urgent come in quiet hours, and before a digest? */
  urgent: boolean;
}

/** Defaults until a person changes them. */
export const defaultNotifications: NotificationSettings = {
  email: true,
  language: 'en',
  timeZone: 'UTC',
  quiet: null,
  digest: 'none',
  urgent: true,
};

/** Changes of a person's sign-in. `address` is the one at which they get mails. */
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
