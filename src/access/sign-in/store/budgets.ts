import { Prisma } from '#platform/database/generated/prisma/client';
import { type Database, inBatches } from '#platform/database/database';

export interface BudgetLimits {
  /** Milliseconds since 1970. */
  now: number;
  /** Milliseconds after the last attempt after which nothing is remembered. */
  memoryMs: number;
  /** Wrong attempts without waiting; then each doubles it, from a second. */
  free: number;
  maxDelayMs: number;
}

/** The shortest wait there is. */
const minDelayMs = 1000;

/** Wrong passwords of accounts, counted over all nodes. */
export const createSignInBudgets = ({ prisma, query }: Pick<Database, 'prisma' | 'query'>) => ({
  /**
   * Counts an attempt as wrong before it is made, so that attempts at the same time cannot pass together. Resolves with
   * the milliseconds to wait if it may not be made yet, and counts nothing then; with 0 if it may.
   */
  async takeAttempt(key: Uint8Array, limits: BudgetLimits): Promise<number> {
    const now = new Date(limits.now);
    const isForgotten = Prisma.sql`b.at < ${new Date(limits.now - limits.memoryMs)}`;
    const failures = Prisma.sql`CASE WHEN ${isForgotten} THEN 1 ELSE b.failures + 1 END`;
    const delay = Prisma.sql`CASE WHEN ${failures} < ${limits.free}::int THEN 0
      ELSE least(${limits.maxDelayMs}::int, ${minDelayMs}::int * power(2, least(${failures} - ${limits.free}::int, 20))) END`;
    const [attempt] = await query<{ counted: boolean; wait: number | null }>(Prisma.sql`
      WITH counted AS (
        INSERT INTO sign_in_budget AS b (key, failures, at, next_at) VALUES (${key}, 1, ${now}, ${now})
        ON CONFLICT (key) DO UPDATE
          SET failures = ${failures}, at = ${now}, next_at = ${now}::timestamptz + ${delay} * interval '1 millisecond'
        WHERE b.next_at <= ${now} OR ${isForgotten}
        RETURNING key
      )
      SELECT EXISTS (SELECT FROM counted) AS counted,
        (SELECT ceil(extract(epoch FROM next_at - ${now}::timestamptz) * 1000)::int FROM sign_in_budget
          WHERE key = ${key}) AS wait`);
    // The row is read as it was when the statement began: an attempt at the same time may have used up the budget since.
    return attempt?.counted === true ? 0 : Math.max(minDelayMs, attempt?.wait ?? 0);
  },
  /** The attempt was no guess. */
  async giveBackAttempt(key: Uint8Array) {
    await prisma.$executeRaw`
      UPDATE sign_in_budget SET failures = greatest(failures - 1, 0), next_at = at WHERE key = ${key}`;
  },
  /** The attempt was right. */
  async resetAttempts(key: Uint8Array) {
    await prisma.$executeRaw`DELETE FROM sign_in_budget WHERE key = ${key}`;
  },
  async pruneAttempts(before: number) {
    await inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM sign_in_budget WHERE key IN (
          SELECT key FROM sign_in_budget WHERE at < ${new Date(before)} ORDER BY at LIMIT ${max})`,
    );
  },
});

export type SignInBudgets = ReturnType<typeof createSignInBudgets>;
