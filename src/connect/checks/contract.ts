import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';
import { Moment } from '#requests/asking/contract/open';
import { verdicts } from '../providers/signed-events.ts';

/** Event of a provider of which nothing but its meaning and its time is known. */
const ProviderReport = z.object({ verdict: z.enum(verdicts), at: Moment });

/** State of a provider of the settings, for operators. */
export const ProviderState = z
  .object({
    key: z.string(),
    label: z.string(),
    servers: z.array(z.string()),
    /** What people do there. */
    kinds: z.array(z.enum(['connection', 'payment', 'signature'])),
    returnAddress: z
      .string()
      .nullable()
      .meta({ description: 'Where it sends people back; null if it connects nothing.' }),
    eventAddress: z.string().nullable().meta({ description: 'Where it sends events; null if it reports nothing.' }),
    lastEvent: ProviderReport.nullable().meta({ description: 'Null if none has come in 90 days.' }),
    refused: z
      .object({ count: z.int(), at: Moment.nullable() })
      .meta({ description: 'Events with a signature that is not its own, in the last 30 days, and the latest.' }),
    unmatched: z.array(ProviderReport).meta({
      description: 'The latest events of money or signatures for which no request is here, the newest first.',
    }),
  })
  .meta({ id: 'ProviderState' });
export type ProviderState = z.infer<typeof ProviderState>;

export const checkRoutes = {
  listProviders: {
    method: 'get',
    path: '/api/providers',
    auth: 'session',
    permission: 'change-webhooks',
    summary: 'The providers of the settings: what came from each, what was refused, and money without a request.',
    success: { 200: z.object({ providers: z.array(ProviderState) }).meta({ id: 'ProviderStates' }) },
  },
} as const satisfies Record<string, RouteContract>;
