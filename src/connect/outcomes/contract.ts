import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';

export const outcomeRoutes = {
  takeProviderEvent: {
    method: 'post',
    path: '/providers/{provider}/events',
    auth: 'signature',
    summary:
      'An event of a provider, signed by it. One that fits resumes the waiting call, once; any other is written down.',
    params: z.object({ provider: z.string() }),
    success: { 200: null },
  },
} as const satisfies Record<string, RouteContract>;
