import type { AuditEntry } from '#audit/entries/rules/entry/entry';
import type { Assurance, SecondFactor, SignInMethod } from '../../contract/authentication/authentication.ts';
import type { SessionId, UserId } from '#platform/model/id';
import { insertEntry, type Ledger } from '#audit/entries/store/entries/sealed-entry';
import { copy } from '#people/directory/store/directory-record/user-row';

/** A session as its person sees it. Times are milliseconds since 1970. */
export interface OpenSession {
  id: SessionId;
  hash: Uint8Array;
  /** What the browser said it is, and where it signed in. */
  agent: string;
  address: string;
  /** The issuer of the identity provider where they signed in; null if it was here. */
  provider: string | null;
  /** How the person last proved who they are, what they have proven after it, and how much that is. */
  method: SignInMethod;
  secondFactor: SecondFactor | null;
  assurance: Assurance;
  signedInAt: number;
  lastSeenAt: number;
  expiresAt: number;
}

/** The sessions of one person, for that person. */
export const createOwnSessions = ({ prisma, evidence }: Ledger) => ({
  /** Those that have not ended, the latest use first. */
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
