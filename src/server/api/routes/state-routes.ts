import { routes } from '#protocol/contract/routes';
import { redeemState, sealState } from '../../engine/asking/request-state.ts';
import { redeemRound, sealRound } from '../../engine/asking/round-state.ts';
import { showToolCall } from '../../engine/asking/show-tool-call.ts';
import type { ApiParts } from '../http/api-parts.ts';

/**
 * How a call continues in another process: by its id, or by a state that the client carries, sealed here because MCP
 * servers have no keys for that.
 */
export function serveStateRoutes({ engine, serve }: ApiParts): void {
  serve(routes.getToolCall, async ({ caller, params }) => showToolCall(engine, caller, params.id));

  serve(routes.sealState, async ({ caller, body }) => sealState(engine, caller, body));

  serve(routes.redeemState, async ({ caller, body }) => redeemState(engine, caller, body));

  serve(routes.sealRound, async ({ caller, body }) => sealRound(engine, caller, body));

  serve(routes.redeemRound, async ({ caller, body }) => redeemRound(engine, caller, body));
}
