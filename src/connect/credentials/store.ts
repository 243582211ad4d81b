import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { CredentialId, ServerId, UserId } from '#platform/model/id';
import type { InCommit } from '#platform/database/database';
import { bytes, moment, recordset, text, time, type RowOf } from '#platform/database/sql';
import { changeWithEntry, insertEntry, type Ledger } from '#audit/entries/store/entries';
import { lockUser } from '#people/users/store/access';
import { copy } from '#people/directory/store/directory-record';
import { secretPrefix } from './rules.ts';

/** One person's credentials for a server behind the gateway, or their connection to a provider for a server. */
export interface StoredCredential {
  id: CredentialId;
  serverId: ServerId;
  serverName: string;
  /** Null for a requester who is no user, on one's own machine. */
  userId: UserId | null;
  /** Keyed hash of server, issuer and subject. */
  hash: Uint8Array;
  sealed: Uint8Array;
  /** Milliseconds since 1970. */
  storedAt: number;
  /** Time of the gateway's first read; null before. */
  usedAt: number | null;
  /** Time of the server's refusal, or the provider's; null without one. */
  refusedAt: number | null;
  /**
   * The key of a connection: its provider, and the server that its token is for alone. Or that of a secret that a tool has asked
   * for; null for what a gateway sends.
   */
  provider: string | null;
  /** Number of renewals of a connection. */
  version: number;
}

type NewCredential = Pick<StoredCredential, 'id' | 'serverId' | 'hash' | 'sealed' | 'storedAt'> & { userId: UserId };

/** A connection as it is stored with the accept of its request. */
export const connectionColumns = recordset({
  id: text<CredentialId>(),
  serverId: text<ServerId>(),
  userId: text<UserId | null>(),
  hash: bytes(),
  sealed: bytes(),
  storedAt: time(),
  provider: text(),
  expiresAt: time<number | null>(),
});

export type NewConnection = RowOf<typeof connectionColumns.columns>;

/** Row that must still exist, and is removed: the used link, or the replaced credentials. */
export type Ticket = { nonceHash: Uint8Array } | { replaces: CredentialId };

/** Makes the entry of storing; `isReplacing` if there were credentials before. */
type EntryOf = (isReplacing: boolean) => AuditEntry;

const include = { server: { select: { name: true } } } as const;

