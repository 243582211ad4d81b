import { testWebhook } from '../engine/notifications/manage-notifications.ts';
import type { Engine } from '../engine/engine.ts';
import {
  addWebhook,
  newWebhook,
  removeWebhook,
  type WebhookEngine,
  type WebhookRequest,
} from '../engine/webhooks/change-webhooks.ts';
import { listWebhooks, type ShownWebhook } from '../engine/webhooks/show-webhooks.ts';
import type { NotificationId, WebhookId } from '#protocol/model/id';

/** The operator's commands for the programs that are told of requests. */
export interface WebhooksOperator {
  /** Adds one, and returns the secret of a standard one, which is shown once. */
  add(url: string, manner?: Partial<Omit<WebhookRequest, 'url'>>): Promise<ShownWebhook & { secret: string | null }>;
  list(): Promise<ShownWebhook[]>;
  remove(id: WebhookId): Promise<void>;
  /** Sends it a test. */
  test(id: WebhookId): Promise<NotificationId>;
}

export const createWebhooksOperator = (
  engine: WebhookEngine & Pick<Engine, 'notifications' | 'users' | 'devices'>,
): WebhooksOperator => ({
  async add(url, { format = 'standard', language = 'en', key } = {}) {
    const { secret, record } = newWebhook(engine, { url, format, language, key });
    const { alone: _alone, ...webhook } = await addWebhook(engine, 'operator', record);
    return { ...webhook, secret };
  },
  list: () => listWebhooks(engine, 'operator'),
  remove: (id) => removeWebhook(engine, 'operator', id),
  test: (id) => testWebhook(engine, id),
});
