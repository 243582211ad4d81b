import type { AuditEntry } from '../../audit/entry.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { entryJson, insertEntries, insertEntry, type Ledger } from './sealed-entry.ts';

/** Entries about events that change no row: refusals, readings, and calls that policies let pass. */
export interface AccessLog {
  append(entry: AuditEntry): Promise<void>;
  /** Together; an entry whose id is in the log already is left out. */
  appendNew(entries: AuditEntry[]): Promise<void>;
}

export const createAccessLog = ({ prisma, evidence }: Ledger): AccessLog => ({
  async append(entry) {
    await insertEntry(prisma, evidence.seal(entry, {}));
  },
  async appendNew(entries) {
    const sealed = entryJson(entries.map((entry) => evidence.seal(entry, {})));
    await prisma.$executeRaw`${insertEntries(Prisma.sql`(SELECT) AS change`, sealed)} ON CONFLICT (id) DO NOTHING`;
  },
});
