import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { RowDigests } from '#audit/entries/rules/evidence';
import { passkeyTable } from '../factors/store/factors.ts';
import type { ElicitationId, PasskeyId, UserId } from '#platform/model/id';
import { maxPasskeys } from './contract/types.ts';
import type { User } from '#people/directory/contract/user';
import { type InCommit, inBatches } from '#platform/database/database';
import {
  latestEntry,
  proofColumns,
  proofFrom,
  type StoredProof,
  insertEntry,
  type Ledger,
} from '#audit/entries/store/entries';
import { lockUser } from '#people/users/store/access';
import { permissionsIn } from '#people/roles/store';
import { copy, toUser } from '#people/directory/store/directory-record';

/** Times are milliseconds since 1970. */
export interface StoredPasskey {
  id: PasskeyId;
  userId: UserId;
  /** As its authenticator names it, in base64url. */
  credentialId: string;
  /** COSE. */
  publicKey: Uint8Array;
  transports: string[];
  /** The model of the authenticator; zeros if it does not say. */
  aaguid: string;
  /** As its authenticator said when it was last used: is it kept elsewhere, too? */
  isBackedUp: boolean;
  /** May it be? Null for those from before. */
  isSyncable: boolean | null;
  name: string;
  /** The administrator for whom it counts as well; null if it is the person's own. */
  issuedBy: UserId | null;
  /** The entry of the log that added it. */
  entryId: string;
  addedAt: number;
  removedAt: number | null;
}

/** Its counter and the time of its last use are in no entry. */
export type UsedPasskey = StoredPasskey & { usedAt: number | null };

/** Purpose of a challenge. */
export type ChallengePurpose = 'add' | 'sign-in' | 'confirm' | 'vote';

/** `signature` is canonical JSON. */
interface SignedVoteRow {
  vote: string;
  signature: string;
  entry: Uint8Array;
}

interface Challenge {
  hash: Uint8Array;
  purpose: ChallengePurpose;
  /** The hash of the secret of the session, or of the browser. */
  boundTo: Uint8Array;
}

