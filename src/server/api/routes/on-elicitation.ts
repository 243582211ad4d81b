import type { z } from 'zod';
import type { ElicitationDetail } from '#protocol/contract/console/console';
import type { RouteContract } from '#protocol/contract/http/route-contract';
import type { Engine } from '../../engine/engine.ts';
import { showElicitation } from '../../engine/inbox/show-elicitation.ts';
import { assertVisible } from '../../engine/visibility/visible-of.ts';
import type { ElicitationId } from '#protocol/model/id';
import type { SignedInUser } from '#protocol/model/user';
import type { ApiParts } from '../http/api-parts.ts';
import type { RouteRequest } from '../http/route.ts';

type OnElicitation = RouteContract & {
  auth: 'session';
  params: z.ZodObject<{ id: z.ZodType<ElicitationId> }>;
  success: { 200: typeof ElicitationDetail };
};

/**
 * Serves a signed-in person's action on one request; the answer shows the request afterwards. For people who may not
 * see it, the request does not exist.
 */
export function serveOnElicitation<R extends OnElicitation>(
  { engine, serve }: ApiParts,
  route: R,
  act: (engine: Engine, user: SignedInUser, id: ElicitationId, body: RouteRequest<R>['body']) => Promise<unknown>,
  field: 'content' | 'notice' = 'content',
): void {
  serve<OnElicitation>(route, async ({ caller, params: { id }, body }) => {
    await assertVisible(engine, caller, await engine.reader.elicitation(id), field);
    await act(engine, caller, id, body as RouteRequest<R>['body']);
    return showElicitation(engine, caller, id);
  });
}
