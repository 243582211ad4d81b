import { z } from 'zod';
import { namePattern, nameRule } from '../../model/names.ts';
import { cellKinds, reportIds } from '../../model/report.ts';
import type { RouteContract } from '../http/route-contract.ts';
import { Moment } from '../servers/elicitation.ts';
import { UserId } from '../users/users.ts';

const name = z.string().regex(namePattern, nameRule);
const moment = z.coerce.number().pipe(Moment);

/** The usual questions of reviewers. */
export const ReportQuery = z.strictObject({
  from: moment.default(0).meta({ description: 'The beginning, in milliseconds since 1970-01-01T00:00:00Z.' }),
  to: moment.optional().meta({
    description: 'The end, which is not included; for `could-approve` the time in question. Without it, now.',
  }),
  person: UserId.optional(),
  tool: name.optional(),
  server: name.optional(),
  policy: name.optional(),
});
export type ReportQuery = z.infer<typeof ReportQuery>;

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

export const Report = z
  .object({
    columns: z.array(z.object({ name: z.string(), kind: z.enum(cellKinds) })),
    rows: z.array(z.array(Cell)),
    isCut: z.boolean().meta({ description: 'Whether there are more rows: narrow the question.' }),
    names: z.record(z.string(), z.string()).meta({ description: 'The name of each person, by id.' }),
  })
  .meta({ id: 'Report' });
export type Report = z.infer<typeof Report>;

const params = z.object({ id: z.enum(reportIds) });

export const StandingProof = z
  .strictObject({
    size: z.int().min(0).meta({ description: 'So many entries of the log were verified.' }),
    at: Moment,
    isWhole: z.boolean(),
  })
  .meta({ id: 'StandingProof' });
export type StandingProof = z.infer<typeof StandingProof>;

export const ShownProof = z.object({ proof: StandingProof.nullable() }).meta({ id: 'ShownProof' });

export const auditRoutes = {
  showProof: {
    method: 'get',
    path: '/api/audit/proof',
    auth: 'session',
    summary: 'Up to where the log was verified, and when. Administrators and reviewers only.',
    success: { 200: ShownProof },
  },
  runReport: {
    method: 'get',
    path: '/api/audit/reports/{id}',
    auth: 'session',
    summary: 'Answer one of the usual questions of reviewers. Administrators and reviewers only; it makes an entry.',
    params,
    query: ReportQuery,
    success: { 200: Report },
  },
  takeReport: {
    method: 'get',
    path: '/api/audit/reports/{id}/csv',
    auth: 'session',
    summary: 'The same as a table in a file, with times in UTC. Administrators and reviewers only; it makes an entry.',
    params,
    query: ReportQuery,
    success: { 200: null },
    file: 'text/csv; charset=utf-8',
  },
} as const satisfies Record<string, RouteContract>;
