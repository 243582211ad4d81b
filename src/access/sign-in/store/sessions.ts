import { Prisma } from '#platform/database/generated/prisma/client';
import type { Assurance, Authentication, SecondFactor, SignInMethod } from '../contract/authentication.ts';
import type { PasskeyId, SessionId, TotpId, UserId } from '#platform/model/id';
import type { SessionProof, SignedInUser } from '#people/directory/contract/user';
import type { AuditEntry } from '#audit/entries/rules/entry';
import { anyOf } from '#platform/database/sql';
import { batch, inBatches } from '#platform/database/database';
import type { CurrentEpoch } from '#platform/database/epochs';
import type { Query } from '#platform/database/connection';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { lockUser } from '#people/users/store/access';
import { permissionsIn } from '#people/roles/store';
import { copy, toUser, type UserRow } from '#people/directory/store/directory-record';
import type { OwnSession } from '../contract/account.ts';

export interface StoredSession {
  user: SignedInUser & { proof: SessionProof };
  /** Has the person a second factor, here or at the provider where this session proved it? */
  hasFactor: boolean;
  lastSeenAt: number;
  expiresAt: number;
}

interface NewSession {
  id: SessionId;
  hash: Uint8Array;
  userId: UserId;
  at: number;
  expiresAt: number;
  agent: string;
  address: string;
  authentication: Pick<Authentication, 'method' | 'assurance' | 'at' | 'acr'> & {
    /** The passkey that proved it; absent for another way. */
    passkey?: PasskeyId | undefined;
  };
  /** The hash of the password that was proven. */
  passwordHash?: string | undefined;
  identity?: SessionIdentity | undefined;
}

/** The person's identity at the provider where they signed in, and the provider's own session with this browser. */
export interface SessionIdentity {
  issuer: string;
  subject: string;
  sid: string | null;
}

type NewProof = Pick<NewSession, 'hash' | 'userId' | 'identity'> & NewSession['authentication'];

/** `hash` is that of the session's next secret. */
interface ProvenFactor {
  hash: Uint8Array;
  factor: SecondFactor;
  totp: TotpId;
}

/** The most sessions in one statement: each console that is open asks for its own when something changes. */
const batchSize = 1024;
/** The most sessions kept in memory. */
const maxKept = 10_000;

