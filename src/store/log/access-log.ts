import type { AuditEntry } from '../../audit/entry.ts';
import { insertEntry, type Ledger } from './sealed-entry.ts';

/** Entries about events that change no row: refusals and readings. */
export interface AccessLog {
  append(entry: AuditEntry): Promise<void>;
}

export const createAccessLog = ({ prisma, evidence }: Ledger): AccessLog => ({
  async append(entry) {
    await insertEntry(prisma, evidence.seal(entry, {}));
  },
});
