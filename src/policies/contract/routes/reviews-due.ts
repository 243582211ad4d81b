import { z } from 'zod';

/** What the console counts at Policies on each of its pages. */
export const ReviewsDue = z
  .object({ versions: z.array(z.object({ name: z.string(), version: z.int() })) })
  .meta({ id: 'ReviewsDue' });
export type ReviewsDue = z.infer<typeof ReviewsDue>;
