import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Action } from '#requests/asking/contract/elicitation';
import type { ElicitationContext } from '../options/elicitation-request.ts';
import type { HandleElicitation } from './elicitation-handler.ts';

const UrlsRequired = z.object({
  code: z.literal(ErrorCode.UrlElicitationRequired),
  data: z.object({
    elicitations: z
      .array(z.object({ mode: z.literal('url'), message: z.string(), url: z.string(), elicitationId: z.string() }))
      .min(1),
  }),
});

/**
 * Handles error -32042 of a call: each address it names goes to approvers, one after the other, until one is not
 * accepted. Resolves with 'accept' if the call may be sent again, with null for any other error.
 */
export async function answerRequiredUrls(
  error: unknown,
  handleElicitation: HandleElicitation,
  context?: ElicitationContext,
): Promise<Action | null> {
  const required = UrlsRequired.safeParse(error);
  if (!required.success) return null;
  for (const params of required.data.data.elicitations) {
    const { action } = await handleElicitation({ params }, context);
    if (action !== 'accept') return action;
  }
  return 'accept';
}
