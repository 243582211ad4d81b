import { routes } from '#platform/http/contract/openapi';
import { delegate, listDelegations, revokeDelegation } from './verbs.ts';
import type { ApiParts } from '#platform/http/routes/parts';

/** Delegations. */
export function serveDelegationRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listDelegations, async ({ caller }) => ({ delegations: await listDelegations(engine, caller) }));

  serve(routes.delegate, async ({ caller, body }) => delegate(engine, caller, body));

  serve(routes.revokeDelegation, async ({ caller, params }) => revokeDelegation(engine, caller, params.id));
}
