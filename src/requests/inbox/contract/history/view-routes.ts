import { z } from 'zod';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import { inboxViews, lastMoment } from '#access/sign-in/contract/authentication';
import { InboxQuery } from './inbox-query.ts';
import { idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { Moment } from '../../../asking/contract/open.ts';
import { NamedUser } from '#people/users/contract';

/** The API of lists of requests that people have given a name. */
const SavedViewId = idText('savedView').meta({ id: 'SavedViewId' });

const moment = z.int().min(0).max(lastMoment).optional();

/** Those of a list's address; in JSON, a moment is a number. */
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
