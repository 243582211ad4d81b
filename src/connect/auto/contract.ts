import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';

export const ClientDocument = z
  .object({
    client_id: z.string(),
    client_name: z.string(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.string(),
  })
  .meta({ id: 'ClientDocument' });
export type ClientDocument = z.infer<typeof ClientDocument>;

export const autoRoutes = {
  readClientDocument: {
    method: 'get',
    path: '/providers/{issuer}/client',
    auth: 'none',
    summary: 'What an issuer of `auto` reads of this installation, whose name there is this address.',
    params: z.object({ issuer: z.string().meta({ description: 'Its key, such as auto-0123456789.' }) }),
    success: { 200: ClientDocument },
  },
} as const satisfies Record<string, RouteContract>;
