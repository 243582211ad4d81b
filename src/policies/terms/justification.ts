import { z } from 'zod';
import type { PolicyClause } from '../deciding/contract/clause.ts';
import { orNull, wholeSchema, allOf, defineTerm } from '../document/rules/term.ts';

export interface JustificationRule {
  minLength: number;
  /** A pattern with `*`, or null. */
  like: string | null;
}

/** All rules must hold. */
interface Justification {
  requester: JustificationRule[];
  approver: JustificationRule[];
}

const ruleSchema = z
  .strictObject({
    minLength: wholeSchema(1, 2_000).describe('The least number of characters. Default 1.').default(1),
    like: z
      .string()
      .min(1, 'Must not be empty.')
      .max(200, 'Must have at most 200 characters.')
      .describe('A pattern with `*`, such as "JIRA-*".')
      .optional()
      .transform(orNull),
  })
  .transform((rule): JustificationRule[] => [rule]);

/** Required reasons. */
export const justification = defineTerm({
  key: 'justification',
  schema: z
    .strictObject({
      requester: ruleSchema.describe("The rules for the request's reason.").default([]),
      approver: ruleSchema.describe("The rules for each vote's reason.").default([]),
    })
    .describe('Which reasons must be given.')
    .default({ requester: [], approver: [] }),
  stricter: (first: Justification, other: Justification): Justification => ({
    requester: allOf(first.requester, other.requester),
    approver: allOf(first.approver, other.approver),
  }),
  clauses: (rules) => [
    ...rules.requester.map(describeRule('requester')),
    ...rules.approver.map(describeRule('approver')),
  ],
});

const describeRule =
  (from: 'requester' | 'approver') =>
  ({ minLength, like }: JustificationRule): PolicyClause => ({ kind: 'justification', from, minLength, like });
