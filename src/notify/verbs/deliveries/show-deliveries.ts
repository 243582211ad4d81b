import { may } from '#people/directory/contract/permission';
import type { DeviceId, ElicitationId } from '#platform/model/id';
import { placeKindOf, type DeliveryChannel, type NotificationKind } from '../../contract/notification/notification.ts';
import { chatMemberForm, chatWith, type PlaceKind } from '../../chat/contract/channels.ts';
import type { User } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { assertVisible } from '#requests/inbox/verbs/visibility/visible-of';
import { listWebhooks } from '../../webhooks/verbs/show-webhooks.ts';

/** Something that left Assentry about a request. */
interface ShownDelivery {
  at: number;
  channel: DeliveryChannel;
  kind: NotificationKind;
  /** `failed` was given up. */
  state: 'sent' | 'failed';
  /** A person, a room of a chat, or the machine of a webhook; null if there is no such one any more. */
  to: string | null;
}

type StoredDelivery = Omit<ShownDelivery, 'to'> & { target: string };

/**
 * Who was told of a request, the oldest first, to anyone who may know of it. Which webhooks there are is for
 * those who may watch over requests or change webhooks.
 */
export async function showDeliveries(engine: Engine, user: User, id: ElicitationId): Promise<ShownDelivery[]> {
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

/** By target, what people read; each kind of place is looked up only if there is one. */
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

/** How the places of each kind are named. */
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
