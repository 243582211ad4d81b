import { MemoryStore, rateLimit, type Options } from 'express-rate-limit';
import { Problem } from '../../model/problem.ts';
import { tooMany } from './pace.ts';

/** Milliseconds, and the wrong passwords of one person within them, no matter where they come from. */
const personWindow = 600_000;
const mostForPerson = 30;

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

/** Refuses further sign-ins under one email after too many wrong passwords; a right one before that forgets them. */
export type PersonGuard = <T>(email: string, signIn: () => Promise<T>) => Promise<T>;

/** A guard with a memory of its own. It closes the sign-in by password alone: sessions and links go on. */
export function guardPersons(): PersonGuard {
  const store = new MemoryStore();
  store.init({ windowMs: personWindow } as Options);
  return async (email, signIn) => {
    const key = email.toLowerCase();
    const { totalHits, resetTime } = await store.increment(key);
    if (totalHits > mostForPerson) throw tooMany(resetTime);
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
