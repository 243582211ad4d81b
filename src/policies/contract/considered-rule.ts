import { z } from 'zod';

/** A policy that was looked at for a request, or one of its rules, and what became of its condition. */
export const ConsideredRule = z.object({
  policy: z.string(),
  rule: z.int().optional().meta({ description: 'Which of several rules of the policy, from 1.' }),
  outcome: z.enum(['allow', 'confirm', 'deny', 'require']),
  result: z.enum(['applied', 'not-applied', 'failed']),
  failure: z.string().nullable(),
  decided: z.boolean(),
  clauses: z.array(z.object({ text: z.string(), holds: z.boolean().nullable() })),
});
