import type { Logger } from 'pino';
import type { Engine } from '../../engine/engine.ts';
import { endDelivery } from '../../engine/notifications/delivery-entry.ts';
import { showEvent } from '../../engine/notifications/show-event.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';
import { postpone } from './postpone.ts';
import { writeCall } from './write-call.ts';
import type { WebhookClient } from './webhook-client.ts';

export interface WebhookSender {
  engine: Engine;
  client: WebhookClient;
  log: Logger;
}

/** Sends these at the same time: none waits for another one's receiver. */
export async function sendWebhooks(sender: WebhookSender, due: TakenNotification[]): Promise<void> {
  await Promise.all(due.map((notification) => send(sender, notification)));
}

async function send(sender: WebhookSender, notification: TakenNotification): Promise<void> {
  const { engine, client } = sender;
  const shown = await showEvent(engine, notification);
  const call = shown && writeCall(shown, { id: notification.id, at: engine.now() });
  if (!call) return engine.notifications.dismiss(notification, engine.now());
  try {
    await client.post(shown.target.url, call.headers, call.body);
    await endDelivery(engine, notification);
  } catch (error) {
    await postpone(sender, notification, error);
  }
}
