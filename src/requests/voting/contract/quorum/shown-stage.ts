import { z } from 'zod';
import { actions, relayChannels } from '../../../asking/contract/elicitation.ts';
import { meanings } from './stage.ts';
import { FormContent, Moment } from '../../../asking/contract/open.ts';
import { NamedUser } from '#people/users/contract';

/** How one request goes on, as its page shows it. */
const stageStates = ['complete', 'current', 'waiting'] as const;

export const ShownStage = z
  .object({
    name: z.string(),
    state: z.enum(stageStates),
    complete: z.enum(['all', 'any']),
    /** Did an approver ask for this stage? */
    added: z.boolean(),
    groups: z.array(
      z.object({
        name: z.string(),
        meaning: z.enum(meanings),
        have: z.int(),
        need: z.int(),
        refusals: z.int(),
        /** How many refusals end it. */
        deny: z.int(),
        /** Who can still answer; null is everyone who may vote. At most 100 are named. */
        open: z.array(NamedUser).nullable(),
      }),
    ),
  })
  .meta({ id: 'ShownStage' });
export type ShownStage = z.infer<typeof ShownStage>;

/** What an edit changed: arguments of the tool, before and after. */
export const ShownRevision = z
  .object({
    revision: z.int(),
    by: z.string(),
    at: Moment,
    changes: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
  })
  .meta({ id: 'ShownRevision' });

export const ShownRemark = z
  .object({
    id: z.string(),
    kind: z.enum(['comment', 'question', 'reply']),
    /** Null is the requester, through the server that asked. */
    by: z.string().nullable(),
    person: z.string().nullable(),
    text: z.string(),
    /** Of a question: the form of its reply. */
    schema: z.unknown().nullable(),
    /** Of a reply. */
    answer: z
      .object({ action: z.enum(actions), content: FormContent.nullable(), channel: z.enum(relayChannels) })
      .nullable(),
    replyTo: z.string().nullable(),
    at: Moment,
  })
  .meta({ id: 'ShownRemark' });
export type ShownRemark = z.infer<typeof ShownRemark>;
