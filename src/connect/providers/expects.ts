import { z } from 'zod';
import { providerKeyPattern, Scopes } from './provider.ts';

/** What a question in URL mode expects to happen at a provider; Assentry finds out itself whether it did. */
export const Expects = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('connection'),
      provider: z.string().regex(providerKeyPattern, 'Use small letters, digits and hyphens.'),
      scopes: Scopes.default([]),
    }),
  ])
  .meta({ id: 'Expects' });
export type Expects = z.output<typeof Expects>;
