import { MemoryStore, rateLimit, type Options } from 'express-rate-limit';
import { Problem } from '../../model/problem.ts';

/** Milliseconds; wrong passwords for one account within them, from wherever they come. */
const accountWindow = 600_000;
const mostForAccount = 30;

/** Slows down guessing of passwords and links, for each address or other key. */
export const slowGuessing = (options: Partial<Options> = {}) =>
  rateLimit({
    ...options,
    windowMs: 60_000,
    limit: 20,
    skipSuccessfulRequests: true,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: () => {
      throw new Problem('rate-limited');
    },
  });

/** Lets so many wrong passwords for one account pass in a while; a right one before that forgets them. */
export type AccountGuard = <T>(account: string, signIn: () => Promise<T>) => Promise<T>;

/** A guard with a memory of its own. Sessions and links of the account go on when it is closed. */
export function guardAccounts(): AccountGuard {
  const store = new MemoryStore();
  store.init({ windowMs: accountWindow } as Options);
  return async (account, signIn) => {
    const key = account.toLowerCase();
    const { totalHits, resetTime } = await store.increment(key);
    const left = (resetTime?.getTime() ?? Date.now()) - Date.now();
    if (totalHits > mostForAccount)
      throw new Problem('rate-limited', { retryAfter: Math.max(1, Math.ceil(left / 1000)) });
    try {
      const signedIn = await signIn();
      await store.resetKey(key);
      return signedIn;
    } catch (error) {
      const isWrong = error instanceof Problem && error.code === 'unauthenticated';
      if (!isWrong) await store.decrement(key); // a fault is no guess
      throw error;
    }
  };
}
