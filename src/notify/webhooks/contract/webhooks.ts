import { z } from 'zod';
import { webhookFormats } from '../../chat/contract.ts';
import { notificationChannels, notificationKinds, notificationStates } from '../../contract/notification.ts';
import { languages } from '#platform/text/language';
import { idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { ElicitationId, Moment, storable } from '#requests/asking/contract/open';
import { changed, WaitingChange } from '#people/changes/contract';
import { TestNotification } from '../../contract/settings.ts';

/** API of webhooks, their deliveries, and failures. */
const WebhookId = idText('webhook').meta({ id: 'WebhookId' });

const Webhook = z
  .object({
    id: WebhookId,
    host: z.string().meta({
      description: 'The machine of its address. The rest of the address is shown to no one, for it may be a secret.',
    }),
    format: z.enum(webhookFormats).nullable(),
    addedAt: Moment,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

const WebhookList = z.object({ webhooks: z.array(Webhook) }).meta({ id: 'WebhookList' });

const NewWebhook = z
  .strictObject({
    url: storable(2000).meta({ description: 'An https address.' }),
    format: z.enum(webhookFormats).default('standard').meta({
      description:
        'Standard Webhooks; `{ text }` for a chat; an adaptive card for Microsoft Teams; PagerDuty’s Events API.',
    }),
    language: z.enum(languages).default('en').meta({ description: 'Of the sentences in every format but `standard`.' }),
    key: storable(64).optional().meta({ description: 'The integration key, for PagerDuty alone.' }),
  })
  .meta({ id: 'NewWebhook' });
export type NewWebhook = z.input<typeof NewWebhook>;

const secret = z.string().nullable().meta({
  description: 'Verifies what is sent, in the standard format; null in others. Shown once.',
});

const CreatedWebhook = Webhook.extend({ secret }).meta({ id: 'CreatedWebhook' });

/** A webhook that gets nothing until a second administrator has accepted it. */
export const WaitingWebhook = WaitingChange.extend({ id: WebhookId, secret }).meta({ id: 'WaitingWebhook' });
export type WaitingWebhook = z.infer<typeof WaitingWebhook>;

const NotificationId = idText('notification');

const NotificationEntry = z
  .object({
    id: NotificationId,
    request: ElicitationId.nullable().meta({ description: 'Null if it is about none.' }),
    channel: z.enum(notificationChannels),
    to: z.object({ id: z.string(), name: z.string() }),
    kind: z.enum(notificationKinds),
    state: z.enum(notificationStates),
    createdAt: Moment,
    failures: z.int(),
    fault: z.string().nullable().meta({ description: 'The code of the last failure.' }),
  })
  .meta({ id: 'NotificationEntry' });
export type NotificationEntry = z.infer<typeof NotificationEntry>;

export const NotificationList = z
  .object({ notifications: z.array(NotificationEntry) })
  .meta({ id: 'NotificationList' });
export type NotificationList = z.infer<typeof NotificationList>;

const NotificationQuery = z.strictObject({
  state: z.enum(notificationStates).optional().meta({ description: '`failed` was given up.' }),
  channel: z.enum(notificationChannels).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type NotificationQuery = z.output<typeof NotificationQuery>;

const ReplayNotifications = z
  .strictObject({
    ids: z.array(NotificationId).min(1).max(500).optional().meta({ description: 'All of them if absent.' }),
  })
  .meta({ id: 'ReplayNotifications' });

const Replayed = z.object({ count: z.int().min(0) }).meta({ id: 'Replayed' });

const webhook = z.object({ id: WebhookId });

export const webhookRoutes = {
  listWebhooks: {
    method: 'get',
    path: '/api/webhooks',
    auth: 'session-or-token',
    permission: 'change-webhooks',
    summary: 'The programs that get a message for each request.',
    success: { 200: WebhookList },
  },
  addWebhook: {
    method: 'post',
    path: '/api/webhooks',
    auth: 'session-or-token',
    permission: 'change-webhooks',
    proof: 'fresh',
    summary: 'Tell a program of every request that waits for people. Two administrators decide it.',
    body: NewWebhook,
    success: { 201: changed(CreatedWebhook), 202: WaitingWebhook },
  },
  removeWebhook: {
    method: 'delete',
    path: '/api/webhooks/{id}',
    auth: 'session-or-token',
    permission: 'change-webhooks',
    proof: 'fresh',
    summary: 'Tell a program nothing more.',
    params: webhook,
    success: { 204: null },
  },
  testWebhook: {
    method: 'post',
    path: '/api/webhooks/{id}/test',
    auth: 'session',
    permission: 'change-webhooks',
    proof: 'none',
    summary: 'Send a test, which goes the way of every notification.',
    params: webhook,
    success: { 202: TestNotification },
  },
  listNotifications: {
    method: 'get',
    path: '/api/notifications',
    auth: 'session',
    permission: 'change-webhooks',
    summary: 'The latest notifications, the newest first.',
    query: NotificationQuery,
    success: { 200: NotificationList },
  },
  replayNotifications: {
    method: 'post',
    path: '/api/notifications/replay',
    auth: 'session',
    permission: 'change-webhooks',
    proof: 'fresh',
    summary: 'Send again what was given up; what no longer applies is not sent.',
    body: ReplayNotifications,
    success: { 200: Replayed },
  },
} as const satisfies Record<string, RouteContract>;
