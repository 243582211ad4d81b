import type { Language } from '#platform/text/language';

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

/** What is absent stays. */
export type NotificationChanges = { [Name in keyof NotificationSettings]?: NotificationSettings[Name] | undefined };

/** Until a person says otherwise. */
export const defaultNotifications: NotificationSettings = {
  email: true,
  language: 'en',
  timeZone: 'UTC',
  quiet: null,
  digest: 'none',
  urgent: true,
};
