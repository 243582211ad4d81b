import type { NotificationId, UserId } from '#platform/model/id';
import {
  defaultNotifications,
  type NotificationChanges,
  type NotificationSettings,
} from '../../contract/notification/notification-settings.ts';
import { Problem } from '#platform/model/problem/problem';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { testNotification } from './manage-notifications.ts';

type SettingsEngine = Pick<Engine, 'notifications'>;

/** How this person is notified. */
export async function notificationSettings(
  { notifications }: SettingsEngine,
  user: UserId,
): Promise<NotificationSettings> {
  return (await notifications.settingsOf([user])).get(user) ?? defaultNotifications;
}

/** Changes what is named and keeps the rest; returns all. What was planned before keeps its time. */
export async function changeNotificationSettings(
  engine: SettingsEngine,
  user: UserId,
  changes: NotificationChanges,
): Promise<NotificationSettings> {
  const before = await notificationSettings(engine, user);
  const settings: NotificationSettings = {
    email: changes.email ?? before.email,
    language: changes.language ?? before.language,
    timeZone: changes.timeZone ?? before.timeZone,
    quiet: changes.quiet === undefined ? before.quiet : changes.quiet,
    digest: changes.digest ?? before.digest,
    urgent: changes.urgent ?? before.urgent,
  };
  await engine.notifications.saveSettings(user, settings);
  return settings;
}

/** Sends a test to the person themselves. Problem `not-now` if this installation sends no mails. */
export async function testOwnNotification(
  engine: Pick<Engine, 'notifications' | 'users' | 'now' | 'sendsMails'>,
  user: UserId,
): Promise<NotificationId> {
  if (!engine.sendsMails)
    throw new Problem('not-now', {
      detail: 'Ask the operator to set ASSENTRY_SMTP_URL: this installation sends no mails.',
    });
  return testNotification(engine, 'email', user);
}
