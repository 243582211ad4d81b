import { z } from 'zod';
import { refusalCodes } from '../../model/refusal.ts';

/** May it be done, and if not, why not. */
export const Permission = z.object({
  allowed: z.boolean(),
  /** Why not, as a code that the console puts into words; null if it is allowed. */
  refusal: z.enum(refusalCodes).nullable(),
});
export type Permission = z.infer<typeof Permission>;
