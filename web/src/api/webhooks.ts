import { z } from 'zod';
import { TestNotification } from '#protocol/contract/console/notification';
import {
  CreatedWebhook,
  NotificationList,
  Replayed,
  WaitingWebhook,
  WebhookList,
  type NewWebhook,
} from '#protocol/contract/console/webhook';
import { changed } from '#protocol/contract/users/change';
import type { Changed } from './changes.ts';
import { callApi } from './call-api.ts';

export const readWebhooks = (signal: AbortSignal): Promise<WebhookList> =>
  callApi('/api/webhooks', { answer: WebhookList, signal });

export const addWebhook = (
  body: NewWebhook,
): Promise<Changed<CreatedWebhook> & Pick<CreatedWebhook, 'id' | 'secret'>> =>
  callApi('/api/webhooks', { method: 'POST', body, answer: z.union([WaitingWebhook, changed(CreatedWebhook)]) });

export const removeWebhook = (id: string): Promise<null> =>
  callApi(`/api/webhooks/${encodeURIComponent(id)}`, { method: 'DELETE', answer: z.null() });

export const testWebhook = (id: string): Promise<unknown> =>
  callApi(`/api/webhooks/${encodeURIComponent(id)}/test`, { method: 'POST', answer: TestNotification });

/** The latest calls of webhooks; or what was given up, on every channel. */
export const readNotifications = (which: 'calls' | 'failed', signal: AbortSignal): Promise<NotificationList> =>
  callApi(`/api/notifications?${which === 'calls' ? 'channel=webhook' : 'state=failed'}`, {
    answer: NotificationList,
    signal,
  });

export const replayNotifications = (ids: string[]): Promise<unknown> =>
  callApi('/api/notifications/replay', { method: 'POST', body: { ids }, answer: Replayed });
