import type { Express } from 'express';
import { routes } from '#protocol/contract/routes';
import { addDevice, listDevices, pushKeys, removeDevice, testDevice } from '../../../engine/notifications/devices.ts';
import {
  changeNotificationSettings,
  notificationSettings,
  testOwnNotification,
} from '../../../engine/notifications/personal-settings.ts';
import { showDeliveries } from '../../../engine/notifications/show-deliveries.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { agentOf } from '../../http/authenticate.ts';
import { serve } from '../../http/route.ts';

/** How people want to be told, and who was told. */
export function serveNotificationRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  const { sendsMails } = engine;
  serve(app, routes.listDeliveries, authenticate, async ({ caller, params }) => ({
    status: 200,
    body: { deliveries: await showDeliveries(engine, caller, params.id) },
  }));

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
  serveDevices(app, { engine, authenticate });
}

function serveDevices(app: Express, { engine, authenticate }: Pick<ApiParts, 'engine' | 'authenticate'>): void {
  serve(app, routes.listDevices, authenticate, async ({ caller }) => {
    const { publicKey: key } = await pushKeys(engine);
    return { status: 200, body: { key, devices: await listDevices(engine, caller.id) } };
  });

  serve(app, routes.addDevice, authenticate, async ({ caller, body, request }) => {
    return { status: 201, body: await addDevice(engine, caller.id, { ...body, agent: agentOf(request) }) };
  });

  serve(app, routes.removeDevice, authenticate, async ({ caller, params }) => {
    await removeDevice(engine, caller.id, params.id);
    return { status: 204 };
  });

  serve(app, routes.testDevice, authenticate, async ({ caller, params }) => ({
    status: 202,
    body: { id: await testDevice(engine, caller.id, params.id) },
  }));
}