export const createPasskeys = ({ prisma, query, evidence }: Ledger) => ({
  /** Passkeys of this person that were not removed, the oldest first. */
  async listOf(userId: UserId): Promise<UsedPasskey[]> {
    const rows = await prisma.passkey.findMany({
      where: { userId, removedAt: null },
      orderBy: [{ addedAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map((row) => ({ ...toPasskey(row), usedAt: row.usedAt?.getTime() ?? null }));
  },
  /** The passkey of this credential id, with its person; null if it was removed, or the person is disabled. */
  async byCredential(credentialId: string): Promise<{ passkey: StoredPasskey; user: User; isProven: boolean } | null> {
    const [row] = await query<JoinedRow>(Prisma.sql`
      SELECT p.id, p.user_id AS "userId", p.credential_id AS "credentialId", p.public_key AS "publicKey", p.transports,
          p.aaguid, p.is_backed_up AS "isBackedUp", p.is_syncable AS "isSyncable", p.name, p.issued_by_id AS "issuedById", p.entry_id AS "entryId",
          p.added_at AS "addedAt", p.removed_at AS "removedAt", a.email, a.name AS "userName", a.role,
          ${permissionsIn('a')} AS permissions, ${proofColumns}
        FROM passkey p JOIN app_user a ON a.id = p.user_id ${latestEntry(Prisma.sql`a.subject_id = p.id`)}
       WHERE p.credential_id = ${credentialId} AND p.removed_at IS NULL AND a.disabled_at IS NULL`);
    if (!row) return null;
    const passkey = toPasskey(row);
    const { userId: id, email, userName: name, role, permissions } = row;
    const user = toUser({ id, email, name, role, permissions, credentialIssuer: row.issuedById });
    const isProven = evidence.proves(proofFrom(row), passkey.id, passkeyDigest(passkey)[passkey.id] ?? '');
    return { passkey, user, isProven };
  },
  /** The votes on this request that a device signed, the first one first, with the entry that added its passkey. */
  signedVotes: (id: ElicitationId): Promise<SignedVoteRow[]> =>
    query<SignedVoteRow>(Prisma.sql`
      SELECT v.id AS vote, v.signature, e.body AS entry
        FROM vote v JOIN passkey p ON p.credential_id = substring(v.signature FROM '"credentialId":"([^"]+)"')
        JOIN audit_entry e ON e.id = p.entry_id
       WHERE v.elicitation_id = ${id} AND v.signature IS NOT NULL ORDER BY v.at, v.id`),
  ...createPossession({ prisma, evidence }),
  ...createUses({ prisma, evidence }),
  ...createChallenges(prisma),
});

/** Passkeys by user. */
const createPossession = ({ prisma, evidence }: Pick<Ledger, 'prisma' | 'evidence'>) => ({
  /** Stores it with its entry; nothing if the person has been disabled, someone has it, or the person has twenty. */
  add: (
    passkey: StoredPasskey,
    counter: number,
    entry: AuditEntry,
    also: InCommit,
  ): Promise<'added' | 'refused' | 'too-many'> =>
    prisma.$transaction(async (tx) => {
      const { issuedBy: issuedById, addedAt, removedAt: _, publicKey, ...rest } = passkey;
      await lockUser(tx, passkey.userId);
      await also(tx);
      const { userId } = passkey;
      if (!(await tx.user.findUnique({ where: { id: userId, disabledAt: null } }))) return 'refused';
      if ((await tx.passkey.count({ where: { userId, removedAt: null } })) >= maxPasskeys) return 'too-many';
      const data = { ...rest, issuedById, publicKey: copy(publicKey), addedAt: new Date(addedAt), counter };
      const { count } = await tx.passkey.createMany({ data, skipDuplicates: true });
      if (count === 0) return 'refused';
      await insertEntry(tx, evidence.seal(entry, passkeyDigest(passkey), passkey.id));
      return 'added';
    }),
  /**
   * From then on it signs no one in. The person's sessions end except the one with this hash: each may have begun with it
   * and been confirmed in another way. False if it is not this person's.
   */
  remove: (id: PasskeyId, userId: UserId, keep: Uint8Array, entry: AuditEntry, also: InCommit): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      await lockUser(tx, userId);
      await also(tx);
      const data = { removedAt: new Date(entry.at) };
      const [row] = await tx.passkey.updateManyAndReturn({ where: { id, userId, removedAt: null }, data });
      if (!row) return false;
      await tx.session.deleteMany({ where: { userId, NOT: { hash: copy(keep) } } });
      await insertEntry(tx, evidence.seal(entry, passkeyDigest(toPasskey(row)), id));
      return true;
    }),
  /** Removes all of this person's, with an entry each. */
  removeAll:
    (userId: UserId, at: number, entryOf: (removed: StoredPasskey) => AuditEntry): InCommit =>
    async (tx) => {
      await lockUser(tx, userId); // so that none is added meanwhile
      const data = { removedAt: new Date(at) };
      for (const row of await tx.passkey.updateManyAndReturn({ where: { userId, removedAt: null }, data })) {
        const passkey = toPasskey(row);
        await insertEntry(tx, evidence.seal(entryOf(passkey), passkeyDigest(passkey), passkey.id));
      }
    },
});

/** Uses of passkeys, with the authenticator's counter. */
const createUses = ({ prisma, evidence }: Pick<Ledger, 'prisma' | 'evidence'>) => ({
  /** False if its counter has not moved on since the last use, or it was removed. Some always count 0. */
  async use(id: PasskeyId, counter: number, at: number): Promise<boolean> {
    const movedOn = counter === 0 ? { counter: 0 } : { counter: { lt: counter } };
    const data = { counter, usedAt: new Date(at) };
    const { count } = await prisma.passkey.updateMany({ where: { id, removedAt: null, ...movedOn }, data });
    return count === 1;
  },
  /** Whether it is kept elsewhere, too, has changed. */
  noteBackup: (id: PasskeyId, isBackedUp: boolean, entry: AuditEntry) =>
    prisma.$transaction(async (tx) => {
      const where = { id, removedAt: null, isBackedUp: !isBackedUp };
      const [row] = await tx.passkey.updateManyAndReturn({ where, data: { isBackedUp } });
      if (row) await insertEntry(tx, evidence.seal(entry, passkeyDigest(toPasskey(row)), id));
    }),
});

const createChallenges = (prisma: Ledger['prisma']) => ({
  async addChallenge({ hash, purpose, boundTo, expiresAt }: Challenge & { expiresAt: number }) {
    const data = { hash: copy(hash), purpose, boundTo: copy(boundTo), expiresAt: new Date(expiresAt) };
    await prisma.passkeyChallenge.create({ data });
  },
  /** Uses it up; false if it is unknown, used, expired, or was given out for something else or to someone else. */
  async takeChallenge({ hash, purpose, boundTo }: Challenge, now: number): Promise<boolean> {
    const where = { hash: copy(hash), purpose, boundTo: copy(boundTo), expiresAt: { gt: new Date(now) } };
    return (await prisma.passkeyChallenge.deleteMany({ where })).count === 1;
  },
  async pruneChallenges(now: number) {
    await inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM passkey_challenge WHERE hash IN (
          SELECT hash FROM passkey_challenge WHERE expires_at <= ${new Date(now)} LIMIT ${max})`,
    );
  },
});

/** The digest of this row under its id. */
export const passkeyDigest = (passkey: StoredPasskey): RowDigests => ({
  [passkey.id]: passkeyTable.digest({ ...passkey, issuedById: passkey.issuedBy }),
});

type PasskeyRow = Omit<StoredPasskey, 'id' | 'userId' | 'issuedBy' | 'addedAt' | 'removedAt'> & {
  id: string;
  userId: string;
  issuedById: string | null;
  addedAt: Date;
  removedAt: Date | null;
};

type JoinedRow = PasskeyRow &
  StoredProof & { email: string; userName: string; role: string; permissions: string[] | null };

export const toPasskey = (row: PasskeyRow): StoredPasskey => ({
  id: row.id as PasskeyId,
  userId: row.userId as UserId,
  credentialId: row.credentialId,
  publicKey: row.publicKey,
  transports: row.transports,
  aaguid: row.aaguid,
  isBackedUp: row.isBackedUp,
  isSyncable: row.isSyncable,
  name: row.name,
  issuedBy: row.issuedById as UserId | null,
  entryId: row.entryId,
  addedAt: row.addedAt.getTime(),
  removedAt: row.removedAt?.getTime() ?? null,
});
