import type { AuditEntry } from '#audit/entries/rules/entry';
import type { ElicitationId, UserId } from '#platform/model/id';
import { Prisma } from '#platform/database/generated/prisma/client';
import { moment } from '#platform/database/sql';
import { changeWithEntry, type Ledger } from '#audit/entries/store/entries';
import { type Database, inBatches } from '#platform/database/database';

export interface PageProof {
  /** Tries since the present code was made, counted up to 5. */
  attempts: number;
  /** A later code than the one the request was opened with, sealed; null if there is none. */
  code: Uint8Array | null;
  sessionHash: Uint8Array | null;
  /** Browsers that proved it before that one. */
  formerHashes: Uint8Array[];
  /** The console user who proved to be the requester; null if a code proved it. */
  userId: UserId | null;
  /** They agreed to leave for the outside address. */
  hasConsented: boolean;
}

/** A browser that may open the page of this request, from then on. */
interface Admission {
  elicitation: ElicitationId;
  sessionHash: Uint8Array;
  userId: UserId | null;
  at: number;
}

/** The proofs of those who opened a hosted page. */
export const createPageProofs = ({ prisma, evidence }: Ledger) => ({
  async find(elicitationId: ElicitationId): Promise<PageProof | null> {
    const row = await prisma.pageProof.findUnique({ where: { elicitationId } });
    if (!row) return null;
    const { attempts, code, sessionHash, formerHashes, userId, consentedAt } = row;
    const isOf = { userId: userId as UserId | null, hasConsented: consentedAt !== null };
    return { attempts, code, sessionHash, formerHashes, ...isOf };
  },
  /** Puts this code, sealed, in the place of one that was tried so often. If several race, one gets true. */
  async renewCode(elicitationId: ElicitationId, code: Uint8Array, tries: number): Promise<boolean> {
    const { count } = await prisma.pageProof.updateMany({
      where: { elicitationId, attempts: { gte: tries } },
      data: { code: copy(code), attempts: 0 },
    });
    return count === 1;
  },
  /** Lets the first browser in. False if another one was. */
  async letIn({ elicitation, sessionHash, userId, at }: Admission): Promise<boolean> {
    const admitted = await prisma.$queryRaw<unknown[]>`
      INSERT INTO page_proof AS p (elicitation_id, session_hash, user_id, proven_at)
      VALUES (${elicitation}, ${sessionHash}, ${userId}, ${moment(at)})
      ON CONFLICT (elicitation_id) DO UPDATE
        SET session_hash = EXCLUDED.session_hash, user_id = EXCLUDED.user_id, proven_at = EXCLUDED.proven_at
        WHERE p.session_hash IS NULL
      RETURNING 1 AS admitted`;
    return admitted.length === 1;
  },
  /** Lets this browser in instead of the previous one, with an entry, in one statement. False if there is none. */
  replace({ elicitation, sessionHash, userId, at }: Admission, entry: AuditEntry): Promise<boolean> {
    const change = Prisma.sql`
      UPDATE page_proof
         SET former_hashes = (former_hashes || session_hash)[greatest(1, cardinality(former_hashes) + 2 - ${mostFormer}::int):],
             session_hash = ${sessionHash}, user_id = ${userId}, proven_at = ${moment(at)}
       WHERE elicitation_id = ${elicitation} AND session_hash IS NOT NULL
      RETURNING 1`;
    return changeWithEntry(prisma, change, evidence.seal(entry, {}));
  },
  /** True for the first consent to leave for the given address. */
  async consentOnce(elicitationId: ElicitationId, at: number): Promise<boolean> {
    const { count } = await prisma.pageProof.updateMany({
      where: { elicitationId, consentedAt: null },
      data: { consentedAt: new Date(at) },
    });
    return count === 1;
  },
});

/** Browsers that are remembered; the latest stay. */
const mostFormer = 20;

/** Prisma needs bytes with a separate ArrayBuffer. */
const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);

/** Place of a try of a code: one browser at one link to the page of a request. */
interface TryPlace {
  elicitation: ElicitationId;
  linkHash: Uint8Array;
  browserHash: Uint8Array;
}

