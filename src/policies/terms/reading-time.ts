import { durationSchema, orNull, defineTerm } from '../document/rules/term.ts';
import type { PolicyDefaults } from '../contract/policy.ts';

/**
 * Milliseconds between showing a request and the approval of the person who sees it; null is the installation's
 * default.
 */
export const readingTime = defineTerm({
  key: 'readingTime',
  schema: durationSchema('0s', '5m')
    .describe(
      'An approval counts only this long after the voter was shown the request; 0s switches it off. Default: the setting of the installation, at high risk.',
    )
    .optional()
    .transform(orNull),
  stricter: longerReading,
  clauses: (within) => (within === null ? [] : [{ kind: 'reading-time', within }]),
});

/** The risk may come from either policy, so the default counts as it does at high risk: nothing below it replaces it. */
function longerReading(first: number | null, other: number | null, { readingTime }: PolicyDefaults): number | null {
  return first === null && other === null ? null : Math.max(first ?? readingTime, other ?? readingTime);
}
