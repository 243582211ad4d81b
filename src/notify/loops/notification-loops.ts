import type { Logger } from 'pino';
import { createChannels } from '../channel/channels.ts';
import type { Channel } from '../channel/channel/channel.ts';
import { createWebhookClient } from '../webhooks/channel/webhooks/webhook-client.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { planNews } from '../verbs/plan/plan-news.ts';
import { createSignInPlanner } from '../verbs/notices/sign-in-notices.ts';
import { createPlanner } from '../verbs/plan/plan-notifications.ts';
import { notificationChannels, type NotificationChannel } from '../contract/notification/notification.ts';
import type { MailServer } from '../mail/contract.ts';
import type { WebhookReach } from '../webhooks/contract/webhook.ts';
import { createLoop, untilDue, withoutSign, type Loop } from '#platform/nodes/loops/loop/loop';
import { createDispatcher } from '#platform/nodes/loops/dispatcher/dispatcher';
import { notificationQueue } from './notification-queue.ts';
import { warnOfLag } from './warn-of-lag.ts';
import { warnOfMails } from '../mail/loops.ts';

interface Ways {
  /** Null: this installation sends no mails. */
  smtp: MailServer | null;
  webhooks: WebhookReach;
}

/** Milliseconds between two looks, which ask the database only if there is news. */
const planningIntervalMs = 250;
const every = 1000;

const lagIntervalMs = 15_000;

/** Milliseconds. */
const newsIntervalMs = 30_000;

/** Plans notifications and sends them while the node runs. */
export function createNotificationLoops(engine: Engine, node: string, ways: Ways, log: Logger): Loop[] {
  const sending = sendingLoops(engine, ways, log);
  return [planningLoop(engine, node, { sending, log }), lagLoop(engine, log), newsLoop(engine, log), ...sending];
}

function planningLoop(engine: Engine, node: string, { sending, log }: { sending: Loop[]; log: Logger }): Loop {
  const planner = createPlanner(engine, node, (request, err) => {
    log.error({ request, err }, 'no one is told of this request: its notifications could not be planned');
  });
  const loop = createLoop(planningIntervalMs, log, 'the plan of notifications', async () => {
    if (await planner.plan()) for (const loop of sending) loop.within(0);
  });
  const stop = async (): Promise<void> => {
    planner.stop();
    await loop.stop();
  };
  return { ...loop, stop };
}

const lagLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(lagIntervalMs, log, 'what no one is told of', async () => {
    await warnOfLag(engine, log);
    await warnOfMails(engine, log);
  });

/** What is about no request, which leaves no row in the outbox. */
function newsLoop(engine: Engine, log: Logger): Loop {
  const signIns = createSignInPlanner(engine);
  return createLoop(newsIntervalMs, log, 'news for people', async () => {
    await planNews(engine);
    await signIns.plan();
  });
}

/** One for each channel, so that none waits for another. */
function sendingLoops(engine: Engine, ways: Ways, log: Logger): Loop[] {
  const channels = createChannels({ engine, client: createWebhookClient(ways.webhooks) }, ways);
  return notificationChannels.flatMap((name) => {
    const channel = channels[name];
    return channel ? [sendingLoop(engine, name, { channel, log })] : [];
  });
}

function sendingLoop(
  engine: Engine,
  name: NotificationChannel,
  { channel, log }: { channel: Channel; log: Logger },
): Loop {
  const onCapacity = (): void => loop.within(0);
  const dispatcher = createDispatcher(notificationQueue(engine, name, channel), { now: engine.now, log, onCapacity });
  const loop = createLoop(withoutSign, log, `notifications (${name})`, async () => {
    if (!(await dispatcher.poll())) loop.within(every);
  });
  const stop = async (): Promise<void> => {
    await loop.stop();
    await dispatcher.drain();
    channel.close?.();
  };
  const onSigns: Loop['onSigns'] = ({ notificationAt: at }) => at !== null && loop.within(untilDue(at, engine.now()));
  return { ...loop, onSigns, stop };
}
