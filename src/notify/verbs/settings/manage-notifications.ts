import { newId } from '#platform/crypto/random/random';
import type { NotificationId, WebhookId } from '#platform/model/id';
import type { NotificationChannel } from '../../contract/notification/notification.ts';
import { Problem } from '#platform/model/problem/problem';
import type { NotificationChoice } from '../../store/notifications.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { listWebhooks, showWebhook } from '../../webhooks/verbs/show-webhooks.ts';

type NotifyingEngine = Pick<Engine, 'notifications' | 'users' | 'webhooks' | 'devices' | 'ring' | 'now'>;

/** The latest notifications of this choice. They hold no content of a request. */
export async function listNotifications(engine: NotifyingEngine, choice: NotificationChoice) {
  const stored = await engine.notifications.list(choice);
  const hosts = new Map((await listWebhooks(engine, 'operator')).map(({ id, host }) => [id as string, host]));
  const owners = new Map((await engine.devices.list()).map(({ id, userId }) => [id as string, userId as string]));
  const names = await engine.users.names(stored.map(({ target }) => owners.get(target) ?? target));
  return stored.map(({ target, ...rest }) => {
    const name = names.get(owners.get(target) ?? target) ?? hosts.get(target) ?? '';
    return { ...rest, to: { id: target, name } };
  });
}

/** Sends failed notifications again, by id or all; returns how many. What no longer applies is not sent. */
export async function replayNotifications(
  { notifications, now }: NotifyingEngine,
  ids: NotificationId[] | 'all',
): Promise<number> {
  const count = await notifications.replay(ids, now());
  if (ids !== 'all' && count === 0)
    throw new Problem('not-found', { detail: 'Check the ids: none of them is a failed notification.' });
  return count;
}

/** Makes a test to this person or webhook due, which goes the same way as every notification. */
export async function testNotification(
  { notifications, now }: Pick<Engine, 'notifications' | 'now'>,
  channel: NotificationChannel,
  target: string,
): Promise<NotificationId> {
  const id = newId('notification');
  await notifications.addTest(id, channel, target, now());
  return id;
}

/** The same to a webhook that there is. */
export async function testWebhook(engine: NotifyingEngine, id: WebhookId): Promise<NotificationId> {
  await showWebhook(engine, id);
  return testNotification(engine, 'webhook', id);
}
