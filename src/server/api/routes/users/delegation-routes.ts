import type { Express } from 'express';
import type { DelegationList } from '#protocol/contract/console/delegation';
import { routes } from '#protocol/contract/routes';
import { delegate, listDelegations, revokeDelegation } from '../../../engine/users/delegate.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { serve } from '../../http/route.ts';

/** Delegations. */
export function serveDelegationRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.listDelegations, authenticate, async ({ caller }) => {
    const body: DelegationList = { delegations: await listDelegations(engine, caller) };
    return { status: 200, body };
  });

  serve(app, routes.delegate, authenticate, async ({ caller, body }) => ({
    status: 201,
    body: await delegate(engine, caller, body),
  }));

  serve(app, routes.revokeDelegation, authenticate, async ({ caller, params }) => ({
    status: 200,
    body: await revokeDelegation(engine, caller, params.id),
  }));
}
