import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';

export const ServerIdentity = z
  .object({
    name: z.string().meta({ description: 'The name of the MCP server that the key belongs to.' }),
    version: z.string().meta({ description: 'The version of Assentry.' }),
  })
  .meta({ id: 'ServerIdentity' });
export type ServerIdentity = z.infer<typeof ServerIdentity>;

export const identityRoutes = {
  getIdentity: {
    method: 'get',
    path: '/v1/identity',
    auth: 'key',
    summary: 'The MCP server that the key belongs to: a way to check address and key.',
    success: { 200: ServerIdentity },
  },
} as const satisfies Record<string, RouteContract>;
