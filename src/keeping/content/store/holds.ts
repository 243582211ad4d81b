import type { AuditEntry } from '#audit/entries/rules/entry';
import type { HoldId } from '#platform/model/id';
import type { InCommit } from '#platform/database/database/in-commit';
import { locks } from '#platform/database/sql/locks';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { holdDigest, readHolds, type HoldRecord } from './stored-hold.ts';

/** Legal holds: what they cover and whether they are in force follows from the log alone. */
export const createHolds = ({ prisma, evidence }: Ledger) => ({
  /** Those in force, and those that were released; the latest first. */
  list: (): Promise<HoldRecord[]> => readHolds(prisma, evidence),
  /** Waits for a running erasure, so that nothing in its scope is erased after this resolves. */
  place: ({ id, reason }: { id: HoldId; reason: string }, entry: AuditEntry, also: InCommit) =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.keeping})`;
      await also(tx);
      await tx.hold.create({ data: { id, reason } });
      await insertEntry(tx, evidence.seal(entry, { [id]: holdDigest({ id, reason }) }, id));
    }),
  /** Resolves with false, and writes nothing, if it is not in force. */
  release: (id: HoldId, entry: AuditEntry, also: InCommit): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.keeping})`;
      const hold = (await readHolds(tx, evidence)).find((candidate) => candidate.id === id);
      if (!hold || hold.released) return false;
      await also(tx);
      await insertEntry(tx, evidence.seal(entry, { [id]: holdDigest(hold) }, id));
      return true;
    }),
});
