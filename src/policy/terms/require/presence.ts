import { z } from 'zod';
import { presences, type Presence } from '../../../model/presence.ts';
import { defineTerm } from '../parts/term.ts';

/** How a person shows with an approval that it is they who give it, now. */
export const presence = defineTerm({
  key: 'presence',
  schema: z
    .enum(presences)
    .describe(
      'What an approval needs of the person who gives it: nothing, a sign-in of the last ten minutes, or the signature of their passkey over what they approve. Default none.',
    )
    .default('none'),
  stricter: (first: Presence, other: Presence): Presence =>
    presences.indexOf(other) > presences.indexOf(first) ? other : first,
  clauses: (needed) => (needed === 'none' ? [] : [{ kind: 'presence', needed }]),
});
