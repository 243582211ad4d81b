import type { AuditEntry } from '#audit/entries/rules/entry';
import type { InCommit } from '#platform/database/database';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { directoryDigests } from '#people/directory/store/tables';
import { unrevokedIn } from '#people/directory/store/directory';

/** A token without its hash. Times are milliseconds since 1970. */
export interface StoredScimToken {
  kid: string;
  /** The key of the provider in the settings, and the issuer that it had there. */
  provider: string;
  issuer: string;
  createdAt: number;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

/** Tokens by which identity providers provision people and groups. */
export const createScimTokens = ({ prisma, evidence }: Ledger) => ({
  /** Every token that ever existed, the oldest first. */
  async list(): Promise<StoredScimToken[]> {
    const where = { kid: { gt: '' } }; // by its index
    const rows = await prisma.scimToken.findMany({ where, omit: { hash: true } });
    return rows.map(tokenOf).toSorted((a, b) => a.createdAt - b.createdAt);
  },
  /** Null for unknown and revoked tokens. */
  async byKid(kid: string): Promise<(StoredScimToken & { hash: Uint8Array }) | null> {
    const row = await prisma.scimToken.findUnique({ where: { kid, revokedAt: null } });
    return row && { ...tokenOf(row), hash: row.hash };
  },
  add: (
    { createdAt, ...token }: Omit<StoredScimToken, 'revokedAt' | 'lastUsedAt'>,
    hash: Uint8Array,
    entry: AuditEntry,
  ) =>
    prisma.$transaction(async (tx) => {
      const data = { ...token, hash: new Uint8Array(hash), createdAt: new Date(createdAt) };
      await tx.scimToken.create({ data });
      await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { scimTokens: [token.kid] })));
    }),
  /** Revokes it with its entry in one commit; writes nothing if it is already revoked. */
  revoke: (kid: string, at: number, entry: AuditEntry) =>
    prisma.$transaction(async (tx) => {
      const where = { kid, revokedAt: null };
      const { count } = await tx.scimToken.updateMany({ where, data: { revokedAt: new Date(at) } });
      if (count === 0) return;
      await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { scimTokens: [kid] })));
    }),
  async touch(kid: string, at: number) {
    await prisma.scimToken.updateMany({ where: { kid }, data: { lastUsedAt: new Date(at) } });
  },
  /** In the commit of what it does: problem `unauthenticated` if it was revoked meanwhile. A revocation waits for the commit. */
  unrevoked: (kid: string): InCommit => unrevokedIn('scim_token', kid),
});

interface TokenRow {
  kid: string;
  provider: string;
  issuer: string;
  createdAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

const tokenOf = ({ kid, provider, issuer, createdAt, revokedAt, lastUsedAt }: TokenRow): StoredScimToken => ({
  kid,
  provider,
  issuer,
  createdAt: createdAt.getTime(),
  revokedAt: revokedAt?.getTime() ?? null,
  lastUsedAt: lastUsedAt?.getTime() ?? null,
});
