import { lookupHash } from '#platform/crypto/key-ring/lookup-hash';
import type { UserId } from '#platform/model/id';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import type { BudgetLimits } from '../../sign-in/store/budgets.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { withinBudget } from '../../sign-in/verbs/budget.ts';

/**
 * Wrong codes of one person, at any node and in any browser: five are free, then each makes the next attempt wait longer,
 * up to five minutes. So within a day someone who has the password can try 300 of a million codes, of which three are right.
 */
const budget: Omit<BudgetLimits, 'now'> = { free: 5, maxDelayMs: 300_000, memoryMs: 86_400_000 };

/** Uses a code if the person's budget allows an attempt now; `rate-limited` says when the next may be made. */
export async function guardCode<T>(
  engine: Pick<Engine, 'users' | 'ring' | 'now'>,
  user: UserId,
  useCode: () => Promise<T | null>,
): Promise<T> {
  const key = lookupHash(engine.ring, 'signIn', 'second-factor', user);
  const wrong = wrongCode();
  const attempt = async (): Promise<T> => {
    const used = await useCode();
    if (used === null) throw wrong;
    return used;
  };
  return withinBudget(engine, key, budget, { attempt, isWrong: (error) => error === wrong });
}

export const wrongCode = (): Problem =>
  invalidInput(['code'], 'Wait for the next code, then enter it: this one is wrong, or was used.');
