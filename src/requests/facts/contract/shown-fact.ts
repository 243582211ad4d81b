import { z } from 'zod';
import { minorUnits } from './facts.ts';

const factSources = ['policy', 'author', 'rule'] as const;

/** A key fact with the stored value it leads to. */
export const ShownFact = z
  .object({
    /** As its author calls it; by rule, the path of the value, such as `to.iban` or `"to.iban"`. */
    label: z.string(),
    source: z.enum(factSources),
    /** Pointers to everything its value is made of. */
    paths: z.array(z.string()),
    value: z.string().nullable().meta({ description: 'The beginning of the stored value; null if there is none.' }),
    length: z.int().meta({ description: 'How many characters the stored value has.' }),
    /** How many members a list has. */
    members: z.int().nullable(),
    verbs: z.array(z.string()).meta({ description: 'The SQL verbs in the whole value.' }),
    minor: z
      .object({ unit: z.enum(minorUnits), currency: z.string().nullable() })
      .nullable()
      .meta({ description: 'What the amount is counted in, if not in its currency: `amount_cents`, for example.' }),
  })
  .meta({ id: 'ShownFact' });
export type ShownFact = z.infer<typeof ShownFact>;

/** Who asked, as everyone sees it. */
export const ShownRequester = z.object({
  subject: z.string(),
  issuer: z.string().nullable(),
  verified: z.boolean().meta({ description: 'The server says that it has checked the access token.' }),
  verifiedBy: z.string().nullable().meta({ description: 'The issuer whose access token Assentry has checked itself.' }),
});
