import type { UserId } from '../../model/id.ts';
import { roles, type User, type SignedInUser } from '../../model/user.ts';
import type { Database } from '../database/database.ts';
import { endAccess, lockUser } from './directory.ts';
import { insertEntry, type SealedEntry } from '../log/sealed-entry.ts';

export interface StoredSession {
  user: SignedInUser;
  lastSeenAt: number;
  expiresAt: number;
}

export interface NewSession {
  hash: Uint8Array;
  userId: UserId;
  at: number;
  expiresAt: number;
  /** When a password was proven; 0 where it was not. */
  authenticatedAt: number;
  /** The hash of the password that was proven. */
  passwordHash?: string | undefined;
}

export interface NewPassword {
  userId: UserId;
  linkHash: Uint8Array;
  passwordHash: string;
  at: number;
}

export type LinkPurpose = 'setup' | 'signin';

/** Persons, their signed-in browsers and their one-time links. Disabled persons are as good as absent. */
export interface Users {
  count(): Promise<number>;
  byId(id: UserId): Promise<User | null>;
  /** The person this member of Slack is. */
  bySlackId(slackId: string): Promise<User | null>;
  /** Everybody who is a member of Slack, by their id there. */
  inSlack(): Promise<Map<string, User>>;
  byEmail(email: string): Promise<{ user: User; passwordHash: string | null } | null>;
  session(hash: Uint8Array): Promise<StoredSession | null>;
  /** False where the person has been disabled meanwhile, or has another password than was proven. */
  startSession(session: NewSession, entry: SealedEntry): Promise<boolean>;
  touchSession(hash: Uint8Array, at: number): Promise<void>;
  /** The password was proven again. */
  confirmSession(hash: Uint8Array, at: number, entry: SealedEntry): Promise<void>;
  mayBreakGlass(id: UserId): Promise<boolean>;
  /** The names people read, also of those who were disabled. */
  names(ids: string[]): Promise<Map<string, string>>;
  endSession(hash: Uint8Array): Promise<void>;
  /** Forgets sessions that were over by then. */
  pruneSessions(now: number): Promise<void>;
  addLink(link: { hash: Uint8Array; purpose: LinkPurpose; userId: UserId | null; expiresAt: number }): Promise<void>;
  /**
   * Uses the link up: of any number racing, one gets it. Null where it is unknown, used or expired.
   * A link for setting up uses up all others of its kind: several nodes may each have made one.
   */
  takeLink(hash: Uint8Array, purpose: LinkPurpose, now: number): Promise<{ userId: UserId | null } | null>;
  /** Whose password this link sets; null where it is unknown, used, expired, or its person disabled. */
  passwordLink(hash: Uint8Array, now: number): Promise<User | null>;
  /** Sets it, uses the link up and ends all sessions; false where the link has been used or withdrawn meanwhile. */
  setPassword(password: NewPassword, entry: SealedEntry): Promise<boolean>;
}

