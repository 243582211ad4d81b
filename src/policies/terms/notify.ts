import { z } from 'zod';
import { personalChannels } from '#notify/chat/contract';
import { orNull, defineTerm } from '../document/rules/term.ts';

const notifySchema = z
  .strictObject({
    channels: z
      .array(z.enum(personalChannels, `Must be ${personalChannels.join(' or ')}.`))
      .min(1, 'Must not be empty.')
      .transform((all) => [...new Set(all)])
      .describe('Only in these ways: `email`, `push`. Default: as each person has set.')
      .optional()
      .transform(orNull),
    urgent: z
      .boolean()
      .describe('Do notifications come in quiet hours and before digests? People can turn that off. Default false.')
      .default(false),
  })
  .refine(({ channels, urgent }) => channels !== null || urgent, 'Must have `channels`, or `urgent: true`.');

/** `channels` is null for all. */
export type NotifyTerms = z.output<typeof notifySchema>;

/** Channels to approvers; null if their own settings alone choose them. */
export const notify = defineTerm({
  key: 'notify',
  schema: notifySchema.describe('How approvers are notified of the request.').optional().transform(orNull),
  stricter: bothNotify,
  clauses: (terms) => (terms === null ? [] : [{ kind: 'notify', ...terms }]),
});

/** Merges two terms: the channels that both permit, and urgent if one of them is. */
function bothNotify(first: NotifyTerms | null, other: NotifyTerms | null): NotifyTerms | null {
  if (first === null || other === null) return first ?? other;
  const channels =
    first.channels === null || other.channels === null
      ? (first.channels ?? other.channels)
      : first.channels.filter((channel) => other.channels?.includes(channel));
  return { channels, urgent: first.urgent || other.urgent };
}
