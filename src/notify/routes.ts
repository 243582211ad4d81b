import { routes } from '#platform/http/contract/openapi';
import { addDevice, listDevices, pushKeys, removeDevice, testDevice } from './push/verbs.ts';
import { changeNotificationSettings, notificationSettings, testOwnNotification } from './verbs/settings.ts';
import { showDeliveries } from './verbs/deliveries.ts';
import type { ApiParts } from '#platform/http/routes/parts';
import { agentOf } from '#platform/http/routes/authenticate';

/** Routes of notification settings and recipients. */
export function serveNotificationRoutes(parts: ApiParts): void {
  const { engine, serve } = parts;
  const { sendsMails } = engine;
  serve(routes.listDeliveries, async ({ caller, params }) => ({
    deliveries: await showDeliveries(engine, caller, params.id),
  }));

  serve(routes.getNotificationSettings, async ({ caller }) => ({
    ...(await notificationSettings(engine, caller.id)),
    sendsMails,
  }));

  serve(routes.changeNotificationSettings, async ({ caller, body }) => ({
    ...(await changeNotificationSettings(engine, caller.id, body)),
    sendsMails,
  }));

  serve(routes.testNotification, async ({ caller }) => ({ id: await testOwnNotification(engine, caller.id) }));
  serveDevices(parts);
}

function serveDevices({ engine, serve }: ApiParts): void {
  serve(routes.listDevices, async ({ caller }) => {
    const { publicKey: key } = await pushKeys(engine);
    return { key, devices: await listDevices(engine, caller.id) };
  });

  serve(routes.addDevice, async ({ caller, body, request }) =>
    addDevice(engine, caller.id, { ...body, agent: agentOf(request) }),
  );

  serve(routes.removeDevice, async ({ caller, params }) => removeDevice(engine, caller.id, params.id));

  serve(routes.testDevice, async ({ caller, params }) => ({ id: await testDevice(engine, caller.id, params.id) }));
}
