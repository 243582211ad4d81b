import type { AuditEntry } from '../../audit/entry.ts';
import { insertEntry, type Ledger } from './sealed-entry.ts';

/** Entries of what changed no row: who was refused, who read what. */
export interface AccessLog {
  append(entry: AuditEntry): Promise<void>;
}

export const createAccessLog = ({ prisma, evidence }: Ledger): AccessLog => ({
  async append(entry) {
    await insertEntry(prisma, evidence.seal(entry, {}));
  },
});
