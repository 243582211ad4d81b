import type { z } from 'zod';
import type { RouteContract } from '#protocol/contract/http/route-contract';
import type { Engine } from '../../engine/engine.ts';
import { assertVisible } from '../../engine/visibility/visible-of.ts';
import type { ElicitationId } from '#protocol/model/id';
import type { SignedInUser } from '#protocol/model/user';
import type { ApiParts } from '../http/api-parts.ts';
import type { RouteRequest } from '../http/route.ts';
import { shown } from './shown.ts';

type OnElicitation = RouteContract & { auth: 'session'; params: z.ZodType<{ id: string }> };

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
  serve(route, async ({ caller, params, body }) => {
    const { id } = params as { id: ElicitationId };
    const user = caller as SignedInUser;
    await assertVisible(engine, user, await engine.reader.elicitation(id), field);
    await act(engine, user, id, body);
    return shown(engine, user, id);
  });
}
