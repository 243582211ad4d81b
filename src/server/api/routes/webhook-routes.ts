import type { Express } from 'express';
import { assertMay } from '../../engine/assert-may.ts';
import type { NotificationList, WebhookList } from '#protocol/contract/console/webhook';
import { routes } from '#protocol/contract/routes';
import { requestChange } from '../../engine/changes/request-change.ts';
import {
  listNotifications,
  replayNotifications,
  testWebhook,
} from '../../engine/notifications/manage-notifications.ts';
import { newWebhook, removeWebhook } from '../../engine/webhooks/change-webhooks.ts';
import { listWebhooks } from '../../engine/webhooks/show-webhooks.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { serve } from '../http/route.ts';
import { answerChange } from './answer-change.ts';

/** Webhooks, and what was sent or could not be. */
export function serveWebhookRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.listWebhooks, authenticate, async ({ caller }) => {
    const body: WebhookList = { webhooks: await listWebhooks(engine, caller) };
    return { status: 200, body };
  });

  serve(app, routes.addWebhook, authenticate, async ({ caller, body }) => {
    assertMay(caller, 'change-webhooks');
    const { secret, record } = newWebhook(engine, body);
    const shown = { id: record.webhook, secret };
    return answerChange(await requestChange(engine, caller, 'add-webhook', record), 201, (webhook) => webhook, shown);
  });

  serve(app, routes.removeWebhook, authenticate, async ({ caller, params }) => {
    await removeWebhook(engine, caller, params.id);
    return { status: 204 };
  });

  serve(app, routes.testWebhook, authenticate, async ({ caller, params }) => {
    assertMay(caller, 'change-webhooks');
    return { status: 202, body: { id: await testWebhook(engine, params.id) } };
  });

  serve(app, routes.listNotifications, authenticate, async ({ caller, query }) => {
    assertMay(caller, 'change-webhooks');
    const listed = await listNotifications(engine, query);
    const body: NotificationList = {
      notifications: listed.map(({ elicitationId: request, ...rest }) => ({ ...rest, request })),
    };
    return { status: 200, body };
  });

  serve(app, routes.replayNotifications, authenticate, async ({ caller, body: { ids } }) => {
    assertMay(caller, 'change-webhooks');
    return { status: 200, body: { count: await replayNotifications(engine, ids ?? 'all') } };
  });
}
