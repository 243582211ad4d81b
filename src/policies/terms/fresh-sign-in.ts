import { durationSchema, orNull, shorter, defineTerm } from '../document/rules/term.ts';

/** Milliseconds: a vote needs a proof of who votes within them. */
export const freshSignIn = defineTerm({
  key: 'freshSignIn',
  schema: durationSchema('1m', '24h')
    .describe('A vote needs a proof of who votes, by password, passkey or identity provider, within this time.')
    .optional()
    .transform(orNull),
  stricter: shorter,
  clauses: (within) => (within === null ? [] : [{ kind: 'fresh-sign-in', within }]),
});
