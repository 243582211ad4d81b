import { z } from 'zod';
import { digest } from '#platform/http/contract/problem';
import {
  ElicitationState,
  Moment,
  OpenedElicitation,
  NamedRequester,
  ToolAnnotations,
  ToolCallId,
} from '../asking/contract/open.ts';

export const ToolCallState = z
  .object({
    id: ToolCallId,
    tool: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    schemaDigest: digest.nullable().meta({ description: "The tool's digest when it asked." }),
    annotations: ToolAnnotations.nullable(),
    reaches: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'What its server ran or where it was when it asked.' }),
    state: z.enum(['open', 'claimed', 'completed', 'settled']),
    /** When a run claimed it; null if none did. */
    since: Moment.nullable(),
    arguments: z.record(z.string(), z.unknown()),
    requester: NamedRequester,
    session: z.string().meta({ description: 'The session the call was made in, or its principal without one.' }),
    elicitations: z.array(
      ElicitationState.extend({
        message: z.string(),
        schema: z.unknown(),
        visited: z.boolean().meta({ description: 'The requester agreed to go to the address, or was on the page.' }),
        code: OpenedElicitation.shape.code,
      }),
    ),
    /** Kept until it is delivered, or to be read again. */
    result: z.unknown().optional(),
  })
  .meta({ id: 'ToolCallState' });
export type ToolCallState = z.infer<typeof ToolCallState>;
