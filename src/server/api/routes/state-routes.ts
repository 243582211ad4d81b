import type { Express } from 'express';
import { routes } from '#protocol/contract/routes';
import { redeemState, sealState } from '../../engine/asking/request-state.ts';
import { redeemRound, sealRound } from '../../engine/asking/round-state.ts';
import { showToolCall } from '../../engine/asking/show-tool-call.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { serve } from '../http/route.ts';

/**
 * How a call continues in another process: by its id, or by a state that the client carries, sealed here because MCP
 * servers have no keys for that.
 */
export function serveStateRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.getToolCall, authenticate, async ({ caller, params }) => ({
    status: 200,
    body: await showToolCall(engine, caller, params.id),
  }));

  serve(app, routes.sealState, authenticate, async ({ caller, body }) => ({
    status: 201,
    body: await sealState(engine, caller, body),
  }));

  serve(app, routes.redeemState, authenticate, async ({ caller, body }) => ({
    status: 200,
    body: await redeemState(engine, caller, body),
  }));

  serve(app, routes.sealRound, authenticate, async ({ caller, body }) => ({
    status: 201,
    body: await sealRound(engine, caller, body),
  }));

  serve(app, routes.redeemRound, authenticate, async ({ caller, body }) => ({
    status: 200,
    body: await redeemRound(engine, caller, body),
  }));
}
