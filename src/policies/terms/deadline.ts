import { durationSchema, orNull, shorter, defineTerm } from '../document/rules/term.ts';
import type { TimeoutOutcome } from './on-timeout.ts';

/** Milliseconds; null if the caller's own time counts. */
export const deadline = defineTerm({
  key: 'deadline',
  schema: durationSchema('1s', '30d')
    .describe('How long people have. Between 1s and 30d.')
    .optional()
    .transform(orNull),
  stricter: shorter,
  clauses: (after, { onTimeout }: { onTimeout: TimeoutOutcome }) =>
    after === null ? [] : [{ kind: 'deadline', after, outcome: onTimeout }],
});
