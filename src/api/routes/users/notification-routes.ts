import type { Express } from 'express';
import { routes } from '../../../contract/routes.ts';
import {
  changeNotificationSettings,
  notificationSettings,
  testOwnNotification,
} from '../../../engine/notifications/personal-settings.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { serve } from '../../http/route.ts';

/** How people want to be told. */
export function serveNotificationRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  const { sendsMails } = engine;
  serve(app, routes.getNotificationSettings, authenticate, async ({ caller }) => ({
    status: 200,
    body: { ...(await notificationSettings(engine, caller.id)), sendsMails },
  }));

  serve(app, routes.changeNotificationSettings, authenticate, async ({ caller, body }) => ({
    status: 200,
    body: { ...(await changeNotificationSettings(engine, caller.id, body)), sendsMails },
  }));

  serve(app, routes.testNotification, authenticate, async ({ caller }) => ({
    status: 202,
    body: { id: await testOwnNotification(engine, caller.id) },
  }));
}
