import { testWebhook } from '../verbs/settings.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import {
  addWebhook,
  newWebhook,
  removeWebhook,
  type WebhookEngine,
  type WebhookRequest,
  listWebhooks,
} from './verbs.ts';
import type { WebhookId } from '#platform/model/id';

/** The operator's commands for webhooks. */
export const createWebhooksOperator = (
  engine: WebhookEngine & Pick<Engine, 'notifications' | 'users' | 'devices'>,
) => ({
  /** Adds a webhook, and returns the secret of a standard one, which is shown once. */
  async add(url: string, { format = 'standard', language = 'en', key }: Partial<Omit<WebhookRequest, 'url'>> = {}) {
    const { secret, record } = newWebhook(engine, { url, format, language, key });
    const { alone: _alone, ...webhook } = await addWebhook(engine, 'operator', record);
    return { ...webhook, secret };
  },
  list: () => listWebhooks(engine, 'operator'),
  remove: (id: WebhookId) => removeWebhook(engine, 'operator', id),
  /** Sends a webhook a test. */
  test: (id: WebhookId) => testWebhook(engine, id),
});
