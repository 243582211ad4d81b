import { durationSchema } from '../parts/duration.ts';
import { orNull } from '../parts/schemas.ts';
import { longer } from '../parts/stricter.ts';
import { defineTerm } from '../parts/term.ts';

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
  stricter: longer,
  clauses: (within) => (within === null ? [] : [{ kind: 'reading-time', within }]),
});