/** Signed-in browsers. Those of disabled people count as absent. */
export function createSessions({ prisma, query, evidence }: Ledger) {
  const find = batch((hashes: Uint8Array[]) => readSessions(query, hashes), { maxSize: batchSize });
  const kept = new Map<string, StoredSession>();
  return {
    async session(hash: Uint8Array): Promise<StoredSession | null> {
      const row = await find(hash);
      const name = nameOf(hash);
      kept.delete(name);
      if (!row) return null;
      const session = storedSession(row);
      if (kept.size >= maxKept) kept.clear();
      kept.set(name, session);
      return session;
    },
    /** The session as last read, however long ago: only for a statement that checks its proof. */
    keptSession: (hash: Uint8Array): StoredSession | null => kept.get(nameOf(hash)) ?? null,
    /** False if the person has been disabled meanwhile, or the password, passkey or identity is no longer theirs. */
    async startSession(
      { hash, at, expiresAt, authentication, passwordHash, identity, ...session }: NewSession,
      entry: AuditEntry,
    ): Promise<boolean> {
      const { userId } = session;
      const now = new Date(at);
      const times = {
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(expiresAt),
      };
      const data = {
        hash: copy(hash),
        ...session,
        ...times,
        ...columnsOf(authentication),
        ...identityColumns(identity),
      };
      return prisma.$transaction(async (tx) => {
        await lockUser(tx, userId);
        const proven = passwordHash === undefined ? {} : { passwordHash };
        if (!(await tx.user.findUnique({ where: { id: userId, disabledAt: null, ...proven } }))) return false;
        if (!(await isInUse(tx, authentication.passkey))) return false;
        if (identity && !(await useIdentity(tx, userId, identity, now))) return false;
        await tx.session.create({ data });
        await noteOwnFactor(tx, hash);
        await insertEntry(tx, evidence.seal(entry, {}));
        return true;
      });
    },
    ...createNames(prisma),
    ...createProofs({ prisma, evidence }),
    async touchSession(hash: Uint8Array, at: number) {
      await prisma.session.updateMany({ where: { hash: copy(hash) }, data: { lastSeenAt: new Date(at) } });
    },
    /** The entry is written if there was such a session. */
    endSession: (hash: Uint8Array, entry: AuditEntry) =>
      prisma.$transaction(async (tx) => {
        const { count } = await tx.session.deleteMany({ where: { hash: copy(hash) } });
        if (count > 0) await insertEntry(tx, evidence.seal(entry, {}));
      }),
    /** Deletes sessions that ended before this time. */
    async pruneSessions(now: number) {
      await inBatches(
        (max) => prisma.$executeRaw`
          DELETE FROM session WHERE hash IN (
            SELECT hash FROM session WHERE expires_at <= ${new Date(now)} LIMIT ${max})`,
      );
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;

/** Proofs in an existing session, which gets another secret with each. */
const createProofs = ({ prisma, evidence }: Pick<Ledger, 'prisma' | 'evidence'>) => ({
  /**
   * After the person has proven again who they are, the session gets another secret. Null if it has ended meanwhile, or
   * the passkey or identity is no longer theirs.
   */
  confirmSession: (hash: Uint8Array, proven: NewProof, entry: AuditEntry): Promise<{ expiresAt: number } | null> =>
    prisma.$transaction(async (tx) => {
      const session = await confirm(tx, hash, proven);
      if (!session) return null;
      await insertEntry(tx, evidence.seal(entry, {}));
      return { expiresAt: session.expiresAt.getTime() };
    }),
  /**
   * After the person has proven a second factor, the session gets another secret. Null if it has ended meanwhile, or the
   * authenticator app was removed.
   */
  completeSession: (
    hash: Uint8Array,
    { hash: next, factor, totp }: ProvenFactor,
    entry: AuditEntry,
  ): Promise<{ expiresAt: number } | null> =>
    prisma.$transaction(async (tx) => {
      const [app] = await tx.$queryRaw<{ issued_by_id: string | null }[]>`
        SELECT issued_by_id FROM totp WHERE id = ${totp} AND removed_at IS NULL FOR SHARE`;
      if (!app) return null;
      const own = app.issued_by_id === null ? { hasOwnFactor: true } : {};
      const at = { multiFactorAt: new Date(entry.at) };
      const data = { hash: copy(next), secondFactor: factor, totpId: totp, assurance: 'multi-factor', ...at, ...own };
      const [session] = await tx.session.updateManyAndReturn({ where: { hash: copy(hash) }, data });
      if (!session) return null;
      await insertEntry(tx, evidence.seal(entry, {}));
      return { expiresAt: session.expiresAt.getTime() };
    }),
});

/** The session's row under its new secret; undefined if it has ended, or the proof is no longer this person's. */
async function confirm(tx: Prisma.TransactionClient, hash: Uint8Array, proven: NewProof) {
  const { userId, passkey, identity, at } = proven;
  if (!(await isInUse(tx, passkey))) return undefined;
  if (identity && !(await useIdentity(tx, userId, identity, new Date(at)))) return undefined;
  const own = identity && identityColumns(identity); // the provider still ends a session that began there
  const { assurance, ...columns } = columnsOf(proven);
  // Proving one of them again takes nothing from a session in which several were proven.
  const weaker = { hash: copy(hash), userId, assurance: { not: 'multi-factor' } };
  await tx.session.updateMany({ where: weaker, data: { assurance } });
  const data = { hash: copy(proven.hash), ...columns, ...own };
  const [session] = await tx.session.updateManyAndReturn({ where: { hash: copy(hash), userId }, data });
  if (session) await noteOwnFactor(tx, proven.hash);
  return session;
}

/**
 * From then on the session counts for no one else, if no administrator had a part in what was just proven in it: who made a
 * link cannot have begun it alone.
 */
const noteOwnFactor = (tx: Prisma.TransactionClient, hash: Uint8Array): Promise<unknown> =>
  tx.$executeRaw`
    UPDATE session s SET has_own_factor = true
      FROM app_user a
     WHERE s.hash = ${copy(hash)} AND a.id = s.user_id AND CASE s.method
       WHEN 'password' THEN a.password_issuer_id IS NULL
       WHEN 'passkey' THEN EXISTS (SELECT FROM passkey WHERE id = s.passkey_id AND issued_by_id IS NULL)
       WHEN 'oidc' THEN EXISTS (SELECT FROM federated_identity f WHERE f.issuer = s.provider_issuer
         AND f.subject = s.provider_subject AND f.linked_by_id IS NULL)
       ELSE false END`;

/** Locked, so that its removal waits, and then finds the session that it has to end. */
async function isInUse(tx: Prisma.TransactionClient, passkey?: PasskeyId): Promise<boolean> {
  if (passkey === undefined) return true;
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM passkey WHERE id = ${passkey} AND removed_at IS NULL FOR SHARE`;
  return rows.length > 0;
}

/** A session is named by its id, which stays, or by its hash. */
const createNames = (prisma: Ledger['prisma']) => ({
  /** The hash by which the session of this id goes now; null if it has ended. */
  async sessionHash(id: SessionId): Promise<Uint8Array | null> {
    return (await prisma.session.findUnique({ where: { id }, select: { hash: true } }))?.hash ?? null;
  },
  async sessionId(hash: Uint8Array): Promise<SessionId | null> {
    const session = await prisma.session.findUnique({ where: { hash: copy(hash) }, select: { id: true } });
    return session && (session.id as SessionId);
  },
});

/** Has the person of the session `s` a second factor, here or at the provider where the session proved it? */
const hasFactor = Prisma.sql`((s.provider_issuer IS NOT NULL AND s.assurance = 'multi-factor')
  OR EXISTS (SELECT FROM passkey WHERE user_id = s.user_id AND removed_at IS NULL)
  OR EXISTS (SELECT FROM totp WHERE user_id = s.user_id AND removed_at IS NULL))`;

const multiFactorOf = ({ has_factor, multi_factor_at: at }: Pick<SessionRow, 'has_factor' | 'multi_factor_at'>) =>
  has_factor ? { multiFactor: { at: at?.getTime() ?? null } } : {};

/**
 * The person's factors and their proof in this session; null if it has ended. No factor is added or removed before the
 * commit.
 */
export async function factorsIn(
  tx: Prisma.TransactionClient,
  userId: UserId,
  hash: Uint8Array,
): Promise<Pick<Authentication, 'multiFactor'> | null> {
  await lockUser(tx, userId);
  const [row] = await tx.$queryRaw<Pick<SessionRow, 'has_factor' | 'multi_factor_at'>[]>`
    SELECT ${hasFactor} AS has_factor, s.multi_factor_at FROM session s
     WHERE s.hash = ${copy(hash)} AND s.user_id = ${userId}`;
  return row ? multiFactorOf(row) : null;
}

/** In the order of the hashes; undefined for each that no session of an enabled person has. */
async function readSessions(query: Query, hashes: Uint8Array[]): Promise<(SessionRow | undefined)[]> {
  const copies = new Map(hashes.map((hash) => [nameOf(hash), copy(hash)]));
  const rows = await query<SessionRow>(Prisma.sql`
    SELECT s.hash, a.id, a.email, a.name, a.role, ${permissionsIn('a')} AS permissions, s.created_at, s.last_seen_at, s.expires_at, s.method, s.assurance, s.authenticated_at,
        s.provider_issuer, s.second_factor, s.acr, s.multi_factor_at,
        CASE WHEN s.has_own_factor THEN NULL WHEN s.passkey_id IS NOT NULL THEN k.issued_by_id
          WHEN s.method = 'oidc' THEN f.linked_by_id ELSE a.password_issuer_id END AS "credentialIssuer",
        ${hasFactor} AS has_factor,
        (SELECT value FROM epoch WHERE name = 'users') AS users,
        (SELECT value FROM epoch WHERE name = 'sessions') AS sessions
      FROM session s JOIN app_user a ON a.id = s.user_id LEFT JOIN passkey k ON k.id = s.passkey_id
        LEFT JOIN federated_identity f ON f.issuer = s.provider_issuer AND f.subject = s.provider_subject
     WHERE s.hash = ${anyOf(Prisma.sql`${[...copies.values()]}::bytea[]`)} AND a.disabled_at IS NULL
       AND (s.method <> 'oidc' OR f.issuer IS NOT NULL)`);
  const sessions = new Map(rows.map((row) => [nameOf(row.hash), row]));
  return hashes.map((hash) => sessions.get(nameOf(hash)));
}

const columnsOf = ({ method, assurance, at, passkey, acr }: NewSession['authentication']) => ({
  method,
  assurance,
  passkeyId: passkey ?? null,
  acr: acr ?? null,
  authenticatedAt: new Date(at),
  ...(assurance === 'multi-factor' && { multiFactorAt: new Date(at) }),
});

const identityColumns = (identity?: SessionIdentity) => ({
  providerIssuer: identity?.issuer ?? null,
  providerSubject: identity?.subject ?? null,
  providerSid: identity?.sid ?? null,
});

/**
 * False if it is not this person's. The directory must have it as a name of theirs too: that row is proven by the log.
 */
async function useIdentity(
  tx: Prisma.TransactionClient,
  userId: UserId,
  { issuer, subject }: SessionIdentity,
  lastUsedAt: Date,
): Promise<boolean> {
  const where = { issuer, subject, userId, user: { subjects: { has: `${issuer}#${subject}` } } };
  const { count } = await tx.federatedIdentity.updateMany({ where, data: { lastUsedAt } });
  return count > 0;
}

const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');

function storedSession({
  created_at,
  last_seen_at,
  expires_at,
  authenticated_at,
  provider_issuer,
  acr,
  second_factor,
  has_factor,
  multi_factor_at,
  method,
  assurance,
  hash,
  users,
  sessions,
  ...row
}: SessionRow): StoredSession {
  const person = toUser(row);
  const provider = provider_issuer === null ? {} : { provider: provider_issuer };
  const authentication = {
    method,
    assurance,
    at: authenticated_at.getTime(),
    begunAt: created_at.getTime(),
    by: person.credentialIssuer ?? null,
    ...provider,
    ...(acr !== null && { acr }),
    ...(second_factor && { secondFactor: second_factor }),
    ...multiFactorOf({ has_factor, multi_factor_at }),
  };
  const user = { ...person, authentication, proof: { hash, users, sessions } };
  return { user, hasFactor: has_factor, lastSeenAt: last_seen_at.getTime(), expiresAt: expires_at.getTime() };
}

interface SessionRow extends UserRow, Pick<CurrentEpoch, 'users' | 'sessions'> {
  hash: Uint8Array;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  authenticated_at: Date;
  method: SignInMethod;
  assurance: Assurance;
  provider_issuer: string | null;
  acr: string | null;
  second_factor: SecondFactor | null;
  has_factor: boolean;
  multi_factor_at: Date | null;
}

interface OpenSession extends Omit<OwnSession, 'isThis'> {
  hash: Uint8Array;
}

/** The sessions of one person, for that person. */
export const createOwnSessions = ({ prisma, evidence }: Ledger) => ({
  /** Sessions that have not ended, the latest use first. */
  async openSessions(userId: UserId, { now, idle }: { now: number; idle: number }): Promise<OpenSession[]> {
    const where = { userId, expiresAt: { gt: new Date(now) }, lastSeenAt: { gt: new Date(now - idle) } };
    const rows = await prisma.session.findMany({ where, orderBy: [{ lastSeenAt: 'desc' }, { id: 'asc' }] });
    return rows.map(({ id, hash, agent, address, providerIssuer, createdAt, lastSeenAt, expiresAt, ...row }) => ({
      id: id as SessionId,
      hash,
      agent,
      address,
      provider: providerIssuer,
      method: row.method as SignInMethod,
      secondFactor: row.secondFactor as SecondFactor | null,
      assurance: row.assurance as Assurance,
      signedInAt: createdAt.getTime(),
      lastSeenAt: lastSeenAt.getTime(),
      expiresAt: expiresAt.getTime(),
    }));
  },
  /** Ends these of the person's sessions, and writes the entry if there were any; returns how many. */
  endSessions: (
    userId: UserId,
    which: { only: SessionId } | { except: Uint8Array },
    entryOf: (ended: SessionId[]) => AuditEntry,
  ): Promise<number> =>
    prisma.$transaction(async (tx) => {
      const chosen = 'only' in which ? { id: which.only } : { NOT: { hash: copy(which.except) } };
      const where = { userId, ...chosen };
      const ended = await tx.session.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } });
      if (ended.length === 0) return 0; // a statement without rows would still have all nodes read their sessions again
      const { count } = await tx.session.deleteMany({ where: { id: { in: ended.map(({ id }) => id) } } });
      if (count > 0) await insertEntry(tx, evidence.seal(entryOf(ended.map(({ id }) => id as SessionId)), {}));
      return count;
    }),
});

export type OwnSessions = ReturnType<typeof createOwnSessions>;
