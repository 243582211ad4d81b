import type { AuditEntry } from '#audit/entries/rules/entry';
import type { ElicitationId, UserId } from '#platform/model/id';
import { Prisma } from '#platform/database/generated/prisma/client';
import { moment } from '#platform/database/sql';
import { changeWithEntry, type Ledger } from '#audit/entries/store/entries';

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
