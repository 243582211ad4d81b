import { z } from 'zod';
import { actions } from '../../model/elicitation.ts';
import type { ToldAnswer } from '../question/incoming-call.ts';

/**
 * What a client answers, in MCP's words. More lenient than the SDKs: what an accept carries is judged field by field
 * against the question. Some clients call the content `data`; where they give both, MCP's name counts.
 */
export const Reply = z
  .looseObject({ action: z.enum(actions), content: z.unknown().optional(), data: z.unknown().optional() })
  .transform(({ action, content, data }): ToldAnswer => ({ action, content: content === undefined ? data : content }));
