import { z } from 'zod';
import { actions } from '#requests/asking/contract/elicitation';
import type { ToldAnswer } from '../../question/call/incoming-call.ts';

/**
 * A client's answer in MCP's terms. More lenient than the SDKs: the content of an accept is validated field by field by
 * the question. Some clients call the content `data`; if they give both, MCP's name counts.
 */
export const Reply = z
  .looseObject({ action: z.enum(actions), content: z.unknown().optional(), data: z.unknown().optional() })
  .transform(({ action, content, data }): ToldAnswer => ({ action, content: content === undefined ? data : content }));
