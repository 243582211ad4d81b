import { z } from 'zod';
import { risks, statuses } from '../../../asking/contract/elicitation.ts';
import { storable } from '../../../asking/contract/open.ts';
import { inboxOrders, inboxViews, lastMoment, maxFilterLengths } from '#access/sign-in/contract/authentication';

const momentText = z.coerce.number().int().min(0).max(lastMoment);

export const InboxQuery = z.strictObject({
  view: z.enum(inboxViews).default('mine'),
  /** Of the open views; the nearest deadline comes first by default. The done view is always newest first. */
  order: z.enum(inboxOrders).optional(),
  server: storable(maxFilterLengths.server).optional(),
  tool: storable(maxFilterLengths.tool).optional(),
  status: z.enum(statuses).optional(),
  risk: z.enum(risks).optional(),
  policy: storable(maxFilterLengths.policy).optional().meta({ description: 'Its name, without the version.' }),
  group: storable(maxFilterLengths.group)
    .optional()
    .meta({ description: 'Requests under a published policy that asks this group.' }),
  requester: storable(maxFilterLengths.requester)
    .trim()
    .min(1)
    .optional()
    .meta({
      description:
        'Who asked, whole: `SUBJECT`, of any issuer that the directory names for it, or `ISSUER#SUBJECT`. Only requests ' +
        'whose content the reader may see are found.',
    }),
  q: storable(maxFilterLengths.q)
    .trim()
    .min(1)
    .optional()
    .meta({
      description:
        'Part of the name of a tool, server or policy, or of the name or address of someone who voted; or a whole id. What ' +
        'is sealed is not searched: messages, arguments, answers, requesters.',
    }),
  /** Of the closing in the done view, else of the opening; `until` is outside. */
  from: momentText.optional(),
  until: momentText.optional(),
  cursor: z.string().max(512).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export type InboxQuery = z.infer<typeof InboxQuery>;
