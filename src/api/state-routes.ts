import type { Express } from 'express';
import { routes } from '../contract/routes.ts';
import { redeemState, sealState } from '../engine/request-state.ts';
import type { ToolCallId } from '../model/id.ts';
import type { ApiParts } from './api-parts.ts';
import { serve } from './route.ts';

/** States that travel through MCP clients: sealed and redeemed here, for MCP servers hold no keys of their own. */
export function serveStateRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.sealState, authenticate, async ({ caller, body }) => ({
    status: 201,
    body: await sealState(engine, caller.id, { ...body, toolCall: body.toolCall as ToolCallId }),
  }));

  serve(app, routes.redeemState, authenticate, async ({ caller, body }) => ({
    status: 200,
    body: await redeemState(engine, caller.id, body),
  }));
}
