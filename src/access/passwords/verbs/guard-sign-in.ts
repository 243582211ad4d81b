import { deviceOf } from '../../sign-in/rules/known-device.ts';
import { lookupHash } from '#platform/crypto/key-ring/lookup-hash';
import type { UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { BudgetLimits } from '../../sign-in/store/budgets.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { withinBudget } from '../../sign-in/verbs/budget.ts';

/**
 * Wrong passwords of one person, from anywhere and at any node: ten are free, then each makes the next attempt wait
 * longer, up to five seconds. So 130 can be tried in ten minutes, and no one can be shut out by others.
 */
const budget: Omit<BudgetLimits, 'now'> = { free: 10, maxDelayMs: 5_000, memoryMs: 600_000 };

interface Attempt {
  email: string;
  /** What the browser keeps of earlier sign-ins; see `rememberAccount`. */
  knownDevice: string | undefined;
}

/**
 * Makes an attempt to sign in with a password, if the person's budget allows one now; `rate-limited` says when the next
 * may be made. A browser in which they have signed in before has a budget of its own, which strangers cannot use up.
 * Sessions and links go on in any case.
 */
export async function guardSignIn<T>(
  engine: Pick<Engine, 'users' | 'ring' | 'now'>,
  { email, knownDevice }: Attempt,
  signIn: () => Promise<T>,
): Promise<T> {
  const account = accountOf(email);
  const key = lookupHash(engine.ring, 'signIn', account, deviceOf(engine.ring, account, knownDevice) ?? '');
  const isWrong = (error: unknown): boolean => error instanceof Problem && error.code === 'unauthenticated';
  return withinBudget(engine, key, budget, { attempt: signIn, isWrong });
}

/**
 * The same for someone who is signed in and proves their password again, at `field`, in whichever of their sessions: who has one of
 * them guesses no faster than who has none. A sign-in has its own budget, so no session slows it down.
 */
export const guardOwnPassword = <T>(
  engine: Pick<Engine, 'users' | 'ring' | 'now'>,
  { user, field }: { user: UserId; field: 'password' | 'current' },
  prove: () => Promise<T>,
): Promise<T> =>
  withinBudget(engine, lookupHash(engine.ring, 'signIn', 'own-password', user), budget, {
    attempt: prove,
    isWrong: (error) => error instanceof Problem && error.errors[0]?.path.join('.') === field,
  });

/** The same for every spelling of an address. */
export const accountOf = (email: string): string => email.normalize('NFC').toLowerCase();
