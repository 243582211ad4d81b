import { assertMay } from '#people/directory/verbs/may';
import { routes } from '#platform/http/contract/openapi';
import { requestChange } from '#people/changes/verbs/changes';
import { listNotifications, replayNotifications, testWebhook } from '../verbs/settings.ts';
import { newWebhook, removeWebhook, listWebhooks } from './verbs.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

/** Routes of webhooks, their deliveries, and failures. */
export function serveWebhookRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listWebhooks, async ({ caller }) => ({ webhooks: await listWebhooks(engine, caller) }));

  serve(routes.addWebhook, async ({ caller, body }) => {
    assertMay(caller, 'change-webhooks');
    const { secret, record } = newWebhook(engine, body);
    const shown = { id: record.webhook, secret };
    return answerChange(await requestChange(engine, caller, 'add-webhook', record), 201, (webhook) => webhook, shown);
  });

  serve(routes.removeWebhook, async ({ caller, params }) => removeWebhook(engine, caller, params.id));

  serve(routes.testWebhook, async ({ caller, params }) => {
    assertMay(caller, 'change-webhooks');
    return { id: await testWebhook(engine, params.id) };
  });

  serve(routes.listNotifications, async ({ caller, query }) => {
    assertMay(caller, 'change-webhooks');
    const listed = await listNotifications(engine, query);
    return {
      notifications: listed.map(({ elicitationId: request, ...rest }) => ({ ...rest, request })),
    };
  });

  serve(routes.replayNotifications, async ({ caller, body: { ids } }) => {
    assertMay(caller, 'change-webhooks');
    return { count: await replayNotifications(engine, ids ?? 'all') };
  });
}
