import { routes } from '#protocol/contract/routes';
import { delegate, listDelegations, revokeDelegation } from '../../../engine/users/delegate.ts';
import type { ApiParts } from '../../http/api-parts.ts';

/** Delegations. */
export function serveDelegationRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listDelegations, async ({ caller }) => ({ delegations: await listDelegations(engine, caller) }));

  serve(routes.delegate, async ({ caller, body }) => delegate(engine, caller, body));

  serve(routes.revokeDelegation, async ({ caller, params }) => revokeDelegation(engine, caller, params.id));
}
