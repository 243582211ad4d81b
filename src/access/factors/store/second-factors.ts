import type { AuditEntry } from '#audit/entries/rules/entry';
import type { RowDigests } from '#audit/entries/rules/evidence';
import { totpTable } from './factors.ts';
import { Prisma } from '#platform/database/generated/prisma/client';
import type { PasskeyId, TotpId, UserId } from '#platform/model/id';
import {
  latestEntry,
  proofColumns,
  proofFrom,
  type StoredProof,
  insertEntry,
  type Ledger,
} from '#audit/entries/store/entries';
import type { InCommit } from '#platform/database/database';
import { lockUser } from '#people/users/store/access';
import { passkeyDigest, toPasskey } from '../../passkeys/store.ts';
import { copy } from '#people/directory/store/directory-record';

/** An authenticator app. Times are milliseconds since 1970. */
interface StoredTotp {
  id: TotpId;
  userId: UserId;
  /** The administrator for whom it counts as well; null if it is the person's own. */
  issuedBy: UserId | null;
  addedAt: number;
  removedAt: number | null;
}

/** An app that makes codes. Its remaining state is in no entry. */
export interface ActiveTotp extends StoredTotp {
  /** Its secret and the hashes of its recovery codes, sealed. */
  sealed: Uint8Array;
  /** The step of the last code that counted. */
  lastStep: number;
  /** The places of the recovery codes that were used. */
  usedCodes: number[];
}

/** Authenticator apps of people: each has one at most. */
export const createSecondFactors = ({ prisma, query, evidence }: Ledger) => ({
  /** This person's app, and whether the log proves its row; null for none. */
  async totpOf(user: UserId): Promise<{ totp: ActiveTotp; isProven: boolean } | null> {
    const [row] = await query<TotpRow & StoredProof>(Prisma.sql`
      SELECT p.id, p.user_id AS "userId", p.sealed, p.issued_by_id AS "issuedById", p.added_at AS "addedAt",
          p.removed_at AS "removedAt", p.last_step AS "lastStep", p.used_codes AS "usedCodes", ${proofColumns}
        FROM totp p JOIN app_user a ON a.id = p.user_id ${latestEntry(Prisma.sql`a.subject_id = p.id`)}
       WHERE p.user_id = ${user} AND p.removed_at IS NULL AND a.disabled_at IS NULL`);
    if (!row?.sealed) return null;
    const totp = { ...toTotp(row), sealed: row.sealed, lastStep: Number(row.lastStep), usedCodes: row.usedCodes };
    return { totp, isProven: evidence.proves(proofFrom(row), totp.id, totpDigest(totp)[totp.id] ?? '') };
  },
  /** Stores it with its entry; false if the person has one, or has been disabled. */
  addTotp: (totp: ActiveTotp, entry: AuditEntry, also: InCommit): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      const { issuedBy: issuedById, addedAt, removedAt: _, sealed, lastStep, ...rest } = totp;
      await lockUser(tx, totp.userId);
      await also(tx);
      if (!(await tx.user.findUnique({ where: { id: totp.userId, disabledAt: null } }))) return false;
      const values = { issuedById, addedAt: new Date(addedAt), sealed: copy(sealed), lastStep: BigInt(lastStep) };
      const { count } = await tx.totp.createMany({ data: { ...rest, ...values }, skipDuplicates: true });
      if (count === 1) await insertEntry(tx, evidence.seal(entry, totpDigest(totp), totp.id));
      return count === 1;
    }),
  /**
   * From then on its codes count no more, and the sessions in which they did end, except the one with this hash. False if
   * it is not this person's.
   */
  removeTotp: (id: TotpId, userId: UserId, keep: Uint8Array, entry: AuditEntry, also: InCommit): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      await lockUser(tx, userId);
      await also(tx);
      const data = { removedAt: new Date(entry.at), sealed: null };
      const [row] = await tx.totp.updateManyAndReturn({ where: { id, userId, removedAt: null }, data });
      if (!row) return false;
      await tx.session.deleteMany({ where: { userId, totpId: id, NOT: { hash: copy(keep) } } });
      await insertEntry(tx, evidence.seal(entry, totpDigest(toTotp(row)), id));
      return true;
    }),
  /** Everyone's. */
  async listTotps(): Promise<Pick<ActiveTotp, 'id' | 'userId' | 'sealed'>[]> {
    const rows = await prisma.totp.findMany({ where: { id: { gt: '' }, removedAt: null } });
    return rows.flatMap(({ id, userId, sealed }) =>
      sealed ? [{ id: id as TotpId, userId: userId as UserId, sealed }] : [],
    );
  },
  async rewrapTotp(id: TotpId, { was, now }: { was: Uint8Array; now: Uint8Array }) {
    await prisma.totp.updateMany({ where: { id, sealed: copy(was) }, data: { sealed: copy(now) } });
  },
  ...createCodes({ prisma, evidence }),
});

