import type { GrantList } from './contract.ts';
import { routes } from '#platform/http/contract/openapi';
import { listGrants, reviewGrant, revokeGrant } from './verbs.ts';
import type { ApiParts } from '#platform/http/routes/parts';

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
