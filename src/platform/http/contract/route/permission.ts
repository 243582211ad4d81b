import { z } from 'zod';
import { refusalCodes, type RefusalCode as Code } from '#requests/inbox/contract/refusal';

/** A type with a name, since the compiler would write out all codes at each place that uses them. */
export interface RefusalCode extends z.ZodEnum<{ [Name in Code]: Name }> {}
export const RefusalCode: RefusalCode = z.enum(refusalCodes);

/** May it be done, and if not, why not. */
export const Permission = z.object({
  allowed: z.boolean(),
  /** Why not, as a code that the console puts into words; null if it is allowed. */
  refusal: RefusalCode.nullable(),
});
export type Permission = z.infer<typeof Permission>;
