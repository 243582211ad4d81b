import { z } from 'zod';
import { digest } from '#platform/http/contract/problem/formats';
import type { RouteContract } from '#platform/http/contract/route/route-contract';
import { AskedTool, ElicitationId, Moment, ToolAnnotations } from '#requests/asking/contract/open';
import { ServerId } from '#people/users/contract/users';

/** The API for the tools that the gateway has seen at the servers behind it. */
export const maxReportedTools = 100;

const hints = ToolAnnotations.omit({ title: true });
const accepted = digest.meta({ description: 'The digest of the accepted definition.' });
const changed = digest.nullable().meta({
  description:
    'The digest of a definition that no one has accepted, so that the tool is blocked; null if there is none.',
});

export const SeenTool = z
  .strictObject({ name: AskedTool.shape.name, annotations: hints.strict(), definition: accepted, changed })
  .meta({ id: 'SeenTool' });

export const ReportTools = z
  .strictObject({ tools: z.array(SeenTool).max(maxReportedTools) })
  .meta({ id: 'ReportTools' });
export type ReportTools = z.infer<typeof ReportTools>;

const count = z.int().min(0);

const ServerTool = z
  .object({
    name: z.string(),
    /** Null if the gateway has reported nothing of it, as for a server with the library. */
    seen: z.object({ annotations: hints, definition: accepted, changed, at: Moment }).nullable(),
    /** Requests about it that are open, and those that ended in the period. */
    outcomes: z.object({ open: count, accepted: count, declined: count, cancelled: count, expired: count }),
    rule: z
      .object({
        outcome: z.enum(['allow', 'requester', 'deny', 'require']),
        policy: z.string(),
        varies: z.boolean().meta({ description: 'The arguments or the time of a call can lead to another outcome.' }),
      })
      .nullable()
      .meta({ description: 'What the policies in force say of a call; null if too little is known of the tool.' }),
    policyName: z.string().meta({ description: 'The name for a policy about this tool alone.' }),
    request: ElicitationId.nullable().meta({ description: 'The open request to accept its changed definition.' }),
  })
  .meta({ id: 'ServerTool' });
export type ServerTool = z.infer<typeof ServerTool>;

export const ToolList = z
  .object({
    server: z.object({ id: ServerId, name: z.string() }),
    since: Moment.meta({ description: 'The beginning of the period of the outcomes.' }),
    tools: z.array(ServerTool),
  })
  .meta({ id: 'ToolList' });
export type ToolList = z.infer<typeof ToolList>;

export const toolRoutes = {
  reportTools: {
    method: 'post',
    path: '/v1/tools',
    auth: 'key',
    summary: 'Report which tools the server has, by the digests of their definitions.',
    body: ReportTools,
    success: { 204: null },
  },
  listTools: {
    method: 'get',
    path: '/api/servers/{id}/tools',
    auth: 'session',
    permission: 'read-tools',
    scope: 'space',
    summary: 'The tools of a server, what became of requests about them, and what the policies say.',
    params: z.object({ id: ServerId }),
    success: { 200: ToolList },
  },
} as const satisfies Record<string, RouteContract>;
