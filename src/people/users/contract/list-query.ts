import { z } from 'zod';
import { storable } from '#requests/asking/contract/open';

/** Without a limit, a list has as many items as a console can hold; what is left out is behind `next`. */
const maxListed = 5_000;

/** Which part of a list. */
export const ListQuery = z.strictObject({
  q: storable(200)
    .trim()
    .min(1)
    .optional()
    .meta({ description: 'Part of a name, address or description, in any case.' }),
  cursor: z.string().max(1024).optional().meta({ description: '`next` of the page before.' }),
  limit: z.coerce.number().int().min(1).max(maxListed).default(maxListed),
});

/** Where the next page begins. */
export const Next = z
  .string()
  .nullable()
  .meta({ description: 'The cursor of the next page; null after the last item.' });
