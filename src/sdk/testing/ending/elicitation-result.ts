import { checkAnswer, type AnswerResult } from '#platform/form/answer';
import type { FormContent } from '#platform/form/schema';
import { actions, type Action } from '#requests/asking/contract/elicitation';
import type { ElicitationRequest } from './elicitation-request.ts';

/** An MCP client's result of `elicitation/create`. */
export type ElicitationResult =
  | { action: 'accept'; content?: FormContent }
  | { action: 'decline'; _meta?: { reason: string } }
  | { action: 'cancel' };

/** The person filled in the form, or agreed to go to the address. */
export const accept = (content?: FormContent): ElicitationResult => ({
  action: 'accept',
  ...(content && { content: { ...content } }),
});

/** The person declined. MCP has no field for a reason, so it is in `_meta`. */
export const decline = (reason?: string): ElicitationResult => ({
  action: 'decline',
  ...(reason !== undefined && { _meta: { reason } }),
});

/** The person went away without an answer. */
export const cancel = (): ElicitationResult => ({ action: 'cancel' });

/**
 * Validates a client's result by its request, as the server will; one error for each field. Send it only if `ok`.
 * `content` is there for an accepted form alone.
 */
export function checkResult(request: ElicitationRequest, result: { action: string; content?: unknown }): AnswerResult {
  const { action, content } = result;
  if (!isAction(action))
    return { ok: false, errors: [{ path: ['action'], message: `Must be ${actions.join(', ')}.` }] };
  if (request.mode === 'url') return { ok: true };
  return checkAnswer(request.requestedSchema, { action, content });
}

const isAction = (action: string): action is Action => (actions as readonly string[]).includes(action);
