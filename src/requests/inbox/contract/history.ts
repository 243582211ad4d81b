import { z } from 'zod';
import { risks, statuses, cancelCauses, voteActions } from '../../asking/contract/elicitation.ts';
import { storable, ElicitationId, Moment } from '../../asking/contract/open.ts';
import { inboxFilters, inboxOrders, inboxViews, lastMoment, type InboxFilter } from './filters.ts';
import type { RouteContract } from '#platform/http/contract/route';
import { ShownRequester } from '../../facts/contract/shown-fact.ts';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import { idText } from '#platform/http/contract/problem';
import { NamedUser } from '#people/users/contract';

const momentText = z.coerce.number().int().min(0).max(lastMoment);

const filterSchemas = {
  server: storable(inboxFilters.server).optional(),
  tool: storable(inboxFilters.tool).optional(),
  status: z.enum(statuses).optional(),
  risk: z.enum(risks).optional(),
  policy: storable(inboxFilters.policy).optional().meta({ description: 'Its name, without the version.' }),
  group: storable(inboxFilters.group)
    .optional()
    .meta({ description: 'Requests under a published policy that asks this group.' }),
  requester: storable(inboxFilters.requester)
    .trim()
    .min(1)
    .optional()
    .meta({
      description:
        'Who asked, whole: `SUBJECT`, of any issuer that the directory names for it, or `ISSUER#SUBJECT`. Only requests ' +
        'whose content the reader may see are found.',
    }),
  q: storable(inboxFilters.q)
    .trim()
    .min(1)
    .optional()
    .meta({
      description:
        'Part of the name of a tool, server or policy, or of the name or address of someone who voted; or a whole id. What ' +
        'is sealed is not searched: messages, arguments, answers, requesters.',
    }),
  /** Compared with the closing in the done view, else with the opening; `until` is outside. */
  from: momentText.optional(),
  until: momentText.optional(),
} satisfies Record<InboxFilter, z.ZodType>;

export const InboxQuery = z.strictObject({
  view: z.enum(inboxViews).default('mine'),
  /** Order of the open views: the nearest deadline first by default. The done view is always newest first. */
  order: z.enum(inboxOrders).optional(),
  ...filterSchemas,
  cursor: z.string().max(512).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export type InboxQuery = z.infer<typeof InboxQuery>;

/** Filters of the history: a request must fit all that are given. */
const HistoryQuery = z.strictObject(filterSchemas);

const HistoryRow = z
  .object({
    id: ElicitationId,
    server: z.string(),
    tool: z.string(),
    policy: z.string().meta({ description: 'name@version' }),
    risk: z.enum(risks),
    status: z.enum(statuses),
    cause: z.enum(cancelCauses).nullable(),
    openedAt: Moment,
    closedAt: Moment.nullable(),
    requester: ShownRequester.nullable(),
    message: z.string().nullable(),
    votes: z
      .array(
        z.object({
          by: z.string().meta({ description: 'The name of the voter.' }),
          for: z.string().nullable().meta({ description: 'The name of the person they voted for.' }),
          action: z.enum(voteActions),
          at: Moment,
        }),
      )
      .nullable(),
  })
  .meta({
    id: 'HistoryRow',
    description: 'Requester, message and votes are null for people who may not read the content.',
  });
export type HistoryRow = z.infer<typeof HistoryRow>;

export const historyRoutes = {
  exportHistory: {
    method: 'get',
    path: '/api/history',
    auth: 'session',
    permission: null,
    summary: 'All that has ended, newest first, narrowed like the list. It makes an entry.',
    query: HistoryQuery,
    success: { 200: z.array(HistoryRow) },
  },
  exportHistoryTable: {
    method: 'get',
    path: '/api/history/csv',
    auth: 'session',
    permission: null,
    summary: 'The same as a table in a file, with times in UTC. It makes an entry.',
    query: HistoryQuery,
    success: { 200: null },
    file: 'text/csv; charset=utf-8',
  },
} as const satisfies Record<string, RouteContract>;

/** The API of lists of requests that people have given a name. */
const SavedViewId = idText('savedView').meta({ id: 'SavedViewId' });

const moment = z.int().min(0).max(lastMoment).optional();

/** Filters of a list's address; in JSON, a moment is a number. */
const ViewFilters = InboxQuery.omit({ cursor: true, limit: true })
  .extend({ view: z.enum(inboxViews), from: moment, until: moment })
  .meta({ id: 'ViewFilters' });

const viewName = z
  .string()
  .trim()
  .min(1, 'Give a name.')
  .max(60)
  .refine((name) => !hasHiddenCharacters(name), 'Leave out characters that no one can see.')
  .meta({ description: 'One line, as people read it.' });

export const SavedView = z
  .object({
    id: SavedViewId,
    name: z.string().nullable(),
    filters: ViewFilters.nullable().meta({
      description:
        'Null, as the name, if this node lacks the secret that they are sealed under, or is of another version.',
    }),
    isShared: z.boolean(),
    isOwn: z.boolean(),
    owner: NamedUser,
    savedAt: Moment,
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof SavedView>;

export const SavedViewList = z.object({ views: z.array(SavedView) }).meta({ id: 'SavedViewList' });
export type SavedViewList = z.infer<typeof SavedViewList>;

const SaveView = z
  .strictObject({
    name: viewName,
    filters: ViewFilters,
    isShared: z.boolean().default(false).meta({ description: 'Whether everyone here finds it.' }),
  })
  .meta({ id: 'SaveView' });
export type SaveView = z.input<typeof SaveView>;

const ChangeView = z
  .strictObject({ name: viewName, filters: ViewFilters, isShared: z.boolean() })
  .partial()
  .meta({ id: 'ChangeView' });
export type ChangeView = z.input<typeof ChangeView>;

const view = z.object({ id: SavedViewId });

export const savedViewRoutes = {
  listViews: {
    method: 'get',
    path: '/api/views',
    auth: 'session',
    permission: null,
    summary: 'Your saved views, and those that others share. A view narrows a list; it gives no right to read.',
    success: { 200: SavedViewList },
  },
  saveView: {
    method: 'post',
    path: '/api/views',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Give the filters of a list a name.',
    body: SaveView,
    success: { 201: SavedView },
  },
  changeView: {
    method: 'patch',
    path: '/api/views/{id}',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Change one of your views. What is not named stays.',
    params: view,
    body: ChangeView,
    success: { 200: SavedView },
  },
  removeView: {
    method: 'delete',
    path: '/api/views/{id}',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Remove one of your views, or as an administrator one that is shared.',
    params: view,
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
