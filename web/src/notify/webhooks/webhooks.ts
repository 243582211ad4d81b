import { z } from 'zod';
import { TestNotification } from '#notify/contract/settings';
import {
  CreatedWebhook,
  NotificationList,
  Replayed,
  WaitingWebhook,
  WebhookList,
  type NewWebhook,
} from '#notify/webhooks/contract/webhooks';
import { changed } from '#people/changes/contract';
import { address, callApi } from '../../client/call-api.ts';

export const readWebhooks = (signal: AbortSignal) => callApi('/api/webhooks', { answer: WebhookList, signal });

export const addWebhook = (body: NewWebhook) =>
  callApi('/api/webhooks', { method: 'POST', body, answer: z.union([WaitingWebhook, changed(CreatedWebhook)]) });

export const removeWebhook = (id: string) =>
  callApi(address`/api/webhooks/${id}`, { method: 'DELETE', answer: z.null() });

export const testWebhook = (id: string) =>
  callApi(address`/api/webhooks/${id}/test`, { method: 'POST', answer: TestNotification });

/** The latest calls of webhooks; or what was given up, on every channel. */
export const readNotifications = (which: 'calls' | 'failed', signal: AbortSignal) =>
  callApi(`/api/notifications?${which === 'calls' ? 'channel=webhook' : 'state=failed'}`, {
    answer: NotificationList,
    signal,
  });

export const replayNotifications = (ids: string[]) =>
  callApi('/api/notifications/replay', { method: 'POST', body: { ids }, answer: Replayed });
