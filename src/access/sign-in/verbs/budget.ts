import { Problem } from '#platform/model/problem';
import type { BudgetLimits } from '../store/budgets.ts';
import type { Engine } from '#platform/nodes/verbs/engine';

/**
 * Makes an attempt if the budget of this key allows one now; `rate-limited` says when the next may be made. One that
 * succeeds gives the budget back, and so does a fault, which is no guess.
 */
export async function withinBudget<T>(
  { users, now }: Pick<Engine, 'users' | 'now'>,
  key: Buffer,
  budget: Omit<BudgetLimits, 'now'>,
  { attempt, isWrong }: { attempt: () => Promise<T>; isWrong: (error: unknown) => boolean },
): Promise<T> {
  const wait = await users.takeAttempt(key, { ...budget, now: now() });
  if (wait > 0) throw new Problem('rate-limited', { retryAfter: Math.ceil(wait / 1000) });
  try {
    const result = await attempt();
    await users.resetAttempts(key);
    return result;
  } catch (error) {
    if (!isWrong(error)) await users.giveBackAttempt(key);
    throw error;
  }
}
