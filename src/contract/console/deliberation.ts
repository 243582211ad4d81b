import { z } from 'zod';
import { actions } from '../../model/elicitation.ts';
import { idPattern } from '../../model/id.ts';
import { ElicitationId, FormContent, Moment, storable, RelayChannel } from '../servers/elicitation.ts';
import { NamedPerson, UserId } from '../people/people.ts';

/** What crosses the wire about one request beside opening it and voting on it. */
export const RemarkId = z.string().regex(idPattern('remark')).meta({ id: 'RemarkId' });

const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: 'The action digest of what the person saw.' });
const words = (least: number) => storable(4000).trim().min(least);

export const EditElicitation = z
  .strictObject({
    digest,
    arguments: FormContent.meta({ description: 'The new values of the arguments that change, by their names.' }),
  })
  .meta({ id: 'EditElicitation' });
export type EditElicitation = z.infer<typeof EditElicitation>;

export const AddApprover = z.strictObject({ digest, person: UserId }).meta({ id: 'AddApprover' });
export type AddApprover = z.infer<typeof AddApprover>;

export const ClaimElicitation = z
  .strictObject({
    held: z.boolean().meta({ description: 'True says "I look at this" for 15 minutes; false lets go.' }),
  })
  .meta({ id: 'ClaimElicitation' });
export type ClaimElicitation = z.infer<typeof ClaimElicitation>;

export const AddComment = z.strictObject({ text: words(1) }).meta({ id: 'AddComment' });
export type AddComment = z.infer<typeof AddComment>;

export const AskForInformation = z
  .strictObject({
    digest,
    message: words(1),
    schema: z
      .unknown()
      .optional()
      .meta({ description: 'An MCP form schema for the reply; without it, words are asked for.' }),
  })
  .meta({ id: 'AskForInformation' });
export type AskForInformation = z.infer<typeof AskForInformation>;

/** The requester's reply to an approver's question, relayed by the server that asked. It decides nothing. */
export const GiveInformation = z
  .strictObject({ inquiry: RemarkId, action: z.enum(actions), content: FormContent.optional(), channel: RelayChannel })
  .meta({ id: 'GiveInformation' });
export type GiveInformation = z.input<typeof GiveInformation>;

export const PostponeElicitation = z.strictObject({ digest, notBefore: Moment }).meta({ id: 'PostponeElicitation' });
export type PostponeElicitation = z.infer<typeof PostponeElicitation>;

export const OverruleElicitation = z
  .strictObject({ digest, reason: words(20), content: FormContent.optional() })
  .meta({ id: 'OverruleElicitation' });
export type OverruleElicitation = z.infer<typeof OverruleElicitation>;

export const ReviewOverrule = z
  .strictObject({ isJustified: z.boolean(), finding: words(1) })
  .meta({ id: 'ReviewOverrule' });
export type ReviewOverrule = z.infer<typeof ReviewOverrule>;

export const ConfirmPassword = z.strictObject({ password: z.string().min(1).max(256) }).meta({ id: 'ConfirmPassword' });
export type ConfirmPassword = z.infer<typeof ConfirmPassword>;

/** A decision past its policy, and what was found of it. */
export const Overrule = z
  .object({
    by: NamedPerson,
    reason: z.string(),
    at: Moment,
    reviewDueAt: Moment,
    review: z.object({ by: NamedPerson, at: Moment, isJustified: z.boolean(), finding: z.string() }).nullable(),
  })
  .meta({ id: 'Overrule' });
export type Overrule = z.infer<typeof Overrule>;

export const OverruleList = z
  .object({
    overrules: z.array(
      z.object({
        elicitation: ElicitationId,
        server: z.string(),
        tool: z.string(),
        by: NamedPerson,
        at: Moment,
        reviewDueAt: Moment,
        reviewedAt: Moment.nullable(),
      }),
    ),
  })
  .meta({ id: 'OverruleList', description: 'Those without a review first, the oldest of them first.' });
export type OverruleList = z.infer<typeof OverruleList>;
