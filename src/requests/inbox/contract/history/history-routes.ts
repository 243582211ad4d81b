import { z } from 'zod';
import { cancelCauses, risks, statuses, voteActions } from '../../../asking/contract/elicitation.ts';
import type { RouteContract } from '#platform/http/contract/route';
import { ElicitationId, Moment } from '../../../asking/contract/open.ts';
import { InboxQuery } from './inbox-query.ts';
import { ShownRequester } from '../../../facts/contract/shown-fact.ts';

/** Which requests of the history: those that fit everything that is given. */
const HistoryQuery = InboxQuery.omit({ view: true, order: true, cursor: true, limit: true });

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
