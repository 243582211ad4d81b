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

/** How people want to be told, and who was told. */
export function serveNotificationRoutes(parts: ApiParts): void {
  const { engine, serve } = parts;
  const { sendsMails } = engine;
  serve(routes.listDeliveries, async ({ caller, params }) => ({
    status: 200,
    body: { deliveries: await showDeliveries(engine, caller, params.id) },
  }));

  serve(routes.getNotificationSettings, async ({ caller }) => ({
    status: 200,
    body: { ...(await notificationSettings(engine, caller.id)), sendsMails },
  }));

  serve(routes.changeNotificationSettings, async ({ caller, body }) => ({
    status: 200,
    body: { ...(await changeNotificationSettings(engine, caller.id, body)), sendsMails },
  }));

  serve(routes.testNotification, async ({ caller }) => ({
    status: 202,
    body: { id: await testOwnNotification(engine, caller.id) },
  }));
  serveDevices(parts);
}

function serveDevices({ engine, serve }: ApiParts): void {
  serve(routes.listDevices, async ({ caller }) => {
    const { publicKey: key } = await pushKeys(engine);
    return { status: 200, body: { key, devices: await listDevices(engine, caller.id) } };
  });

  serve(routes.addDevice, async ({ caller, body, request }) => {
    return { status: 201, body: await addDevice(engine, caller.id, { ...body, agent: agentOf(request) }) };
  });

  serve(routes.removeDevice, async ({ caller, params }) => {
    await removeDevice(engine, caller.id, params.id);
    return { status: 204 };
  });

  serve(routes.testDevice, async ({ caller, params }) => ({
    status: 202,
    body: { id: await testDevice(engine, caller.id, params.id) },
  }));
}
