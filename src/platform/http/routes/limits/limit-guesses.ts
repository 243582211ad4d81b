import { rateLimit, type Options } from 'express-rate-limit';
import { Problem } from '../../../model/problem/problem.ts';

/** Slows down guessing of passwords and links, for each address or other key. */
export const limitGuesses = (options: Partial<Options> = {}) =>
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
