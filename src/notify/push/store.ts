import type { AuditEntry } from '#audit/entries/rules/entry';
import type { DeviceId, UserId } from '#platform/model/id';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { lockUser } from '#people/users/store/access';

export interface StoredDevice {
  id: DeviceId;
  userId: UserId;
  /** SHA-256 of its address. */
  hash: Uint8Array;
  sealed: Uint8Array;
  /** Milliseconds since 1970. */
  addedAt: number;
}

interface Resealing {
  was: Uint8Array;
  now: Uint8Array;
}

/** The browsers in which people are notified, and the keys that identify this installation to push services. */
export const createDevices = ({ prisma, evidence }: Ledger) => {
  const orderBy = [{ addedAt: 'asc' as const }, { id: 'asc' as const }];
  const keys = async () => (await prisma.pushKey.findUnique({ where: { id: 1 } }))?.sealed ?? null;
  return {
    /** All devices, the oldest first. */
    list: async (): Promise<StoredDevice[]> => (await prisma.pushDevice.findMany({ orderBy })).map(toDevice),
    /** Devices of this person, the oldest first. */
    listOf: async (userId: UserId): Promise<StoredDevice[]> =>
      (await prisma.pushDevice.findMany({ where: { userId }, orderBy })).map(toDevice),
    async find(id: DeviceId): Promise<StoredDevice | null> {
      const row = await prisma.pushDevice.findUnique({ where: { id } });
      return row && toDevice(row);
    },
    /** Stores a device with its entry, in place of one with the same address. False if the person has been disabled. */
    add: ({ id, userId, addedAt, ...bytes }: StoredDevice, entry: AuditEntry): Promise<boolean> =>
      prisma.$transaction(async (tx) => {
        await lockUser(tx, userId);
        if (!(await tx.user.findUnique({ where: { id: userId, disabledAt: null } }))) return false;
        const hash = new Uint8Array(bytes.hash);
        const data = { id, userId, hash, sealed: new Uint8Array(bytes.sealed), addedAt: new Date(addedAt) };
        await tx.pushDevice.upsert({ where: { hash }, create: data, update: data });
        await insertEntry(tx, evidence.seal(entry, {}));
        return true;
      }),
    /** Removes a device; resolves with false, and writes nothing, if the person has none with this id. */
    remove: (id: DeviceId, userId: UserId, entry: AuditEntry): Promise<boolean> =>
      prisma.$transaction(async (tx) => {
        const { count } = await tx.pushDevice.deleteMany({ where: { id, userId } });
        if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
        return count === 1;
      }),
    /** Deletes a device that its push service has removed. */
    async forget(id: DeviceId) {
      await prisma.pushDevice.deleteMany({ where: { id } });
    },
    async rewrap(id: DeviceId, { was, now }: Resealing) {
      const where = { id, sealed: new Uint8Array(was) };
      await prisma.pushDevice.updateMany({ where, data: { sealed: new Uint8Array(now) } });
    },
    /** The stored keys; null before the first start. */
    keys,
    /** Stores keys unless there are some, and returns the stored ones. */
    async keepKeys(sealed: Uint8Array): Promise<Uint8Array> {
      await prisma.pushKey.createMany({ data: { id: 1, sealed: new Uint8Array(sealed) }, skipDuplicates: true });
      return (await keys()) ?? sealed;
    },
    async rewrapKeys({ was, now }: Resealing) {
      await prisma.pushKey.updateMany({
        where: { id: 1, sealed: new Uint8Array(was) },
        data: { sealed: new Uint8Array(now) },
      });
    },
  };
};

interface DeviceRow {
  id: string;
  userId: string;
  hash: Uint8Array;
  sealed: Uint8Array;
  addedAt: Date;
}

const toDevice = ({ id, userId, hash, sealed, addedAt }: DeviceRow): StoredDevice => ({
  id: id as DeviceId,
  userId: userId as UserId,
  hash,
  sealed,
  addedAt: addedAt.getTime(),
});
