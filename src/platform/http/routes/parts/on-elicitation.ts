import type { z } from 'zod';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox/console';
import type { RouteContract } from '../../contract/route/route-contract.ts';
import type { Engine } from '../../../nodes/verbs/engine/engine.ts';
import { showElicitation } from '#requests/inbox/verbs/request/show-elicitation';
import { assertVisible } from '#requests/inbox/verbs/visibility/visible-of';
import type { ElicitationId } from '../../../model/id.ts';
import type { SignedInUser } from '#people/directory/contract/user';
import type { ApiParts } from './api-parts.ts';
import type { RouteRequest } from '../route/route.ts';

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
