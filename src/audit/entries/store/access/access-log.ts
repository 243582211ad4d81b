import type { AuditEntry, StoredEvent } from '../../rules/entry/entry.ts';
import type { Proof } from '../../rules/evidence/evidence.ts';
import { locks } from '#platform/database/sql/locks';
import { insertEntry, type Ledger } from '../entries/sealed-entry.ts';

/** Entries about events that change no row: refusals, readings, and how the nodes are. */
export const createAccessLog = ({ prisma, evidence }: Ledger) => ({
  async append(entry: AuditEntry) {
    await insertEntry(prisma, evidence.seal(entry, {}));
  },
  /**
   * Unless the latest entry of its type makes this one needless. Only for the types that an index finds. Of nodes that do
   * this at the same time, each sees what the one before it wrote.
   */
  appendUnless: (entry: AuditEntry, isNeedless: (latest: StoredEvent) => boolean) =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.latestEntry})`;
      // As the index has it: audit_entry_latest_idx
      const [latest] = await tx.$queryRaw<Proof[]>`
        SELECT id, body, mac FROM audit_entry
         WHERE type = ${entry.event.type} AND type IN ('log.verified', 'node.configured') ORDER BY seq DESC LIMIT 1`;
      const event = latest ? evidence.open(latest) : null;
      if (!event || !isNeedless(event)) await insertEntry(tx, evidence.seal(entry, {}));
    }),
});

export type AccessLog = ReturnType<typeof createAccessLog>;
