import { routes } from '../../http/contract/openapi.ts';
import { redeemState, sealState } from '#requests/asking/verbs/view';
import { redeemRound, sealRound } from '#requests/asking/verbs/memos';
import { showToolCall } from '#requests/claims/verbs/end';
import type { ApiParts } from '../../http/routes/parts.ts';

/**
 * Continues a call in another process: by its id, or by a state that the client carries, sealed here because MCP servers have
 * no keys for that.
 */
export function serveStateRoutes({ engine, serve }: ApiParts): void {
  serve(routes.getToolCall, async ({ caller, params }) => showToolCall(engine, caller, params.id));

  serve(routes.sealState, async ({ caller, body }) => sealState(engine, caller, body));

  serve(routes.redeemState, async ({ caller, body }) => redeemState(engine, caller, body));

  serve(routes.sealRound, async ({ caller, body }) => sealRound(engine, caller, body));

  serve(routes.redeemRound, async ({ caller, body }) => redeemRound(engine, caller, body));
}