/** Uses of codes. */
const createCodes = ({ prisma, evidence }: Pick<Ledger, 'prisma' | 'evidence'>) => ({
  /** False if a code of this step or of a later one has counted, or it was removed. */
  async useStep(id: TotpId, step: number): Promise<boolean> {
    const where = { id, removedAt: null, lastStep: { lt: step } };
    return (await prisma.totp.updateMany({ where, data: { lastStep: step } })).count === 1;
  },
  /** False if this recovery code was used, or the codes are others than when `sealed` was read. */
  async useRecoveryCode({ id, sealed }: Pick<ActiveTotp, 'id' | 'sealed'>, place: number): Promise<boolean> {
    const count = await prisma.$executeRaw`
      UPDATE totp SET used_codes = used_codes || ${place}::int
       WHERE id = ${id} AND removed_at IS NULL AND sealed = ${copy(sealed)} AND NOT ${place}::int = ANY(used_codes)`;
    return count === 1;
  },
  /** Replaces all recovery codes; false if the app was removed or its codes were replaced meanwhile. */
  renewRecoveryCodes: (
    { id, sealed: was }: Pick<ActiveTotp, 'id' | 'sealed'>,
    sealed: Uint8Array,
    entry: AuditEntry,
    also: InCommit,
  ): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      await also(tx);
      const where = { id, removedAt: null, sealed: copy(was) };
      const data = { sealed: copy(sealed), usedCodes: [] };
      const [row] = await tx.totp.updateManyAndReturn({ where, data });
      if (row) await insertEntry(tx, evidence.seal(entry, totpDigest(toTotp(row)), id));
      return row !== undefined;
    }),
});

export type RemovedFactor = { passkey: PasskeyId; credential: string } | { totp: TotpId };

/** Removes the person's passkeys and authenticator app, each with its entry; their sessions end elsewhere. */
export async function removeFactors(
  tx: Prisma.TransactionClient,
  { evidence }: Pick<Ledger, 'evidence'>,
  userId: UserId,
  entryOf: (removed: RemovedFactor) => AuditEntry,
  removedAt: Date,
): Promise<void> {
  const where = { userId, removedAt: null };
  for (const row of await tx.passkey.updateManyAndReturn({ where, data: { removedAt } })) {
    const passkey = toPasskey(row);
    const entry = entryOf({ passkey: passkey.id, credential: passkey.credentialId });
    await insertEntry(tx, evidence.seal(entry, passkeyDigest(passkey), passkey.id));
  }
  for (const row of await tx.totp.updateManyAndReturn({ where, data: { removedAt, sealed: null } })) {
    const totp = toTotp(row);
    await insertEntry(tx, evidence.seal(entryOf({ totp: totp.id }), totpDigest(totp), totp.id));
  }
}

/** The digest of this row under its id; what is sealed in it opens for this row and person alone. */
export const totpDigest = (totp: StoredTotp): RowDigests => ({
  [totp.id]: totpTable.digest({ ...totp, issuedById: totp.issuedBy }),
});

interface TotpRow {
  id: string;
  userId: string;
  sealed: Uint8Array | null;
  issuedById: string | null;
  addedAt: Date;
  removedAt: Date | null;
  lastStep: bigint;
  usedCodes: number[];
}

export const toTotp = ({ id, userId, issuedById, addedAt, removedAt }: Omit<TotpRow, 'sealed'>): StoredTotp => ({
  id: id as TotpId,
  userId: userId as UserId,
  issuedBy: issuedById as UserId | null,
  addedAt: addedAt.getTime(),
  removedAt: removedAt?.getTime() ?? null,
});
