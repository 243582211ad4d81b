import type { GrantList } from '#protocol/contract/console/grant';
import { routes } from '#protocol/contract/routes';
import { listGrants, reviewGrant, revokeGrant } from '../../engine/grants/manage-grants.ts';
import type { ApiParts } from '../http/api-parts.ts';

/** Standing approvals. */
export function serveGrantRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listGrants, async ({ caller }) => {
    const body: GrantList = await listGrants(engine, caller);
    const by = { kind: 'user', id: caller.id } as const;
    await engine.access.recordAccess({ type: 'access.listed', what: 'grants', by, about: [] });
    return body;
  });

  serve(routes.revokeGrant, async ({ caller, params }) => revokeGrant(engine, caller, params.id));

  serve(routes.reviewGrant, async ({ caller, params }) => reviewGrant(engine, caller, params.id));
}
