import type { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { UserId } from '#platform/model/id';
import type { TokenPermission } from '#people/directory/contract/permission';
import type { InCommit } from '#platform/database/database';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { directoryDigests } from '#people/directory/store/tables';
import { unrevokedIn } from '#people/directory/store/directory';

/** A token without its hash. Times are milliseconds since 1970. */
export interface StoredAdminToken {
  kid: string;
  name: string;
  permissions: TokenPermission[];
  /** In CIDR notation; none: it works from anywhere. */
  networks: string[];
  makerId: UserId;
  /** The administrator who issued the credential with which the maker was signed in; null if it was their own. */
  issuerId: UserId | null;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

/** Tokens by which programs administer. */
export const createAdminTokens = ({ prisma, evidence }: Ledger) => ({
  /** Every token that ever existed, the oldest first. */
  async list(): Promise<StoredAdminToken[]> {
    const where = { kid: { gt: '' } }; // by its index
    const rows = await prisma.adminToken.findMany({ where, omit: { hash: true } });
    return rows.map(tokenOf).toSorted((a, b) => a.createdAt - b.createdAt);
  },
  /** Null for unknown and revoked tokens. */
  async byKid(kid: string): Promise<(StoredAdminToken & { hash: Uint8Array }) | null> {
    const row = await prisma.adminToken.findUnique({ where: { kid, revokedAt: null } });
    return row && { ...tokenOf(row), hash: row.hash };
  },
  /** Adds it with its entry and what else belongs to the commit. */
  add: (
    { createdAt, expiresAt, ...token }: Omit<StoredAdminToken, 'revokedAt' | 'lastUsedAt'>,
    hash: Uint8Array,
    entry: AuditEntry,
    also: InCommit,
  ) =>
    prisma.$transaction(async (tx) => {
      await also(tx);
      const times = { createdAt: new Date(createdAt), expiresAt: new Date(expiresAt) };
      await tx.adminToken.create({ data: { ...token, ...times, hash: new Uint8Array(hash) } });
      await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { adminTokens: [token.kid] })));
    }),
  /** Revokes it with its entry in one commit; writes nothing if it is already revoked. */
  revoke: (kid: string, at: number, entry: AuditEntry) =>
    prisma.$transaction(async (tx) => {
      const where = { kid, revokedAt: null };
      const { count } = await tx.adminToken.updateMany({ where, data: { revokedAt: new Date(at) } });
      if (count === 0) return;
      await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { adminTokens: [kid] })));
    }),
  async touch(kid: string, at: number) {
    await prisma.adminToken.updateMany({ where: { kid }, data: { lastUsedAt: new Date(at) } });
  },
  /** In the commit of what it does: problem `unauthenticated` if it was revoked meanwhile. A revocation waits for the commit. */
  unrevoked: (kid: string): InCommit => unrevokedIn('admin_token', kid),
});

const tokenOf = (row: Omit<Prisma.AdminTokenGetPayload<object>, 'hash'>): StoredAdminToken => ({
  kid: row.kid,
  name: row.name,
  permissions: row.permissions as TokenPermission[],
  networks: row.networks,
  makerId: row.makerId as UserId,
  issuerId: row.issuerId as UserId | null,
  createdAt: row.createdAt.getTime(),
  expiresAt: row.expiresAt.getTime(),
  revokedAt: row.revokedAt?.getTime() ?? null,
  lastUsedAt: row.lastUsedAt?.getTime() ?? null,
});
