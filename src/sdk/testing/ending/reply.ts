import type { FormContent } from '#platform/form/schema';
import type { ElicitationResult } from './elicitation-result.ts';

/** The fake human's reply to a question: a result of MCP, an approver's vote, or nothing until it expires. */
export type Reply = ElicitationResult | Vote | { action: 'time-out' };

/** An approver's vote. Only a vote answers a question for approvers, and it answers no other. */
export interface Vote {
  action: 'approve' | 'refuse';
  content?: FormContent;
  comment?: string;
}

/** The approvers say yes, with this in the form. */
export const approve = (content: FormContent = {}, comment?: string): Vote => ({
  action: 'approve',
  content,
  ...(comment !== undefined && { comment }),
});

/** An approver says no, and why. */
export const refuse = (comment: string): Vote => ({ action: 'refuse', comment });

/** No one answers: `elicit()` throws ElicitationTimeoutError, at once. */
export const timeOut = (): Reply => ({ action: 'time-out' });
