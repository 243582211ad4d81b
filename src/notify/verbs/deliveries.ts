import { may } from '#people/directory/contract/permission';
import type { DeviceId, ElicitationId, UserId } from '#platform/model/id';
import { placeKindOf } from '../contract/notification.ts';
import { chatMemberForm, chatWith, type PlaceKind } from '../chat/contract.ts';
import type { User } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertVisible } from '#requests/inbox/verbs/visibility';
import { listWebhooks } from '../webhooks/verbs.ts';
import { auditEntry, type AuditEntry } from '#audit/entries/rules/entry';
import { type Delivered, type DeliveryEvent, requestFacts, type RequestFacts } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random';
import type { TakenNotification } from '../store.ts';
import { provenRow } from '#requests/state/verbs/proven-row';
import type { Delivery } from '../contract/settings.ts';

type StoredDelivery = Omit<Delivery, 'to'> & { target: string };

/**
 * Deliveries about a request, the oldest first, for people who may know of it. Webhooks are listed only for people who may
 * watch over requests or change webhooks.
 */
export async function showDeliveries(engine: Engine, user: User, id: ElicitationId): Promise<Delivery[]> {
  await assertVisible(engine, user, await engine.reader.elicitation(id), 'notice');
  const stored = await readDeliveries(engine, id);
  const shown = stored.filter(
    ({ channel }) => placeKindOf(channel) !== 'webhook' || may(user, 'watch-requests') || may(user, 'change-webhooks'),
  );
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
    ...posted.flatMap((message) => {
      const channel = chatWith(message.target);
      return channel ? [{ ...message, channel, kind: 'turn', state: 'sent' } as const] : [];
    }),
  ];
}

/** Names for people, by target; each kind of place is looked up only if present. */
async function namesOf(engine: Engine, deliveries: StoredDelivery[]): Promise<Map<string, string>> {
  const kinds = Object.keys(namers) as PlaceKind[];
  const names = await Promise.all(
    kinds.map((kind) => {
      const targets = deliveries.filter(({ channel }) => placeKindOf(channel) === kind).map(({ target }) => target);
      return targets.length > 0 ? namers[kind](engine, [...new Set(targets)]) : [];
    }),
  );
  return new Map(names.flatMap((part) => [...part]));
}

type Names = Iterable<readonly [target: string, name: string]>;

/** Namers of places by kind. */
const namers: Record<PlaceKind, (engine: Engine, targets: string[]) => Promise<Names>> = {
  person: ({ users }, targets) => users.names(targets),
  async device({ devices, users }, targets) {
    const stored = await Promise.all(targets.map((device) => devices.find(device as DeviceId)));
    const owners = stored.flatMap((device) => (device ? [[device.id, device.userId] as const] : []));
    const people = await users.names(owners.map(([, user]) => user));
    return owners.flatMap(([device, user]) => named(device, people.get(user)));
  },
  async webhook(engine) {
    return (await listWebhooks(engine, 'operator')).flatMap(({ id, host }) => named(id, host || undefined));
  },
  async chat({ users }, targets) {
    const members = await users.inChat();
    return targets.flatMap((target) => named(target, chatMemberForm.test(target) ? members.get(target)?.name : target));
  },
};

const named = (id: string, name: string | undefined): [string, string][] => (name === undefined ? [] : [[id, name]]);

type DeliveryFacts = Omit<DeliveryEvent, keyof RequestFacts>;

/** Records that the notification was sent or, with the code of its last failure, given up: with its recipients and kind. */
export const endDelivery = (
  engine: EndingEngine,
  notification: TakenNotification,
  fault: string | null = null,
): Promise<void> => end(engine, [notification], fault);

/** Records that these were sent, with one entry for all of a request, channel and kind. */
export async function endSent(engine: EndingEngine, notifications: readonly TakenNotification[]): Promise<void> {
  const groups = new Map<string, [TakenNotification, ...TakenNotification[]]>();
  for (const notification of notifications) {
    const key = [notification.elicitationId ?? notification.id, notification.channel, notification.kind].join(' ');
    const group = groups.get(key);
    if (group) group.push(notification);
    else groups.set(key, [notification]);
  }
  await Promise.all([...groups.values()].map((group) => end(engine, group, null)));
}

type EndingEngine = Pick<Engine, 'notifications' | 'devices' | 'reader' | 'now'>;

async function end(
  engine: EndingEngine,
  all: [TakenNotification, ...TakenNotification[]],
  fault: string | null,
): Promise<void> {
  const [{ elicitationId: elicitation, channel, kind }] = all;
  const type = fault === null ? 'notification.sent' : 'notification.given-up';
  const [first, ...others] = await Promise.all(all.map((notification) => deliveredBy(engine, notification, fault)));
  if (!first) return;
  const together = others.length > 0 ? { others } : {};
  const entry = await deliveryEntry(engine, { type, elicitation, channel, kind, ...first, ...together });
  if (await engine.notifications.end(all, fault, entry)) return;
  for (const notification of all.length > 1 ? all : []) await end(engine, [notification], fault);
}

const deliveredBy = async (
  engine: EndingEngine,
  notification: TakenNotification,
  fault: string | null,
): Promise<Delivered> => ({
  notification: notification.id,
  target: notification.target,
  user: await personBehind(engine, notification),
  failures: notification.failures + Number(fault !== null),
  fault: fault ?? notification.fault,
});

/** The entry of a delivery, with its request as named in the log. */
export async function deliveryEntry(
  engine: Pick<Engine, 'reader' | 'now'>,
  delivery: DeliveryFacts,
): Promise<AuditEntry> {
  const row = delivery.elicitation && (await provenRow(engine, delivery.elicitation));
  const event = { ...(row && requestFacts(row)), ...delivery };
  return auditEntry(newId('entry'), engine.now(), { kind: 'timer' }, event);
}

async function personBehind(
  { devices }: Pick<Engine, 'devices'>,
  { channel, target }: TakenNotification,
): Promise<UserId | null> {
  const kind = placeKindOf(channel);
  if (kind === 'person') return target as UserId;
  return kind === 'device' ? ((await devices.find(target as DeviceId))?.userId ?? null) : null;
}
