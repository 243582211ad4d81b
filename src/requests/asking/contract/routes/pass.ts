import { z } from 'zod';
import { digest } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { AskedTool, NamedRequester, storable } from '../open.ts';

/** The API for calls that policies allow whatever their arguments: a pass says so for a moment. */
export const maxPasses = 100;
/** The most calls that are reported for one pass at a time. */
export const maxReported = 1_000;

/** Characters of the arguments that are kept of one call. */
export const maxPassedArguments = 8_192;

const PassedCall = z
  .strictObject({
    id: z
      .string()
      .regex(/^[0-9a-f]{32}$/, 'Give 32 hexadecimal digits.')
      .meta({
        description: 'Random. A call that is reported again is in the log once.',
      }),
    policy: storable(256).min(1).meta({ description: 'The policy of the pass.' }),
    run: digest.meta({ description: 'The run digest of what ran.' }),
    arguments: z
      .string()
      .max(maxPassedArguments)
      .optional()
      .meta({
        description: `Its arguments as JSON, cut after ${maxPassedArguments} characters: they are stored sealed.`,
      }),
    length: z.int().min(0).optional().meta({ description: 'Characters of the whole JSON of its arguments.' }),
  })
  .meta({ id: 'PassedCall' });

const WantedPass = z
  .strictObject({
    tool: AskedTool,
    requester: NamedRequester,
    ran: z.array(PassedCall).max(maxReported).default([]).meta({
      description: 'What has run by this pass and was not reported yet.',
    }),
  })
  .meta({ id: 'WantedPass' });

export const RenewPasses = z.strictObject({ passes: z.array(WantedPass).max(maxPasses) }).meta({ id: 'RenewPasses' });
export type RenewPasses = z.input<typeof RenewPasses>;

export const Passes = z
  .object({
    lasts: z.int().min(0).meta({ description: 'Milliseconds for which the passes are good, from when you asked.' }),
    passes: z
      .array(
        z
          .object({ policy: z.string().meta({ description: 'Name and version of the policy that allows it.' }) })
          .nullable(),
      )
      .meta({ description: 'In the order in which they were asked for; null if each call must be asked about.' }),
    denied: z.array(z.boolean()).meta({
      description: 'In the same order: true if the policies deny the tool to this requester whatever the arguments.',
    }),
  })
  .meta({ id: 'Passes' });
export type Passes = z.infer<typeof Passes>;

export const passRoutes = {
  renewPasses: {
    method: 'post',
    path: '/v1/passes',
    auth: 'key',
    summary: 'Report what ran by passes, and ask for passes for the next moment.',
    body: RenewPasses,
    success: { 200: Passes },
  },
} as const satisfies Record<string, RouteContract>;