/** Tries of one window, and of all. */
export interface TryCount {
  /** When the window began. */
  since: number;
  tries: number;
  total: number;
}

/** The tries of one browser, and of all browsers of its link that never gave the right code. */
export interface TryCounts {
  own: TryCount | null;
  all: TryCount | null;
}

/** Limits on tries. */
export interface TryLimits {
  /** Milliseconds. */
  windowMs: number;
  /** Tries of one browser in a window. */
  browser: number;
  /** Tries of all browsers of a link in a window, and as long as the link lives. */
  link: number;
  total: number;
  /** Tries that wear a code out, so that the client gets another one when it asks again. */
  worn: number;
}

const everyBrowser = Buffer.alloc(0);

/** Counts tries of codes in the database, so that limits hold over all nodes. */
export const createPageTries = ({ prisma }: Pick<Database, 'prisma'>) => ({
  async at({ elicitation, linkHash, browserHash }: TryPlace): Promise<TryCounts> {
    const counts = await prisma.$queryRaw<(TryCount & { isOwn: boolean })[]>`
      SELECT browser_hash <> ${everyBrowser} AS "isOwn", tries, total,
             (extract(epoch FROM since) * 1000)::float8 AS since
        FROM page_try
       WHERE elicitation_id = ${elicitation} AND link_hash = ${linkHash}
         AND browser_hash IN (${browserHash}, ${everyBrowser})`;
    const countOf = (own: boolean) => counts.find(({ isOwn }) => isOwn === own) ?? null;
    return { own: countOf(true), all: countOf(false) };
  },
  /**
   * Counts one try before the code is checked. False if this browser has none left in this window or, unless `isKnown`,
   * the browsers of its link together have none left: of those that once gave the right code, no one else uses up tries.
   */
  async count(
    { elicitation, linkHash, browserHash }: TryPlace,
    { windowMs, browser, link, total, worn }: TryLimits,
    { isKnown, now }: { isKnown: boolean; now: number },
  ): Promise<boolean> {
    const counted = (hash: Uint8Array, from: Prisma.Sql, limit: Prisma.Sql) => Prisma.sql`
      INSERT INTO page_try AS t (elicitation_id, link_hash, browser_hash, since, tries, total)
      SELECT ${elicitation}, ${linkHash}, ${hash}, ${moment(now)}, 1, 1 ${from}
      ON CONFLICT (elicitation_id, link_hash, browser_hash) DO UPDATE
        SET since = CASE WHEN t.since <= ${moment(now - windowMs)} THEN EXCLUDED.since ELSE t.since END,
            tries = CASE WHEN t.since <= ${moment(now - windowMs)} THEN 1 ELSE t.tries + 1 END,
            total = t.total + 1
        WHERE ${limit}
      RETURNING 1 AS counted`;
    const within = (most: number) => Prisma.sql`(t.tries < ${most} OR t.since <= ${moment(now - windowMs)})`;
    const [result] = await prisma.$queryRaw<{ isTaken: boolean }[]>`
      WITH own AS (${counted(browserHash, Prisma.empty, within(browser))}),
           link AS (${counted(
             everyBrowser,
             Prisma.sql`FROM own WHERE NOT ${isKnown}`,
             Prisma.sql`${within(link)} AND t.total < ${total}`,
           )}),
           wear AS (
             INSERT INTO page_proof AS p (elicitation_id, attempts)
             SELECT ${elicitation}, 1 FROM own WHERE ${isKnown} OR EXISTS (SELECT FROM link)
             ON CONFLICT (elicitation_id) DO UPDATE SET attempts = least(p.attempts + 1, ${worn}))
      SELECT EXISTS (SELECT FROM link) OR (${isKnown} AND EXISTS (SELECT FROM own)) AS "isTaken"`;
    return result?.isTaken === true;
  },
  /** Deletes what was counted for requests that have ended, in windows that began before this time. */
  prune: (before: number): Promise<number> =>
    inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM page_try WHERE ctid IN (
          SELECT t.ctid FROM page_try t JOIN elicitation e ON e.id = t.elicitation_id
           WHERE t.since < ${moment(before)} AND e.closed_at IS NOT NULL LIMIT ${max})`,
    ),
});
