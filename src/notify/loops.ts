import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createChannels } from './channel/channels.ts';
import type { Channel } from './channel/channel.ts';
import { createWebhookClient } from './webhooks/channel/webhooks.ts';
import { planNews, createPlanner } from './verbs/plan.ts';
import { createSignInPlanner } from './verbs/notices.ts';
import { notificationChannels, type NotificationChannel } from './contract/notification.ts';
import type { MailServer } from './mail/contract.ts';
import type { WebhookReach } from './webhooks/contract/webhook.ts';
import { createLoop, untilDue, withoutSign, type Loop } from '#platform/nodes/loops/loop';
import { createDispatcher, type DispatchQueue } from '#platform/nodes/loops/dispatcher';
import { warnOfMails } from './mail/loops.ts';
import { endDelivery, endSent } from './verbs/deliveries.ts';
import { maxNotifiedAtOnce } from './verbs/plan-notices.ts';
import type { TakenNotification } from './store.ts';

/** Longest delay in milliseconds: a plan follows a change within seconds; a later one waits for an operator. */
const maxLagMs = 60_000;

/** Warns operators while notifications stand still: in the log once, at `/readyz` while it lasts. */
export async function warnOfLag(
  { notifications, health, now }: Pick<Engine, 'notifications' | 'health' | 'now'>,
  log: Pick<Logger, 'error'>,
): Promise<void> {
  const { changes, since } = await notifications.lag();
  if (since === null || now() - since < maxLagMs) return health.clear('notifications-stand-still');
  if (!health.warn({ code: 'notifications-stand-still', changes, since })) return;
  log.error({ changes, since: new Date(since).toISOString() }, 'notifications stand still: no one is told of changes');
}

interface Ways {
  /** Null if this installation sends no mails. */
  smtp: MailServer | null;
  webhooks: WebhookReach;
}

/** Milliseconds between two checks, which ask the database only if there is news. */
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

/** Loop for news about no request, which leave no row in the outbox. */
function newsLoop(engine: Engine, log: Logger): Loop {
  const signIns = createSignInPlanner(engine);
  return createLoop(newsIntervalMs, log, 'news for people', async () => {
    await planNews(engine);
    await signIns.plan();
  });
}

/** Loops for each channel, so that none waits for another. */
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

/** Limits of people notified at once: as many as for one request. */
const peopleAtOnce = { concurrency: maxNotifiedAtOnce, maxPerPlace: maxNotifiedAtOnce };
/** Limits of calls at once: a distant receiver still gets hundreds of events in a second, and four that hang block no other. */
const callsAtOnce = { concurrency: 100, maxPerPlace: 20 };

/**
 * Queue of this channel's notifications, separate so that thousands of mails delay no webhook. Notifications to people of one
 * request are recorded together, so that the log has one entry for it and not one for each person.
 */
function notificationQueue(
  engine: Engine,
  name: NotificationChannel,
  channel: Channel,
): DispatchQueue<TakenNotification> {
  const { notifications } = engine;
  const { isBatched } = channel;
  return {
    name: `notifications (${name})`,
    givenUpLine: 'a notification was given up: see "assentry notification list --failed"',
    ...(isBatched ? peopleAtOnce : callsAtOnce),
    leaseMs: 120_000,
    maxWaitMs: 3_600_000,
    maxFailures: 24, // about half a day
    take: (at, lease, limit, skipped) => notifications.take({ channel: name, skipped, isBatched }, at, lease, limit),
    recordKey: (item) => (isBatched ? item.channel : item.id),
    place: ({ target }) => target,
    sendKey: (item) => (isBatched ? item.target : item.id),
    send: (items) => send(engine, channel, items),
    record: (sent) => endSent(engine, sent),
    retry: (item, code, at) => notifications.postpone(item, code, at),
    giveUp: (item, code) => endDelivery(engine, item, code),
    describe: ({ id }) => ({ notification: id, channel: name }),
  };
}

async function send(
  { notifications, now }: Engine,
  channel: Channel,
  items: readonly TakenNotification[],
): Promise<TakenNotification[]> {
  const applying: TakenNotification[] = [];
  const shown: unknown[] = [];
  for (const item of items) {
    const content = await channel.show(item);
    if (content) {
      applying.push(item);
      shown.push(content);
    } else await notifications.dismiss(item, now());
  }
  const [first] = applying;
  if (!first) return [];
  if ((await channel.send([shown[0], ...shown.slice(1)], first.id)) === 'sent') return applying;
  await Promise.all(applying.map((item) => notifications.dismiss(item, now())));
  return [];
}
