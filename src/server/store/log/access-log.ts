import type { AuditEntry, StoredEvent } from '#core/audit/entry';
import type { Proof } from '#core/audit/evidence';
import { Prisma } from '../../generated/prisma/client.ts';
import { locks } from '../database/locks.ts';
import { entryJson, insertEntries, insertEntry, type Ledger } from './sealed-entry.ts';

/** Entries about events that change no row: refusals, readings, calls that policies let pass, and how the nodes are. */
export interface AccessLog {
  append(entry: AuditEntry): Promise<void>;
  /** Together; an entry whose id is in the log already is left out. */
  appendNew(entries: AuditEntry[]): Promise<void>;
  /**
   * Unless the latest entry of its type makes this one needless. Only for the types that an index finds. Of nodes that do
   * this at the same time, each sees what the one before it wrote.
   */
  appendUnless(entry: AuditEntry, isNeedless: (latest: StoredEvent) => boolean): Promise<void>;
}

export const createAccessLog = ({ prisma, evidence }: Ledger): AccessLog => ({
  async append(entry) {
    await insertEntry(prisma, evidence.seal(entry, {}));
  },
  async appendNew(entries) {
    const sealed = entryJson(entries.map((entry) => evidence.seal(entry, {})));
    await prisma.$executeRaw`${insertEntries(Prisma.sql`(SELECT) AS change`, sealed)} ON CONFLICT (id) DO NOTHING`;
  },
  appendUnless: (entry, isNeedless) =>
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
