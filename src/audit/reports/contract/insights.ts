import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';
import { Moment } from '#requests/asking/contract/open';
import { SpaceId } from '#people/users/contract';

const moment = z.coerce.number().pipe(Moment);

const InsightsQuery = z.strictObject({
  from: moment.optional().meta({
    description:
      'The beginning, in milliseconds since 1970-01-01T00:00:00Z: best the beginning of a day in UTC, for there are totals of whole days. Without it, 30 days before that of the end.',
  }),
  to: moment
    .optional()
    .meta({ description: 'The end, which is not included: at most 366 days later. Without it, now.' }),
  space: SpaceId.optional().meta({
    description: 'Only the servers of this space. Without it, all servers that you read about.',
  }),
});
export type InsightsQuery = z.output<typeof InsightsQuery>;

const number = z.int().min(0);
const server = z
  .string()
  .nullable()
  .meta({ description: 'Null if all servers together were looked at, as for those who read about all of them.' });
const seconds = z.number().nullable();

const endings = { accepted: number, declined: number, cancelled: number, expired: number };
const waits = {
  p50: seconds.meta({
    description:
      'Half of what people decided took at most so many seconds, which is less than a tenth too many; null if there is none.',
  }),
  p95: seconds.meta({ description: 'The same for 95 of 100.' }),
};

export const Insights = z
  .object({
    step: z.enum(['day', 'week']),
    spans: z.array(z.object({ at: Moment, ...endings, ...waits })).meta({
      description: 'Each day or week in UTC in which something ended.',
    }),
    tools: z
      .array(
        z.object({ server: z.string(), tool: z.string(), ...endings, ...waits, approved: number, rejected: number }),
      )
      .meta({ description: 'The busiest 50; `approved` and `rejected` are what people decided.' }),
    voters: z.array(z.object({ person: z.string(), votes: number, hasty: number })),
    runs: z.array(z.object({ person: z.string(), server, votes: number, from: Moment, to: Moment })).meta({
      description: 'Hasty votes of one person with no other between them, of which the last is in the period.',
    }),
    bursts: z.array(z.object({ server: z.string(), tool: z.string(), at: Moment, requests: number })).meta({
      description: 'Minutes in which one tool asked very often.',
    }),
    sprees: z.array(z.object({ person: z.string(), server, approvals: number, at: Moment })).meta({
      description: 'The most approvals of one person within a few minutes, if they are many.',
    }),
    samples: z
      .array(z.object({ policy: z.string(), allowed: number, drawn: number, reviewed: number, wrong: number }))
      .meta({ description: 'What policies allowed, chose for a later look, and what those who looked found.' }),
    limits: z
      .object({ hastyWithin: number, runLength: number, burstSize: number, spreeSize: number, spreeWithin: number })
      .meta({
        description:
          'Milliseconds after being seen, votes in a row, requests in a minute, and approvals in so many milliseconds.',
      }),
    names: z.record(z.string(), z.string()).meta({ description: 'The name of each person in it, by id.' }),
  })
  .meta({ id: 'Insights' });
export type Insights = z.infer<typeof Insights>;

export const insightsRoutes = {
  showInsights: {
    method: 'get',
    path: '/api/insights',
    auth: 'session',
    permission: null, // people of spaces and owners read about their servers
    summary:
      'What was decided in a period, counted: at all servers for those who read the log, else at those of your spaces in which you read it, and those that you own. It makes an entry.',
    query: InsightsQuery,
    success: { 200: Insights },
  },
} as const satisfies Record<string, RouteContract>;
