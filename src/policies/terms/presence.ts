import { z } from 'zod';
import { acrPattern, presences, stricterPresence, type PresenceTerm } from '#people/directory/contract/presence';
import { defineTerm } from '../document/rules/term.ts';

const vouched = z.strictObject({
  acr: z
    .string()
    .regex(acrPattern, 'Must be a value of `acr`, without spaces.')
    .describe('What the ID token of the identity provider must say of the sign-in (`acr`); it is also asked for.'),
});

/** Proof, with an approval, that its person gives it now. */
export const presence = defineTerm({
  key: 'presence',
  schema: z
    .union([z.enum(presences), vouched], 'Give none, fresh-sign-in, passkey, or { acr: VALUE }.')
    .describe(
      'What an approval needs of the person who gives it: nothing, a sign-in of the last ten minutes, one at an identity provider with this `acr`, or the signature of their passkey over what they approve. Default none; in production at high risk the signature of people who have a passkey.',
    )
    .optional()
    .transform((needed): PresenceTerm => ({ needed: needed ?? 'none', hasDefault: needed === undefined })),
  stricter: (first: PresenceTerm, other: PresenceTerm): PresenceTerm => ({
    needed: stricterPresence(first.needed, other.needed),
    hasDefault: first.hasDefault || other.hasDefault,
  }),
  clauses: ({ needed }) => (needed === 'none' ? [] : [{ kind: 'presence', needed }]),
});
