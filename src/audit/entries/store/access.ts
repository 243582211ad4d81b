import type { AuditEntry, StoredEvent } from '../rules/entry.ts';
import type { Proof } from '../rules/evidence.ts';
import { locks } from '#platform/database/sql';
import { insertEntry, type Ledger } from './entries.ts';
import { Prisma } from '#platform/database/generated/prisma/client';

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
