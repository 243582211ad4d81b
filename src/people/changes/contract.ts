import { z } from 'zod';
import { idText } from '#platform/http/contract/problem';
import { aloneReasons } from '../directory/contract/user.ts';

/** A change of who may decide, which waits for a second administrator. */
export const WaitingChange = z
  .object({
    request: idText('elicitation').meta({ description: 'The request on which they accept or decline it.' }),
    sentence: z.string(),
  })
  .meta({ id: 'WaitingChange' });
export type WaitingChange = z.infer<typeof WaitingChange>;

/** Why one administrator was enough for a change of who may decide, and how that ends. */
const MadeAlone = z
  .object({ because: z.enum(aloneReasons), sentence: z.string() })
  .nullable()
  .meta({ id: 'MadeAlone' });
export type MadeAlone = z.infer<typeof MadeAlone>;

const alone = MadeAlone.optional().meta({ description: 'Absent or null if the change gave no one power.' });

/** An answer about what was changed at once. */
export const changed = <S extends z.ZodRawShape>(entry: z.ZodObject<S>) => entry.extend({ alone });
