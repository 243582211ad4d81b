import { z } from 'zod';
import { PolicyDetail, PolicyName } from './policy.ts';
import type { RouteContract } from '#platform/http/contract/route';
import { ElicitationId } from '#requests/asking/contract/open';
import { changed } from '#people/changes/contract';

/** How people know what a rule for calls like one is limited to. */
const alwaysKinds = ['folder', 'site', 'repository', 'account', 'command', 'amount', 'same'] as const;

const maxDays = 90;
const defaultDays = 30;

export const AlwaysChoices = z
  .object({
    choices: z.array(
      z.object({
        kind: z.enum(alwaysKinds),
        value: z.string().meta({ description: 'Such as the folder or the site; empty for exactly the same call.' }),
        tools: z.array(z.string()).meta({ description: 'More than one for other tools that write files alike.' }),
        policy: z.string(),
        document: z.string(),
      }),
    ),
  })
  .meta({ id: 'AlwaysChoices', description: 'The narrowest first; none if nothing in the call can limit a rule.' });
export type AlwaysChoices = z.infer<typeof AlwaysChoices>;

const AllowAlways = z
  .strictObject({
    policy: PolicyName.meta({ description: 'The name of one of the choices.' }),
    days: z.int().min(1).max(maxDays).default(defaultDays).meta({ description: 'For how long.' }),
  })
  .meta({ id: 'AllowAlways' });
export type AllowAlways = z.input<typeof AllowAlways>;

const params = z.object({ id: ElicitationId });

/** Rules for calls like one that people were asked about. */
export const alwaysRoutes = {
  showAlways: {
    method: 'get',
    path: '/api/elicitations/{id}/always',
    auth: 'session',
    permission: null,
    summary: 'Policies by which calls like this one would run without asking anyone, as drafts. Nothing is stored.',
    params,
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(maxDays).default(defaultDays) }),
    success: { 200: AlwaysChoices },
  },
  allowAlways: {
    method: 'post',
    path: '/api/elicitations/{id}/always',
    auth: 'session',
    permission: 'publish-policies',
    proof: 'every-factor',
    summary:
      'Publish one of these policies if one administrator is enough for that; otherwise put it before a second one.',
    params,
    body: AllowAlways,
    success: { 200: changed(PolicyDetail) },
  },
} as const satisfies Record<string, RouteContract>;
