import type { Express } from 'express';
import type { Grant, GrantList } from '#protocol/contract/console/grant';
import { routes } from '#protocol/contract/routes';
import { listGrants, reviewGrant, revokeGrant } from '../../engine/grants/manage-grants.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { serve } from '../http/route.ts';

/** Standing approvals. */
export function serveGrantRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.listGrants, authenticate, async ({ caller }) => {
    const body: GrantList = await listGrants(engine, caller);
    const by = { kind: 'user', id: caller.id } as const;
    await engine.access.recordAccess({ type: 'access.listed', what: 'grants', by, about: [] });
    return { status: 200, body };
  });

  serve(app, routes.revokeGrant, authenticate, async ({ caller, params }) => {
    const body: Grant = await revokeGrant(engine, caller, params.id);
    return { status: 200, body };
  });

  serve(app, routes.reviewGrant, authenticate, async ({ caller, params }) => {
    const body: Grant = await reviewGrant(engine, caller, params.id);
    return { status: 200, body };
  });
}