export function createUsers({ prisma }: Pick<Database, 'prisma'>): Users {
  return {
    count: () => prisma.user.count({ where: { disabledAt: null } }),
    async byId(id) {
      const row = await prisma.user.findUnique({ where: { id, disabledAt: null } });
      return row && toUser(row);
    },
    async bySlackId(slackId) {
      const row = await prisma.user.findUnique({ where: { slackId, disabledAt: null } });
      return row && toUser(row);
    },
    async inSlack() {
      const rows = await prisma.user.findMany({ where: { slackId: { not: null }, disabledAt: null } });
      return new Map(rows.map((row) => [row.slackId ?? '', toUser(row)]));
    },
    async byEmail(email) {
      const row = await prisma.user.findUnique({ where: { email: email.toLowerCase(), disabledAt: null } });
      return row && { user: toUser(row), passwordHash: row.passwordHash };
    },
    async session(hash) {
      const [found] = await prisma.$queryRaw<FoundSession[]>`
        SELECT a.id, a.email, a.name, a.role, s.last_seen_at, s.expires_at, s.authenticated_at
          FROM session s JOIN app_user a ON a.id = s.user_id
         WHERE s.hash = ${copy(hash)} AND a.disabled_at IS NULL`;
      if (!found) return null;
      const { last_seen_at, expires_at, authenticated_at, ...row } = found;
      const user = { ...toUser(row), authenticatedAt: authenticated_at.getTime() };
      return { user, lastSeenAt: last_seen_at.getTime(), expiresAt: expires_at.getTime() };
    },
    async startSession({ hash, userId, at, expiresAt, authenticatedAt, passwordHash }, entry) {
      const now = new Date(at);
      const times = {
        createdAt: now,
        lastSeenAt: now,
        authenticatedAt: new Date(authenticatedAt),
        expiresAt: new Date(expiresAt),
      };
      const data = { hash: copy(hash), userId, ...times };
      return prisma.$transaction(async (tx) => {
        await lockUser(tx, userId);
        const proven = passwordHash === undefined ? {} : { passwordHash };
        if (!(await tx.user.findUnique({ where: { id: userId, disabledAt: null, ...proven } }))) return false;
        await tx.session.create({ data });
        await insertEntry(tx, entry);
        return true;
      });
    },
    async confirmSession(hash, at, entry) {
      const data = { authenticatedAt: new Date(at) };
      await prisma.$transaction([
        prisma.session.updateMany({ where: { hash: copy(hash) }, data }),
        insertEntry(prisma, entry),
      ]);
    },
    async mayBreakGlass(id) {
      const row = await prisma.user.findUnique({ where: { id, disabledAt: null }, select: { mayBreakGlass: true } });
      return row?.mayBreakGlass === true;
    },
    async names(ids) {
      const where = { id: { in: [...new Set(ids)] } };
      const rows = await prisma.user.findMany({ where, select: { id: true, name: true } });
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
    async touchSession(hash, at) {
      await prisma.session.updateMany({ where: { hash: copy(hash) }, data: { lastSeenAt: new Date(at) } });
    },
    async endSession(hash) {
      await prisma.session.deleteMany({ where: { hash: copy(hash) } });
    },
    async pruneSessions(now) {
      await prisma.session.deleteMany({ where: { expiresAt: { lte: new Date(now) } } });
    },
    async addLink({ hash, purpose, userId, expiresAt }) {
      const data = { hash: copy(hash), purpose, userId, expiresAt: new Date(expiresAt) };
      await prisma.link.create({ data });
    },
    async takeLink(hash, purpose, now) {
      const at = new Date(now);
      const [taken] = await prisma.$queryRaw<{ user_id: UserId | null }[]>`
        WITH taken AS (
          UPDATE link SET used_at = ${at}
           WHERE purpose = ${purpose} AND used_at IS NULL AND (hash = ${copy(hash)} OR purpose = 'setup')
             AND EXISTS (SELECT FROM link ours WHERE ours.hash = ${copy(hash)} AND ours.purpose = ${purpose}
               AND ours.used_at IS NULL AND ours.expires_at > ${at})
          RETURNING hash, user_id)
        SELECT user_id FROM taken WHERE hash = ${copy(hash)}`;
      return taken ? { userId: taken.user_id } : null;
    },
    async passwordLink(hash, now) {
      const link = await prisma.link.findUnique({ where: usable(hash, now), include: { user: true } });
      return link?.user ? toUser(link.user) : null;
    },
    setPassword: ({ userId, linkHash, passwordHash, at }, entry) =>
      prisma.$transaction(async (tx) => {
        await lockUser(tx, userId);
        if (!(await tx.link.findUnique({ where: usable(linkHash, at) }))) return false;
        await tx.user.update({ where: { id: userId }, data: { passwordHash } });
        await endAccess(tx, userId, new Date(at));
        await insertEntry(tx, entry);
        return true;
      }),
  };
}

interface UserRow {
  id: string;
  email: string;
  name: string;
  role: string;
}

interface FoundSession extends UserRow {
  last_seen_at: Date;
  expires_at: Date;
  authenticated_at: Date;
}

const toUser = ({ id, email, name, role }: UserRow): User => ({
  kind: 'user',
  id: id as UserId,
  email,
  name,
  role: roles.find((known) => known === role) ?? 'reviewer',
});

/** Prisma wants bytes over an ArrayBuffer of their own. */
const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);

const usable = (hash: Uint8Array, now: number) => ({
  hash: copy(hash),
  purpose: 'password',
  usedAt: null,
  expiresAt: { gt: new Date(now) },
  user: { disabledAt: null },
});
