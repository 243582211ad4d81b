import type { AuditEntry } from '#core/audit/entry';
import type { DeviceId, UserId } from '#protocol/model/id';
import { insertEntry, type Ledger } from '../log/sealed-entry.ts';
import { lockUser } from './access.ts';

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

/** The browsers that people are told in, and the keys by which push services know this installation. */
export interface Devices {
  /** The oldest first. */
  list(): Promise<StoredDevice[]>;
  /** Those of this person, the oldest first. */
  listOf(user: UserId): Promise<StoredDevice[]>;
  find(id: DeviceId): Promise<StoredDevice | null>;
  /** Stores it with its entry, in place of the one with the same address. False if the person has been disabled. */
  add(device: StoredDevice, entry: AuditEntry): Promise<boolean>;
  /** Resolves with false, and writes nothing, if the person has none with this id. */
  remove(id: DeviceId, user: UserId, entry: AuditEntry): Promise<boolean>;
  /** Deletes one that its push service has removed. */
  forget(id: DeviceId): Promise<void>;
  rewrap(id: DeviceId, change: Resealing): Promise<void>;
  /** The keys that this installation has, which are these if it had none. */
  keepKeys(sealed: Uint8Array): Promise<Uint8Array>;
  /** Null before the first start. */
  keys(): Promise<Uint8Array | null>;
  rewrapKeys(change: Resealing): Promise<void>;
}

export const createDevices = ({ prisma, evidence }: Ledger): Devices => {
  const orderBy = [{ addedAt: 'asc' as const }, { id: 'asc' as const }];
  const keys = async () => (await prisma.pushKey.findUnique({ where: { id: 1 } }))?.sealed ?? null;
  return {
    list: async () => (await prisma.pushDevice.findMany({ orderBy })).map(toDevice),
    listOf: async (userId) => (await prisma.pushDevice.findMany({ where: { userId }, orderBy })).map(toDevice),
    async find(id) {
      const row = await prisma.pushDevice.findUnique({ where: { id } });
      return row && toDevice(row);
    },
    add: ({ id, userId, addedAt, ...bytes }, entry) =>
      prisma.$transaction(async (tx) => {
        await lockUser(tx, userId);
        if (!(await tx.user.findUnique({ where: { id: userId, disabledAt: null } }))) return false;
        const hash = new Uint8Array(bytes.hash);
        const data = { id, userId, hash, sealed: new Uint8Array(bytes.sealed), addedAt: new Date(addedAt) };
        await tx.pushDevice.upsert({ where: { hash }, create: data, update: data });
        await insertEntry(tx, evidence.seal(entry, {}));
        return true;
      }),
    remove: (id, userId, entry) =>
      prisma.$transaction(async (tx) => {
        const { count } = await tx.pushDevice.deleteMany({ where: { id, userId } });
        if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
        return count === 1;
      }),
    async forget(id) {
      await prisma.pushDevice.deleteMany({ where: { id } });
    },
    async rewrap(id, { was, now }) {
      const where = { id, sealed: new Uint8Array(was) };
      await prisma.pushDevice.updateMany({ where, data: { sealed: new Uint8Array(now) } });
    },
    keys,
    async keepKeys(sealed) {
      await prisma.pushKey.createMany({ data: { id: 1, sealed: new Uint8Array(sealed) }, skipDuplicates: true });
      return (await keys()) ?? sealed;
    },
    async rewrapKeys({ was, now }) {
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
