import { z } from 'zod';
import { subjectPattern, subjectRule } from './model-workload.ts';
import { Moment, storable } from '#requests/asking/contract/open';
import { changed, WaitingChange } from '#people/changes/contract';
import { NamedUser, ServerId } from '#people/users/contract/users';
import type { RouteContract } from '#platform/http/contract/route/route-contract';

/** The API of workloads, which ask as MCP servers by tokens of their issuers instead of keys. */
const Kid = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .meta({ id: 'WorkloadId' });

const text = storable(500).min(1);

const NewWorkload = z
  .strictObject({
    issuer: text.meta({ description: 'As it writes itself; the operator has named it.' }),
    audience: text.meta({ description: 'For whom the tokens must be.' }),
    subject: z.string().max(500).regex(subjectPattern, subjectRule),
    claims: z
      .record(z.string().min(1).max(100), text)
      .optional()
      .meta({ description: 'Other claims, each with the exact text that it must have.' }),
  })
  .meta({ id: 'NewWorkload' });
export type NewWorkload = z.infer<typeof NewWorkload>;

const WorkloadEntry = z
  .object({
    kid: Kid,
    server: z.object({ id: ServerId, name: z.string() }),
    issuer: z.string(),
    audience: z.string(),
    subject: z.string(),
    claims: z.record(z.string(), z.string()),
    createdAt: Moment,
    removedAt: Moment.nullable(),
    /** To the minute; null if it never asked. */
    lastUsedAt: Moment.nullable(),
    maker: NamedUser.extend({ disabled: z.boolean() })
      .nullable()
      .meta({ description: 'Who added it; it asks nothing while they are disabled. Null: the operator.' }),
  })
  .meta({ id: 'WorkloadEntry' });

export type WorkloadEntry = z.infer<typeof WorkloadEntry>;

export const WorkloadList = z
  .object({
    workloads: z.array(WorkloadEntry),
    issuers: z.array(z.string()).meta({ description: 'Those that the operator has named.' }),
  })
  .meta({ id: 'WorkloadList' });
export type WorkloadList = z.infer<typeof WorkloadList>;

export const AddedWorkload = z.object({ kid: Kid }).meta({ id: 'AddedWorkload' });

export const workloadRoutes = {
  listWorkloads: {
    method: 'get',
    path: '/api/workloads',
    auth: 'session-or-token',
    permission: 'change-keys',
    scope: 'space',
    summary: 'The workloads that ask as MCP servers without a key.',
    success: { 200: WorkloadList },
  },
  addWorkload: {
    method: 'post',
    path: '/api/servers/{id}/workloads',
    auth: 'session-or-token',
    permission: 'change-keys',
    proof: 'every-factor',
    scope: 'space',
    summary: 'Let a workload ask as this server, by tokens of its issuer. Two administrators decide it.',
    params: z.object({ id: ServerId }),
    body: NewWorkload,
    success: { 201: changed(AddedWorkload), 202: WaitingChange },
  },
  removeWorkload: {
    method: 'delete',
    path: '/api/workloads/{kid}',
    auth: 'session-or-token',
    permission: 'change-keys',
    proof: 'every-factor',
    scope: 'space',
    summary: 'Take no more tokens of this workload, at once and permanently.',
    params: z.object({ kid: Kid }),
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
