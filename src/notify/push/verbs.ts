import { auditEntry } from '#audit/entries/rules/entry';
import { sha256 } from '#platform/crypto/digest';
import {
  isPushKey,
  openDevice,
  sealDevice,
  type PushTarget,
  newPushKeys,
  openPushKeys,
  type PushKeys,
} from './rules.ts';
import { newId } from '#platform/crypto/random';
import type { DeviceId, NotificationId, UserId } from '#platform/model/id';
import { invalidInput, Problem } from '#platform/model/problem';
import type { StoredDevice } from './store.ts';
import { readable } from '#requests/state/verbs/change';
import type { Engine } from '#platform/nodes/verbs/engine';
import { webhookAddress } from '../webhooks/verbs.ts';
import { testNotification } from '../verbs/settings.ts';

type DeviceEngine = Pick<Engine, 'devices' | 'ring' | 'now'>;

/** Limit of browsers in which one person is notified. */
const maxDevices = 20;

/** The keys that identify this installation to push services: made at the first start, the same from then on. */
export async function pushKeys({ devices, ring }: Pick<Engine, 'devices' | 'ring'>): Promise<PushKeys> {
  return openPushKeys(ring, (await devices.keys()) ?? (await devices.keepKeys(newPushKeys(ring))));
}

export async function listDevices({ devices, ring }: DeviceEngine, user: UserId) {
  return (await devices.listOf(user)).map((device) =>
    show(
      device,
      readable(() => openDevice(ring, device.id, device.sealed)),
    ),
  );
}

const show = ({ id, hash, addedAt }: StoredDevice, target: PushTarget | null) => ({
  id,
  agent: target?.agent ?? '', // empty if sealed under a secret that this node lacks
  hash: Buffer.from(hash).toString('base64url'),
  addedAt,
});

/** Notifies this person in this browser from now on. Problem `INVALID_INPUT` names the fault. */
export async function addDevice({ devices, ring, now }: DeviceEngine, user: UserId, target: PushTarget) {
  const { host, href: endpoint } = webhookAddress(target.endpoint, 'endpoint');
  const hash = sha256(endpoint);
  assertPushKeys(target.keys);
  const others = (await devices.listOf(user)).filter((device) => !hash.equals(device.hash));
  if (others.length >= maxDevices)
    throw invalidInput(['endpoint'], `Remove another device first: you are told on ${maxDevices} already.`);
  const id = newId('device');
  const stored = { id, userId: user, hash, sealed: sealDevice(ring, id, { ...target, endpoint }), addedAt: now() };
  const event = { type: 'device.added', device: id, user, host } as const;
  const entry = auditEntry(newId('entry'), stored.addedAt, { kind: 'user', id: user }, event);
  if (!(await devices.add(stored, entry))) throw new Problem('unauthenticated');
  return show(stored, target);
}

function assertPushKeys({ p256dh, auth }: PushTarget['keys']): void {
  if (!isPushKey(p256dh)) throw invalidInput(['keys', 'p256dh'], 'Give a public key on P-256, in base64url.');
  if (Buffer.from(auth, 'base64url').length !== 16)
    throw invalidInput(['keys', 'auth'], 'Give 16 bytes, in base64url.');
}

/** Ends notifications in this browser, also due ones. Problem `not-found` if it is not theirs. */
export async function removeDevice({ devices, ring, now }: DeviceEngine, user: UserId, id: DeviceId): Promise<void> {
  const { sealed } = await ownDevice(devices, user, id);
  const target = readable(() => openDevice(ring, id, sealed));
  const event = {
    type: 'device.removed',
    device: id,
    user,
    host: target ? new URL(target.endpoint).host : '',
  } as const;
  const entry = auditEntry(newId('entry'), now(), { kind: 'user', id: user }, event);
  if (!(await devices.remove(id, user, entry))) throw new Problem('not-found');
}

/** Sends a test to this browser, on the way of every notification. Problem `not-found` if it is not theirs. */
export async function testDevice(
  engine: Pick<Engine, 'devices' | 'notifications' | 'now'>,
  user: UserId,
  id: DeviceId,
): Promise<NotificationId> {
  await ownDevice(engine.devices, user, id);
  return testNotification(engine, 'push', id);
}

async function ownDevice(devices: Engine['devices'], user: UserId, id: DeviceId): Promise<StoredDevice> {
  const device = await devices.find(id);
  if (device?.userId !== user) throw new Problem('not-found');
  return device;
}
