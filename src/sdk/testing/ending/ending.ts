import type { ElicitationState } from '../../client/client.ts';
import { checkAnswer } from '#platform/form/answer';
import type { FormContent } from '#platform/form/schema';
import { InvalidInputError } from '../../mcp/question/errors/errors.ts';
import { outcomeAction, type Outcome } from '#requests/asking/contract/elicitation';
import type { ToolCallId } from '#platform/model/id';
import type { AskedQuestion } from './asked-question.ts';
import type { ElicitationResult } from './elicitation-result.ts';

/** How a question ends. */
export interface Ending {
  status: Outcome;
  content?: FormContent | undefined;
  /** What the person wrote. */
  comment?: string | undefined;
}

/** The end of a question by a result. Throws InvalidInputError if it does not fit the form. */
export function endWith(question: AskedQuestion, result: ElicitationResult): Ending {
  if (result.action === 'accept') return acceptWith(question, result.content);
  if (result.action === 'cancel') return { status: 'cancelled' };
  return { status: 'declined', comment: result._meta?.reason };
}

/** An address whose result has no form gets none. */
export function acceptWith({ schema }: AskedQuestion, content?: FormContent, comment?: string): Ending {
  if (!schema) return { status: 'accepted', comment };
  const checked = checkAnswer(schema, { action: 'accept', content });
  if (!checked.ok) throw new InvalidInputError(checked.errors);
  return { status: 'accepted', content: checked.content, comment };
}

/** The question as its row would show it after its end. */
export function closedState(question: AskedQuestion, toolCall: ToolCallId, ending: Ending): ElicitationState {
  const { id, step, audience, mode, ttl } = question;
  const { status, content, comment = null } = ending;
  const closedAt = Date.now();
  const openedAt = status === 'expired' ? closedAt - ttl : closedAt;
  return {
    id,
    toolCall,
    step,
    status,
    audience,
    mode,
    comment,
    action: outcomeAction[status],
    ...(content && { content }),
    cause: status === 'cancelled' ? 'user' : null,
    openedAt,
    deadlineAt: openedAt + ttl,
    closedAt,
    revision: 1,
    digest: '',
    statusUrl: `https://assentry.invalid/requests/${id}`,
  };
}
