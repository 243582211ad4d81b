import { durationSchema, orNull, longer, defineTerm } from '../document/rules/term.ts';

/** Milliseconds for which a complete approval can be taken back before it releases anything. */
export const undo = defineTerm({
  key: 'undo',
  schema: durationSchema('1s', '5m')
    .describe('A complete approval waits this long, and can be taken back meanwhile.')
    .optional()
    .transform(orNull),
  stricter: longer,
  clauses: (within) => (within === null ? [] : [{ kind: 'undo', within }]),
});
