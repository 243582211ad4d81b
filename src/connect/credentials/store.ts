import type { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { CredentialId, ServerId, UserId } from '#platform/model/id';
import type { InCommit } from '#platform/database/database';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { lockUser } from '#people/users/store/access';
import { copy } from '#people/directory/store/directory-record';

/** One person's credentials for a server behind the gateway. */
export interface StoredCredential {
  id: CredentialId;
  serverId: ServerId;
  serverName: string;
  userId: UserId;
  /** Keyed hash of server, issuer and subject. */
  hash: Uint8Array;
  sealed: Uint8Array;
  /** Milliseconds since 1970. */
  storedAt: number;
  /** Time of the gateway's first read; null before. */
  usedAt: number | null;
  /** Time of the server's refusal; null without one. */
  refusedAt: number | null;
}

type NewCredential = Pick<StoredCredential, 'id' | 'serverId' | 'userId' | 'hash' | 'sealed' | 'storedAt'>;

/** Row that must still exist, and is removed: the used link, or the replaced credentials. */
export type Ticket = { nonceHash: Uint8Array } | { replaces: CredentialId };

/** Makes the entry of storing; `isReplacing` if there were credentials before. */
type EntryOf = (isReplacing: boolean) => AuditEntry;

const include = { server: { select: { name: true } } } as const;

export const createCredentials = ({ prisma, evidence }: Ledger) => ({
  /** The latest credentials of this person at this server. */
  async find(serverId: ServerId, hashes: Uint8Array[]): Promise<StoredCredential | null> {
    const where = { serverId, hash: { in: hashes.map(copy) } };
    const row = await prisma.upstreamCredential.findFirst({ where, include, orderBy: { storedAt: 'desc' } });
    return row && toCredential(row);
  },
  async byId(id: CredentialId): Promise<StoredCredential | null> {
    const row = await prisma.upstreamCredential.findUnique({ where: { id }, include });
    return row && toCredential(row);
  },
  /** Credentials of one person, or of everyone, sorted by server name. */
  async list(userId?: UserId): Promise<StoredCredential[]> {
    const orderBy = [{ server: { name: 'asc' as const } }, { storedAt: 'asc' as const }, { id: 'asc' as const }];
    const where = userId === undefined ? {} : { userId };
    return (await prisma.upstreamCredential.findMany({ where, include, orderBy })).map(toCredential);
  },
  /**
   * Stores credentials in place of those with one of these hashes, with the entry. False, and nothing is written, if the ticket
   * was used or the person has been disabled. Of several that race, one gets true.
   */
  put: (
    { storedAt, ...credential }: NewCredential,
    ticket: Ticket,
    hashes: Uint8Array[],
    entryOf: EntryOf,
  ): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      const { serverId, userId } = credential;
      await lockUser(tx, userId);
      if (!(await tx.user.findUnique({ where: { id: userId, disabledAt: null } }))) return false;
      if (!(await useTicket(tx, ticket, { serverId, userId, storedAt }))) return false;
      const others = { serverId, hash: { in: hashes.map(copy) } };
      const { count } = await tx.upstreamCredential.deleteMany({ where: others });
      const bytes = { hash: copy(credential.hash), sealed: copy(credential.sealed) };
      await tx.upstreamCredential.create({ data: { ...credential, ...bytes, storedAt: new Date(storedAt) } });
      await insertEntry(tx, evidence.seal(entryOf('replaces' in ticket || count > 0), {}));
      return true;
    }),
  /** Resolves with false, and writes nothing, if they no longer exist. */
  remove: (id: CredentialId, entry: AuditEntry): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      const { count } = await tx.upstreamCredential.deleteMany({ where: { id } });
      if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
      return count === 1;
    }),
  /** Removes credentials with one of these hashes, with an entry each. */
  removeAll:
    (hashes: Uint8Array[], entryOf: (removed: StoredCredential) => AuditEntry): InCommit =>
    async (tx) => {
      const rows = await tx.upstreamCredential.findMany({ where: { hash: { in: hashes.map(copy) } }, include });
      for (const row of rows) {
        const { count } = await tx.upstreamCredential.deleteMany({ where: { id: row.id } });
        if (count === 1) await insertEntry(tx, evidence.seal(entryOf(toCredential(row)), {}));
      }
    },
  /** Marks them as used, or as refused; the first time, with the entry. */
  mark: (id: CredentialId, what: 'usedAt' | 'refusedAt', entry: AuditEntry) =>
    prisma.$transaction(async (tx) => {
      const where = { id, [what]: null };
      const { count } = await tx.upstreamCredential.updateMany({ where, data: { [what]: new Date(entry.at) } });
      if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
    }),
  async rewrap(id: CredentialId, { was, now }: { was: Uint8Array; now: Uint8Array }) {
    await prisma.upstreamCredential.updateMany({ where: { id, sealed: copy(was) }, data: { sealed: copy(now) } });
  },
});

async function useTicket(
  tx: Prisma.TransactionClient,
  ticket: Ticket,
  { serverId, userId, storedAt }: Pick<NewCredential, 'serverId' | 'userId' | 'storedAt'>,
): Promise<boolean> {
  const { count } =
    'nonceHash' in ticket
      ? await tx.token.deleteMany({
          where: { nonceHash: copy(ticket.nonceHash), serverId, expiresAt: { gt: new Date(storedAt) } },
        })
      : await tx.upstreamCredential.deleteMany({ where: { id: ticket.replaces, serverId, userId } });
  return count === 1;
}

interface CredentialRow {
  id: string;
  serverId: string;
  server: { name: string };
  userId: string;
  hash: Uint8Array;
  sealed: Uint8Array;
  storedAt: Date;
  usedAt: Date | null;
  refusedAt: Date | null;
}

const toCredential = ({ server, ...row }: CredentialRow): StoredCredential => ({
  ...row,
  id: row.id as CredentialId,
  serverId: row.serverId as ServerId,
  serverName: server.name,
  userId: row.userId as UserId,
  storedAt: row.storedAt.getTime(),
  usedAt: row.usedAt?.getTime() ?? null,
  refusedAt: row.refusedAt?.getTime() ?? null,
});
