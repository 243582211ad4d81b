import { testWebhook } from '../engine/notifications/manage-notifications.ts';
import type { Engine } from '../engine/engine.ts';
import { addWebhook, newWebhook, removeWebhook, type WebhookEngine } from '../engine/webhooks/change-webhooks.ts';
import { listWebhooks, type ShownWebhook } from '../engine/webhooks/show-webhooks.ts';
import type { NotificationId, WebhookId } from '../model/id.ts';

/** The operator's commands for the programs that are told of requests. */
export interface WebhooksOperator {
  /** Adds one, and returns its secret, which is shown once. */
  add(url: string): Promise<ShownWebhook & { secret: string }>;
  list(): Promise<ShownWebhook[]>;
  remove(id: WebhookId): Promise<void>;
  /** Sends it a test. */
  test(id: WebhookId): Promise<NotificationId>;
}

export const createWebhooksOperator = (
  engine: WebhookEngine & Pick<Engine, 'notifications' | 'users'>,
): WebhooksOperator => ({
  async add(url) {
    const { secret, record } = newWebhook(engine, url);
    const { id, host, addedAt } = await addWebhook(engine, 'operator', record);
    return { id, host, addedAt, secret };
  },
  list: () => listWebhooks(engine, 'operator'),
  remove: (id) => removeWebhook(engine, 'operator', id),
  test: (id) => testWebhook(engine, id),
});
