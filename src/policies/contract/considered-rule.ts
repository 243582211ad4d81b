import { z } from 'zod';

/** A policy that was looked at for a request, or one of its rules, and what became of its condition. */
export const ConsideredRule = z.object({
  policy: z.string(),
  rule: z.int().optional().meta({ description: 'Which of several rules of the policy, from 1.' }),
  outcome: z.enum(['allow', 'confirm', 'deny', 'require']),
  result: z.enum(['applied', 'not-applied', 'failed']),
  /** Why the evaluation failed. */
  failure: z.string().nullable(),
  /** Did its rule, or part of it, become the verdict? */
  decided: z.boolean(),
  /** The parts of `when` that are joined by `&&` at its top; `holds` is null if a part could not be evaluated. */
  clauses: z.array(z.object({ text: z.string(), holds: z.boolean().nullable() })),
});
export type ConsideredRule = z.infer<typeof ConsideredRule>;
