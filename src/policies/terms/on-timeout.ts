import { z } from 'zod';
import { defineTerm, noClause } from '../document/rules/term.ts';

/** No timeout approves, so there is no third value. */
export type TimeoutOutcome = 'expire' | 'deny';

/** Outcome at the deadline. */
export const onTimeout = defineTerm({
  key: 'onTimeout',
  schema: z
    .enum(['expire', 'deny'], 'Must be expire or deny: no timeout approves.')
    .describe('What happens at the deadline. Default expire.')
    .default('expire'),
  stricter: (first: TimeoutOutcome, other: TimeoutOutcome): TimeoutOutcome => (first === 'deny' ? 'deny' : other),
  clauses: noClause,
});
