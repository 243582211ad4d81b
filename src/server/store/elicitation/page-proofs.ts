import type { ElicitationId, UserId } from '#protocol/model/id';
import type { Database } from '../database/database.ts';

export interface PageProof {
  attempts: number;
  sessionHash: Uint8Array | null;
  /** The console user who proved to be the requester; null if a code proved it. */
  userId: UserId | null;
  /** They agreed to leave for the outside address. */
  hasConsented: boolean;
}

/** The proofs of those who opened a hosted page. */
export const createPageProofs = ({ prisma }: Pick<Database, 'prisma'>) => ({
  async find(elicitationId: ElicitationId): Promise<PageProof | null> {
    const row = await prisma.pageProof.findUnique({ where: { elicitationId } });
    if (!row) return null;
    const { attempts, sessionHash, userId, consentedAt } = row;
    return { attempts, sessionHash, userId: userId as UserId | null, hasConsented: consentedAt !== null };
  },
  /** Counts one try of the code before it is checked; null, without counting, after `most` tries or a right one. */
  async countAttempt(elicitation: ElicitationId, most: number): Promise<number | null> {
    const [counted] = await prisma.$queryRaw<{ attempts: number }[]>`
      INSERT INTO page_proof AS p (elicitation_id, attempts) VALUES (${elicitation}, 1)
      ON CONFLICT (elicitation_id) DO UPDATE SET attempts = p.attempts + 1
        WHERE p.attempts < ${most} AND p.session_hash IS NULL
      RETURNING attempts`;
    return counted?.attempts ?? null;
  },
  /** Lets this browser in by the code. If several race, one gets true. */
  async letInOnce(elicitationId: ElicitationId, sessionHash: Uint8Array, at: number): Promise<boolean> {
    const { count } = await prisma.pageProof.updateMany({
      where: { elicitationId, sessionHash: null },
      data: { sessionHash: copy(sessionHash), provenAt: new Date(at) },
    });
    return count === 1;
  },
  /** Lets this browser in as this person, and replaces the previous browser. */
  async letInUser(elicitationId: ElicitationId, sessionHash: Uint8Array, userId: UserId, at: number) {
    const proof = { sessionHash: copy(sessionHash), userId, provenAt: new Date(at) };
    await prisma.pageProof.upsert({
      where: { elicitationId },
      create: { elicitationId, ...proof },
      update: proof,
    });
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

/** Prisma needs bytes with a separate ArrayBuffer. */
const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
