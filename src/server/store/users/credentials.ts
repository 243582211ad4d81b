import type { AuditEntry } from '#core/audit/entry';
import type { CredentialId, ServerId, UserId } from '#protocol/model/id';
import type { InCommit } from '../database/in-commit.ts';
import { insertEntry, type Ledger } from '../log/sealed-entry.ts';
import { lockUser } from './access.ts';
import { copy } from './user-row.ts';

/** What a server behind the gateway is shown in the name of one person. */
export interface StoredCredential {
  id: CredentialId;
  serverId: ServerId;
  serverName: string;
  userId: UserId;
  /** The keyed hash of server, issuer and subject. */
  hash: Uint8Array;
  sealed: Uint8Array;
  /** Milliseconds since 1970. */
  storedAt: number;
  /** When the gateway first got it; null before. */
  usedAt: number | null;
  /** When the server did not take it; null if it did not refuse it. */
  refusedAt: number | null;
}

type NewCredential = Pick<StoredCredential, 'id' | 'serverId' | 'userId' | 'hash' | 'sealed' | 'storedAt'>;

/** What must still be there, and goes: the link that was used, or the credentials that are replaced. */
export type Ticket = { nonceHash: Uint8Array } | { replaces: CredentialId };

export interface Credentials {
  /** The latest for this person at this server. */
  find(server: ServerId, hashes: Uint8Array[]): Promise<StoredCredential | null>;
  byId(id: CredentialId): Promise<StoredCredential | null>;
  /** Of one person, or of everyone; by the names of the servers. */
  list(user?: UserId): Promise<StoredCredential[]>;
  /**
   * Stores it in place of what has one of these hashes, with the entry. False, and nothing is written, if its ticket was
   * used or the person has been disabled. Of several that race, one gets true.
   */
  put(credential: NewCredential, ticket: Ticket, hashes: Uint8Array[], entry: EntryOf): Promise<boolean>;
  /** Resolves with false, and writes nothing, if it is not there any more. */
  remove(id: CredentialId, entry: AuditEntry): Promise<boolean>;
  /** Removes what has one of these hashes, with an entry each. */
  removeAll(hashes: Uint8Array[], entryOf: (removed: StoredCredential) => AuditEntry): InCommit;
  /** From then on it counts as used, or as refused; the first time, with the entry. */
  mark(id: CredentialId, what: 'usedAt' | 'refusedAt', entry: AuditEntry): Promise<void>;
  rewrap(id: CredentialId, change: { was: Uint8Array; now: Uint8Array }): Promise<void>;
}

/** The entry of storing it, which says whether something was there before. */
type EntryOf = (isReplacing: boolean) => AuditEntry;

const include = { server: { select: { name: true } } } as const;

export const createCredentials = ({ prisma, evidence }: Ledger): Credentials => ({
  async find(serverId, hashes) {
    const where = { serverId, hash: { in: hashes.map(copy) } };
    const row = await prisma.upstreamCredential.findFirst({ where, include, orderBy: { storedAt: 'desc' } });
    return row && toCredential(row);
  },
  async byId(id) {
    const row = await prisma.upstreamCredential.findUnique({ where: { id }, include });
    return row && toCredential(row);
  },
  async list(userId) {
    const orderBy = [{ server: { name: 'asc' as const } }, { storedAt: 'asc' as const }, { id: 'asc' as const }];
    const where = userId === undefined ? {} : { userId };
    return (await prisma.upstreamCredential.findMany({ where, include, orderBy })).map(toCredential);
  },
  put: ({ storedAt, ...credential }, ticket, hashes, entryOf) =>
    prisma.$transaction(async (tx) => {
      const { serverId, userId } = credential;
      await lockUser(tx, userId);
      if (!(await tx.user.findUnique({ where: { id: userId, disabledAt: null } }))) return false;
      const { count: used } =
        'nonceHash' in ticket
          ? await tx.token.deleteMany({
              where: { nonceHash: copy(ticket.nonceHash), serverId, expiresAt: { gt: new Date(storedAt) } },
            })
          : await tx.upstreamCredential.deleteMany({ where: { id: ticket.replaces, serverId, userId } });
      if (used !== 1) return false;
      const others = { serverId, hash: { in: hashes.map(copy) } };
      const { count } = await tx.upstreamCredential.deleteMany({ where: others });
      const bytes = { hash: copy(credential.hash), sealed: copy(credential.sealed) };
      await tx.upstreamCredential.create({ data: { ...credential, ...bytes, storedAt: new Date(storedAt) } });
      await insertEntry(tx, evidence.seal(entryOf('replaces' in ticket || count > 0), {}));
      return true;
    }),
  remove: (id, entry) =>
    prisma.$transaction(async (tx) => {
      const { count } = await tx.upstreamCredential.deleteMany({ where: { id } });
      if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
      return count === 1;
    }),
  removeAll: (hashes, entryOf) => async (tx) => {
    const rows = await tx.upstreamCredential.findMany({ where: { hash: { in: hashes.map(copy) } }, include });
    for (const row of rows) {
      const { count } = await tx.upstreamCredential.deleteMany({ where: { id: row.id } });
      if (count === 1) await insertEntry(tx, evidence.seal(entryOf(toCredential(row)), {}));
    }
  },
  mark: (id, what, entry) =>
    prisma.$transaction(async (tx) => {
      const where = { id, [what]: null };
      const { count } = await tx.upstreamCredential.updateMany({ where, data: { [what]: new Date(entry.at) } });
      if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
    }),
  async rewrap(id, { was, now }) {
    await prisma.upstreamCredential.updateMany({ where: { id, sealed: copy(was) }, data: { sealed: copy(now) } });
  },
});

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
