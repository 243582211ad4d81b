import type { DelegationList } from '#protocol/contract/console/delegation';
import { routes } from '#protocol/contract/routes';
import { delegate, listDelegations, revokeDelegation } from '../../../engine/users/delegate.ts';
import type { ApiParts } from '../../http/api-parts.ts';

/** Delegations. */
export function serveDelegationRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listDelegations, async ({ caller }) => {
    const body: DelegationList = { delegations: await listDelegations(engine, caller) };
    return { status: 200, body };
  });

  serve(routes.delegate, async ({ caller, body }) => ({
    status: 201,
    body: await delegate(engine, caller, body),
  }));

  serve(routes.revokeDelegation, async ({ caller, params }) => ({
    status: 200,
    body: await revokeDelegation(engine, caller, params.id),
  }));
}
