import { z } from 'zod';
import { chatRoomForm } from '#notify/chat/contract';
import { orNull, defineTerm } from '../document/rules/term.ts';

export const chatToApprovers = 'approvers';

const chatSchema = z.strictObject({
  to: z
    .string()
    .regex(
      new RegExp(`^${chatToApprovers}$|${chatRoomForm.source}`),
      'Must be approvers, or a channel: its ID or #name in Slack, its ID in Microsoft Teams.',
    )
    .describe(
      'Who is notified: `approvers`, each in a message of their own, or a channel: `C0123ABCD` or `#name` in Slack, `19:…@thread.tacv2` in Microsoft Teams.',
    ),
  vote: z
    .boolean()
    .describe('May people vote there? Then the message and the arguments are posted to chat. Default false.')
    .default(false),
});

type ChatTerms = z.output<typeof chatSchema>;

/** Who is notified of a request in chat. */
export const chat = defineTerm({
  key: 'chat',
  schema: chatSchema.describe('Post the request in chat.').optional().transform(orNull),
  stricter: bothTell,
  clauses: (terms) =>
    terms === null ? [] : [{ kind: 'chat', channel: terms.to === chatToApprovers ? null : terms.to, vote: terms.vote }],
});

function bothTell(first: ChatTerms | null, other: ChatTerms | null): ChatTerms | null {
  return first && other && { to: first.to, vote: first.vote && other.vote };
}
