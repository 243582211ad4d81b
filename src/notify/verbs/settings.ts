import type { NotificationId, UserId, WebhookId } from '#platform/model/id';
import { defaultNotifications, type NotificationSettings, type NotificationChannel } from '../contract/notification.ts';
import { Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import { newId } from '#platform/crypto/random';
import { listWebhooks, showWebhook } from '../webhooks/verbs.ts';
import type { NotificationQuery } from '../webhooks/contract/webhooks.ts';
import type { ChangeNotificationSettings } from '../contract/settings.ts';

type SettingsEngine = Pick<Engine, 'notifications'>;

/** Notification settings of this person. */
export async function notificationSettings(
  { notifications }: SettingsEngine,
  user: UserId,
): Promise<NotificationSettings> {
  return (await notifications.settingsOf([user])).get(user) ?? defaultNotifications;
}

/** Changes the given settings and keeps the rest; returns all. Planned notifications keep their time. */
export async function changeNotificationSettings(
  engine: SettingsEngine,
  user: UserId,
  changes: ChangeNotificationSettings,
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

type NotifyingEngine = Pick<Engine, 'notifications' | 'users' | 'webhooks' | 'devices' | 'ring' | 'now'>;

/** The latest notifications of this choice, without content of requests. */
export async function listNotifications(engine: NotifyingEngine, choice: NotificationQuery) {
  const stored = await engine.notifications.list(choice);
  const hosts = new Map((await listWebhooks(engine, 'operator')).map(({ id, host }) => [id as string, host]));
  const owners = new Map((await engine.devices.list()).map(({ id, userId }) => [id as string, userId as string]));
  const names = await engine.users.names(stored.map(({ target }) => owners.get(target) ?? target));
  return stored.map(({ target, ...rest }) => {
    const name = names.get(owners.get(target) ?? target) ?? hosts.get(target) ?? '';
    return { ...rest, to: { id: target, name } };
  });
}

/** Sends failed notifications again, by id or all; returns how many. Outdated ones are not sent. */
export async function replayNotifications(
  { notifications, now }: NotifyingEngine,
  ids: NotificationId[] | 'all',
): Promise<number> {
  const count = await notifications.replay(ids, now());
  if (ids !== 'all' && count === 0)
    throw new Problem('not-found', { detail: 'Check the ids: none of them is a failed notification.' });
  return count;
}

/** Makes a test to this person or webhook due, on the way of every notification. */
export async function testNotification(
  { notifications, now }: Pick<Engine, 'notifications' | 'now'>,
  channel: NotificationChannel,
  target: string,
): Promise<NotificationId> {
  const id = newId('notification');
  await notifications.addTest(id, channel, target, now());
  return id;
}

/** Makes a test to an existing webhook due. */
export async function testWebhook(engine: NotifyingEngine, id: WebhookId): Promise<NotificationId> {
  await showWebhook(engine, id);
  return testNotification(engine, 'webhook', id);
}
