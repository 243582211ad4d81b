import { z } from 'zod';
import { requesterRules, type RequesterRule } from '../contract/policy.ts';
import { orNull, defineTerm } from '../document/rules/term.ts';

/** Requesters whose requests may be approved; null is the installation's default. */
export const requester = defineTerm({
  key: 'requester',
  schema: z
    .enum(requesterRules, 'Must be verified or any.')
    .describe(
      "verified: Assentry must have checked the requester. any: no check needed. Default: the installation's setting, at medium and high risk.",
    )
    .optional()
    .transform(orNull),
  stricter: stricterRequester,
  clauses: (rule) => (rule === 'verified' ? [{ kind: 'checked-requester' }] : []),
});

/** The default is stricter than `any`, and less strict than `verified`. */
function stricterRequester(first: RequesterRule | null, other: RequesterRule | null): RequesterRule | null {
  if (first === 'verified' || other === 'verified') return 'verified';
  return first === 'any' ? other : first;
}
