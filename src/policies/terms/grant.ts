import { z } from 'zod';
import type { Risk } from '#requests/asking/contract/elicitation';
import {
  durationSchema,
  argumentName,
  atMost,
  orNull,
  wholeSchema,
  neither,
  defineTerm,
} from '../document/rules/term.ts';

const grantSchema = z.strictObject({
  longest: durationSchema('1m', '90d').describe('The longest an approver may allow it for.'),
  uses: wholeSchema(1, 100_000).describe('The most uses.').optional().transform(orNull),
  budget: z
    .strictObject({
      argument: argumentName.describe('A numeric argument.'),
      total: z.number('Must be a number above 0.').positive('Must be a number above 0.').describe('The largest sum.'),
    })
    .describe('The sum of an argument over all uses.')
    .optional()
    .transform(orNull),
  same: z.array(argumentName).max(20, atMost(20)).describe('Arguments that must stay the same.').default([]),
  ceiling: z
    .enum(['low', 'medium'])
    .describe('Requests of a higher risk are asked again. Default medium.')
    .default('medium'),
  review: durationSchema('1h', '365d')
    .describe('It lapses unless someone reviews it within this time.')
    .optional()
    .transform(orNull),
});

/** Times are milliseconds. */
export type GrantTerms = Omit<z.output<typeof grantSchema>, 'ceiling'> & { ceiling: Risk };

/** The standing approval an approver may give. */
export const grant = defineTerm({
  key: 'grant',
  schema: grantSchema
    .describe('Approvers may give a standing approval.')
    .optional()
    .transform(orNull<GrantTerms>),
  stricter: neither,
  clauses: (terms) => {
    if (terms === null) return [];
    const { longest, uses, budget, same } = terms;
    return [{ kind: 'grant', longest, uses, budget, same }];
  },
});
