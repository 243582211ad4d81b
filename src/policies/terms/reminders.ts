import { z } from 'zod';
import { durationSchema, atMost, ofFirst, defineTerm } from '../document/rules/term.ts';
import type { QuietHours } from '../deciding/contract/clause.ts';

/** Milliseconds after opening. */
export const reminders = defineTerm({
  key: 'reminders',
  schema: z
    .array(durationSchema('1m', '30d'))
    .max(20, atMost(20))
    .transform((all) => [...new Set(all)].sort((a, b) => a - b))
    .describe('When people are reminded, after opening.')
    .default([]),
  stricter: ofFirst,
  clauses: (after, { quietHours }: { quietHours: QuietHours | null }) =>
    after.length === 0 ? [] : [{ kind: 'reminders', after, quiet: quietHours }],
});
