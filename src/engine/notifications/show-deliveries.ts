import type { DeviceId, ElicitationId } from '../../model/id.ts';
import type { DeliveryChannel, NotificationKind } from '../../model/notifications/notification.ts';
import { channels } from '../../model/channels.ts';
import type { User } from '../../model/user.ts';
import type { Engine } from '../engine.ts';
import { refuseHidden } from '../sight/sight-of.ts';
import { listWebhooks } from '../webhooks/show-webhooks.ts';

/** Something that left Assentry about a request. */
export interface ShownDelivery {
  at: number;
  channel: DeliveryChannel;
  kind: NotificationKind;
  /** `failed` was given up. */
  state: 'sent' | 'failed';
  /** A person, a channel in Slack, or the machine of a webhook; null if there is no such one any more. */
  to: string | null;
}

type StoredDelivery = Omit<ShownDelivery, 'to'> & { target: string };

/**
 * Who was told of a request, the oldest first, to anyone who may know of it. Which webhooks there are is for
 * administrators and reviewers alone.
 */
export async function showDeliveries(engine: Engine, user: User, id: ElicitationId): Promise<ShownDelivery[]> {
  await refuseHidden(engine, user, await engine.reader.elicitation(id), 'notice');
  const stored = await readDeliveries(engine, id);
  const shown = stored.filter(({ channel }) => channel !== 'webhook' || user.role !== 'approver');
  const names = await namesOf(engine, shown);
  return shown
    .sort((first, second) => first.at - second.at)
    .map(({ target, ...delivery }) => ({ ...delivery, to: names.get(target) ?? null }));
}

async function readDeliveries({ notifications, chat }: Engine, id: ElicitationId): Promise<StoredDelivery[]> {
  const [settled, posted] = await Promise.all([notifications.settledAbout(id), chat.postedAbout(id)]);
  return [
    ...settled.flatMap(({ channel, kind, state, settledAt, target }) =>
      settledAt !== null && (state === 'sent' || state === 'failed')
        ? [{ at: settledAt, channel, kind, state, target }]
        : [],
    ),
    ...posted.map((message) => ({ ...message, channel: 'slack', kind: 'turn', state: 'sent' }) as const),
  ];
}

/** By target, what people read; each kind of target is looked up only if there is one. */
async function namesOf(engine: Engine, deliveries: StoredDelivery[]): Promise<Map<string, string>> {
  const targets = (by: DeliveryChannel): string[] =>
    deliveries.flatMap(({ channel, target }) => (channel === by ? [target] : []));
  const [mailed, pushed, called, chatted] = [targets('email'), targets('push'), targets('webhook'), targets('slack')];
  const devices = await Promise.all([...new Set(pushed)].map((device) => engine.devices.find(device as DeviceId)));
  const owners = devices.flatMap((device) => (device ? [[device.id, device.userId] as const] : []));
  const people = await engine.users.names([...mailed, ...owners.map(([, user]) => user)]);
  const members = chatted.some((target) => channels.slack.member.test(target)) ? await engine.users.inSlack() : [];
  const webhooks = called.length > 0 ? await listWebhooks(engine, 'operator') : [];
  return new Map([
    ...people,
    ...owners.flatMap(([device, user]) => named(device, people.get(user))),
    ...chatted.filter((target) => !channels.slack.member.test(target)).map((channel) => [channel, channel] as const),
    ...[...members].map(([member, { name }]) => [member, name] as const),
    ...webhooks.flatMap(({ id, host }) => named(id, host === '' ? undefined : host)),
  ]);
}

const named = (id: string, name: string | undefined): [string, string][] => (name === undefined ? [] : [[id, name]]);
