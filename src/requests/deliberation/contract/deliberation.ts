import { z } from 'zod';
import { actions } from '../../asking/contract/elicitation.ts';
import { digest, idText } from '#platform/http/contract/problem';
import { ElicitationId, FormContent, Moment, storable, RelayChannel } from '../../asking/contract/open.ts';
import { NamedUser, UserId } from '#people/users/contract';

/** The API for one request, apart from opening it and voting on it. */
const RemarkId = idText('remark').meta({ id: 'RemarkId' });

const seenDigest = digest.meta({ description: 'The action digest of what the person saw.' });
/** Brought back with an approval. */
export const ShownToken = z
  .string()
  .max(256)
  .optional()
  .meta({ description: 'The `reading.token` of the page, if it has one: an approval needs it.' });

/** Brought back with an approval. */
export const OpenedValues = z.array(z.string().max(2_000)).max(10_000).optional().meta({
  description:
    'JSON Pointers of the long values of the arguments that the person opened and read to their end; the empty one is the whole. An approval needs all of them: texts, lists and groups with more than 600 characters or 12 lines.',
});

/** Brought back with an approval. */
export const TypedTexts = z.array(z.string().max(1_000)).max(20).optional().meta({
  description:
    'What the person typed. An approval needs the text of every `confirmation` of the policy: a fixed one, or the value of an argument; the name of the tool where the arguments have no such value of one line.',
});

const words = (least: number) => storable(4000).trim().min(least);

export const EditElicitation = z
  .strictObject({
    digest: seenDigest,
    arguments: FormContent.meta({ description: 'The new values of the arguments that change, by their names.' }),
  })
  .meta({ id: 'EditElicitation' });
export type EditElicitation = z.infer<typeof EditElicitation>;

export const RevokeApproval = z.strictObject({ digest: seenDigest }).meta({ id: 'RevokeApproval' });
export type RevokeApproval = z.infer<typeof RevokeApproval>;

export const AddApprover = z.strictObject({ digest: seenDigest, user: UserId }).meta({ id: 'AddApprover' });
export type AddApprover = z.input<typeof AddApprover>;

export const WatchElicitation = z
  .strictObject({
    held: z
      .boolean()
      .meta({ description: 'True marks the request as being reviewed by you for 15 minutes; false removes the mark.' }),
  })
  .meta({ id: 'WatchElicitation' });
export type WatchElicitation = z.infer<typeof WatchElicitation>;

export const AddComment = z.strictObject({ text: words(1) }).meta({ id: 'AddComment' });
export type AddComment = z.infer<typeof AddComment>;

export const AskForInformation = z
  .strictObject({
    digest: seenDigest,
    message: words(1),
    schema: z
      .unknown()
      .optional()
      .meta({ description: 'An MCP form schema for the reply; by default one text field.' }),
  })
  .meta({ id: 'AskForInformation' });
export type AskForInformation = z.infer<typeof AskForInformation>;

/** The requester's reply to an approver's question, relayed by the server that asked. It decides nothing. */
export const GiveInformation = z
  .strictObject({ inquiry: RemarkId, action: z.enum(actions), content: FormContent.optional(), channel: RelayChannel })
  .meta({ id: 'GiveInformation' });
export type GiveInformation = z.input<typeof GiveInformation>;

export const PostponeElicitation = z
  .strictObject({ digest: seenDigest, notBefore: Moment })
  .meta({ id: 'PostponeElicitation' });
export type PostponeElicitation = z.infer<typeof PostponeElicitation>;

export const BreakGlassElicitation = z
  .strictObject({
    digest: seenDigest,
    shown: ShownToken,
    opened: OpenedValues,
    reason: words(20),
    content: FormContent.optional(),
  })
  .meta({ id: 'BreakGlassElicitation' });
export type BreakGlassElicitation = z.infer<typeof BreakGlassElicitation>;

/** The reason of an administrator or reviewer for reading this request. */
export const LookAt = z.strictObject({ reason: words(10) }).meta({ id: 'LookAt' });
export type LookAt = z.infer<typeof LookAt>;

export const ReadPassedCall = z.strictObject({ reason: words(10).optional() }).meta({ id: 'ReadPassedCall' });
export type ReadPassedCall = z.infer<typeof ReadPassedCall>;

export const PassedCallContent = z
  .object({
    id: idText('entry'),
    server: z.string(),
    tool: z.string(),
    policy: z.string().meta({ description: 'name@version' }),
    at: Moment,
    arguments: z.string().meta({ description: 'As JSON; what is longer than is kept of a call is cut.' }),
    length: z.int().min(0).meta({ description: 'Characters of the whole JSON: more than there are if it was cut.' }),
  })
  .meta({ id: 'PassedCallContent' });
export type PassedCallContent = z.infer<typeof PassedCallContent>;

export const ReviewBreakGlass = z
  .strictObject({ isJustified: z.boolean(), finding: words(1) })
  .meta({ id: 'ReviewBreakGlass' });
export type ReviewBreakGlass = z.infer<typeof ReviewBreakGlass>;

export const ConfirmPassword = z.strictObject({ password: z.string().min(1).max(256) }).meta({ id: 'ConfirmPassword' });
export type ConfirmPassword = z.infer<typeof ConfirmPassword>;

/** An emergency override and its review. */
export const BreakGlass = z
  .object({
    by: NamedUser,
    reason: z.string(),
    at: Moment,
    reviewDueAt: Moment,
    review: z.object({ by: NamedUser, at: Moment, isJustified: z.boolean(), finding: z.string() }).nullable(),
  })
  .meta({ id: 'BreakGlass' });
export type BreakGlass = z.infer<typeof BreakGlass>;

export const BreakGlassList = z
  .object({
    breakGlass: z.array(
      z.object({
        elicitation: ElicitationId,
        server: z.string(),
        tool: z.string(),
        by: NamedUser,
        at: Moment,
        reviewDueAt: Moment,
        reviewedAt: Moment.nullable(),
      }),
    ),
  })
  .meta({ id: 'BreakGlassList', description: 'Those without a review first, the oldest of them first.' });
export type BreakGlassList = z.infer<typeof BreakGlassList>;

/** A note is needed if people should have been asked. */
export const ReviewLookBack = z
  .strictObject({ shouldHaveAsked: z.boolean(), finding: z.union([words(1), z.literal('')]).default('') })
  .refine(({ shouldHaveAsked, finding }) => !shouldHaveAsked || finding !== '', {
    path: ['finding'],
    error: 'Say why people should have been asked.',
  })
  .meta({ id: 'ReviewLookBack' });
export type ReviewLookBack = z.infer<typeof ReviewLookBack>;

/** An allowed request that a person looks at later, and what they found. */
export const LookBack = z
  .object({
    at: Moment,
    review: z.object({ by: NamedUser, at: Moment, shouldHaveAsked: z.boolean(), finding: z.string() }).nullable(),
  })
  .meta({ id: 'LookBack' });

export const LookBackList = z
  .object({
    lookBacks: z.array(
      z.object({
        elicitation: ElicitationId,
        server: z.string(),
        tool: z.string(),
        policy: z.string(),
        at: Moment,
        reviewedAt: Moment.nullable(),
      }),
    ),
  })
  .meta({ id: 'LookBackList', description: 'Those that no one has looked at first, then the newest.' });
export type LookBackList = z.infer<typeof LookBackList>;
