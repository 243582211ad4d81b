import type { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../database/database.ts';
import { logSnapshotIn, type LogSnapshot } from '#audit/verify/store';
import { stateSnapshotIn, type StateSnapshot } from './state-snapshot.ts';

/** The log and the state that follows from it, at one moment, however long they are read. */
export type Snapshot = LogSnapshot & StateSnapshot;

export type ReadSnapshot = <T>(read: (snapshot: Snapshot) => Promise<T>) => Promise<T>;

/** Milliseconds that reading a long log may take. */
const maxSnapshotMs = 6 * 3_600_000;

/** Reads from one snapshot. Later commits are not in it, and do not wait for it. */
export const createReadSnapshot =
  ({ prisma }: Pick<Database, 'prisma'>): ReadSnapshot =>
  (read) =>
    prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
        return read(await snapshotIn(tx));
      },
      { isolationLevel: 'RepeatableRead', timeout: maxSnapshotMs },
    );

/** What this transaction sees. */
export const snapshotIn = async (tx: Prisma.TransactionClient): Promise<Snapshot> => ({
  ...(await logSnapshotIn(tx)),
  ...stateSnapshotIn(tx),
});
