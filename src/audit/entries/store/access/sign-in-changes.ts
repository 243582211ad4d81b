import type { StoredEvent } from '../../rules/entry/entry.ts';
import type { Proof } from '../../rules/evidence/evidence.ts';
import { Prisma } from '#platform/database/generated/prisma/client';
import type { Ledger } from '../entries/sealed-entry.ts';

export const createSignInChanges = ({ query, evidence }: Ledger) => ({
  /** The entries since then by which people sign in otherwise than before, and other changes of people. */
  async since(at: number): Promise<StoredEvent[]> {
    const rows = await query<Proof>(signInChangesStatement(at));
    return rows.flatMap((row) => evidence.open(row) ?? []);
  },
  /** The entry of this id; null if there is none. */
  async find(id: string): Promise<StoredEvent | null> {
    const [row] = await query<Proof>(Prisma.sql`SELECT id, body, mac FROM audit_entry WHERE id = ${id}`);
    return row ? evidence.open(row) : null;
  },
});

/** As the index has it: audit_entry_sign_in_idx. */
export const signInChangesStatement = (at: number): Prisma.Sql => Prisma.sql`
  SELECT id, body, mac FROM audit_entry
   WHERE type IN ('user.password-set', 'user.password-changed', 'user.passkey-added', 'user.passkey-removed',
     'user.totp-added', 'user.totp-removed', 'user.recovery-codes-renewed', 'user.provider-connected',
     'user.provider-removed', 'user.changed')
     AND at >= to_timestamp(${at}::float8 / 1000)`;
