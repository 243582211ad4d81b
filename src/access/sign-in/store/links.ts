import type { UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { InCommit } from '#platform/database/database';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { directoryDigests } from '#people/directory/store/tables';
import { endAccess, lockUser } from '#people/users/store/access';
import { removeFactors, type RemovedFactor } from '../../factors/store/second-factors.ts';
import { copy, readUser } from '#people/directory/store/directory-record';

interface NewPassword {
  userId: UserId;
  linkHash: Uint8Array;
  passwordHash: string;
  at: number;
  /** The entry for a second factor that the link removes. */
  entryOf(removed: RemovedFactor): AuditEntry;
}

interface ChangedPassword {
  userId: UserId;
  /** The hash of the session that goes on. */
  keep: Uint8Array;
  /** The hash of the password that was proven. */
  before: string;
  passwordHash: string;
  at: number;
}

interface MailedLink {
  hash: Uint8Array;
  /** Its secret, sealed. */
  sealed: Uint8Array;
  expiresAt: number;
  resetsFactors: boolean;
}

type LinkPurpose = 'setup' | 'signin';

/** One-time links: for setting up, signing in once, and setting a password. */
export const createLinks = ({ prisma, evidence }: Ledger) => ({
  async addLink(link: { hash: Uint8Array; purpose: LinkPurpose; userId: UserId | null; expiresAt: number }) {
    const data = { ...link, hash: copy(link.hash), expiresAt: new Date(link.expiresAt) };
    await prisma.link.create({ data });
  },
  /**
   * Uses the link up; if several race, one gets it. Null if it is unknown, used or expired. A link for setting up uses
   * up all others of its kind, because several nodes may each have made one.
   */
  async takeLink(hash: Uint8Array, purpose: LinkPurpose, now: number): Promise<{ userId: UserId | null } | null> {
    const at = new Date(now);
    const [row] = await prisma.$queryRaw<{ user_id: UserId | null }[]>`
        WITH taken AS (
          UPDATE link SET used_at = ${at}
           WHERE purpose = ${purpose} AND used_at IS NULL AND (hash = ${copy(hash)} OR purpose = 'setup')
             AND EXISTS (SELECT FROM link ours WHERE ours.hash = ${copy(hash)} AND ours.purpose = ${purpose}
               AND ours.used_at IS NULL AND ours.expires_at > ${at})
          RETURNING hash, user_id)
        SELECT user_id FROM taken WHERE hash = ${copy(hash)}`;
    return row ? { userId: row.user_id } : null;
  },
  /** The person whose password this link sets; null if it is unknown, used or expired, or if the person is disabled. */
  async passwordLink(hash: Uint8Array, now: number): Promise<User | null> {
    const link = await prisma.link.findUnique({ where: usable(hash, now), include: { user: true } });
    return link?.user ? readUser(prisma, link.user) : null;
  },
  /** The latest link that goes to this person by mail; null if it is used or expired. */
  async mailedLink(userId: UserId, now: number): Promise<MailedLink | null> {
    const link = await prisma.link.findFirst({
      where: { ...stillUsable(now), userId, sealed: { not: null } },
      orderBy: { expiresAt: 'desc' },
    });
    if (!link?.sealed) return null;
    const { hash, sealed, expiresAt, resetsFactors } = link;
    return { hash, sealed, expiresAt: expiresAt.getTime(), resetsFactors };
  },
  /** Sets it, uses the link up, ends all sessions and removes the second factors if the link says so; false if the link has been used or withdrawn meanwhile. */
  setPassword: ({ userId, linkHash, passwordHash, at, entryOf }: NewPassword, entry: AuditEntry): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      await lockUser(tx, userId);
      const link = await tx.link.findUnique({ where: usable(linkHash, at) });
      if (!link) return false;
      const data = { passwordHash, passwordIssuerId: link.issuerId };
      await tx.user.update({ where: { id: userId }, data });
      await endAccess(tx, userId, new Date(at));
      await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { users: [userId] })));
      if (link.resetsFactors) await removeFactors(tx, { evidence }, userId, entryOf, new Date(at));
      return true;
    }),
  /** Replaces the password that was proven, and ends all sessions but one; false if it has changed meanwhile. */
  changePassword: (
    { userId, keep, before, passwordHash, at }: ChangedPassword,
    entry: AuditEntry,
    also: InCommit,
  ): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      await lockUser(tx, userId);
      await also(tx);
      const where = { id: userId, passwordHash: before, disabledAt: null };
      const { count } = await tx.user.updateMany({ where, data: { passwordHash } });
      if (count === 0) return false;
      await endAccess(tx, userId, new Date(at), keep);
      await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { users: [userId] })));
      return true;
    }),
});

export type Links = ReturnType<typeof createLinks>;

const usable = (hash: Uint8Array, now: number) => ({ hash: copy(hash), ...stillUsable(now) });

const stillUsable = (now: number) => ({
  purpose: 'password',
  usedAt: null,
  expiresAt: { gt: new Date(now) },
  user: { disabledAt: null },
});