export const createCredentials = ({ prisma, evidence }: Ledger) => ({
  /** The latest credentials of this person at this server: what they entered, or their connection with one of these keys. */
  async find(
    serverId: ServerId,
    hashes: Uint8Array[],
    keys: readonly string[] | null = null,
  ): Promise<StoredCredential | null> {
    const where = { serverId, hash: { in: hashes.map(copy) }, provider: keys && { in: [...keys] } };
    const row = await prisma.upstreamCredential.findFirst({ where, include, orderBy: { storedAt: 'desc' } });
    return row && toCredential(row);
  },
  /** Does another server have a secret under this key, of anyone and for any call? */
  async isKeyOfOthers(serverId: ServerId, key: string): Promise<boolean> {
    const where = { serverId: { not: serverId }, provider: { startsWith: key } };
    return (await prisma.upstreamCredential.findFirst({ where, select: { id: true } })) !== null;
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
      const others = { serverId, hash: { in: hashes.map(copy) }, provider: null };
      const { count } = await tx.upstreamCredential.deleteMany({ where: others });
      const bytes = { hash: copy(credential.hash), sealed: copy(credential.sealed) };
      await tx.upstreamCredential.create({ data: { ...credential, ...bytes, storedAt: new Date(storedAt) } });
      await insertEntry(tx, evidence.seal(entryOf('replaces' in ticket || count > 0), {}));
      return true;
    }),
  /** Resolves with false, and writes nothing, if they no longer exist. */
  remove: (id: CredentialId, entry: AuditEntry): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      const isRemoved = await removeOne(tx, id, entry.at);
      if (isRemoved) await insertEntry(tx, evidence.seal(entry, {}));
      return isRemoved;
    }),
  /** Removes credentials with one of these hashes, with an entry each. */
  removeAll:
    (hashes: Uint8Array[], entryOf: (removed: StoredCredential) => AuditEntry): InCommit =>
    async (tx) => {
      const rows = await tx.upstreamCredential.findMany({ where: { hash: { in: hashes.map(copy) } }, include });
      for (const row of rows) {
        const entry = entryOf(toCredential(row));
        if (await removeOne(tx, toCredential(row).id, entry.at)) await insertEntry(tx, evidence.seal(entry, {}));
      }
    },
  /** Marks them as used, or as refused; the first time, with the entry. */
  mark: (id: CredentialId, what: 'usedAt' | 'refusedAt', entry: AuditEntry) =>
    prisma.$transaction(async (tx) => {
      const where = { id, [what]: null };
      const { count } = await tx.upstreamCredential.updateMany({ where, data: { [what]: new Date(entry.at) } });
      if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
    }),
  /** Some of the secrets of calls that have ended, or that were stored before this time. */
  async endedSecrets(before: number): Promise<StoredCredential[]> {
    const ended = await prisma.$queryRaw<{ id: string }[]>`
      SELECT s.id FROM upstream_credential s WHERE ${isEndedSecret(before)} ORDER BY s.stored_at LIMIT 500`;
    const where = { id: { in: ended.map(({ id }) => id) } };
    return (await prisma.upstreamCredential.findMany({ where, include })).map(toCredential);
  },
  /** Removes such a secret with its entry; false if another node was first. */
  removeEndedSecret: (id: CredentialId, before: number, entry: AuditEntry): Promise<boolean> =>
    changeWithEntry(
      prisma,
      Prisma.sql`DELETE FROM upstream_credential s WHERE s.id = ${id} AND ${isEndedSecret(before)} RETURNING 1`,
      evidence.seal(entry, {}),
    ),
  async rewrap(id: CredentialId, { was, now }: { was: Uint8Array; now: Uint8Array }) {
    await prisma.upstreamCredential.updateMany({ where: { id, sealed: copy(was) }, data: { sealed: copy(now) } });
  },
});

/** Is it a secret of a call that has ended, or stored before this time? */
const isEndedSecret = (before: number): Prisma.Sql => Prisma.sql`
  s.provider LIKE ${`${secretPrefix}%:%`} AND (s.stored_at < ${moment(before)} OR NOT EXISTS (
    SELECT FROM tool_call c WHERE c.id = split_part(s.provider, ':', 3) AND c.state <> 'settled'))`;

/**
 * Removes credentials, and leaves the tokens of connections for their providers to withdraw. Returns how many there
 * were.
 */
export function removeWhere(tx: Prisma.TransactionClient, where: Prisma.Sql, at: Date): Promise<number> {
  return tx.$executeRaw`
    WITH removed AS (
      DELETE FROM upstream_credential WHERE ${where} RETURNING id, server_id, user_id, hash, provider, sealed
    ), left_over AS (
      INSERT INTO connection_withdrawal (id, server_id, user_id, hash, provider, sealed, removed_at, due_at)
      SELECT id, server_id, user_id, hash, provider, sealed, ${at}, ${at} FROM removed WHERE provider NOT LIKE ${`${secretPrefix}%`})
    SELECT 1 FROM removed`;
}

const removeOne = async (tx: Prisma.TransactionClient, id: CredentialId, at: AuditEntry['at']): Promise<boolean> =>
  (await removeWhere(tx, Prisma.sql`id = ${id}`, new Date(at))) === 1;

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
  userId: string | null;
  hash: Uint8Array;
  sealed: Uint8Array;
  storedAt: Date;
  usedAt: Date | null;
  refusedAt: Date | null;
  provider: string | null;
  version: number;
}

const toCredential = ({ server, hash, sealed, provider, version, ...row }: CredentialRow): StoredCredential => ({
  hash,
  sealed,
  provider,
  version,
  id: row.id as CredentialId,
  serverId: row.serverId as ServerId,
  serverName: server.name,
  userId: row.userId as UserId | null,
  storedAt: row.storedAt.getTime(),
  usedAt: row.usedAt?.getTime() ?? null,
  refusedAt: row.refusedAt?.getTime() ?? null,
});
