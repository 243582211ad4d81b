import { assertMay } from '#people/directory/verbs/may';
import { routes } from '#platform/http/contract/openapi';
import { erasureOf, releaseOf } from '#people/changes/verbs/kinds';
import { requestChange } from '#people/changes/verbs/changes';
import { showErased } from './verbs/erase.ts';
import { listHolds } from './verbs/holds.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

/** Routes to erase content, and for legal holds. */
export function serveKeepingRoutes({ engine, serve }: ApiParts): void {
  serve(routes.eraseContent, async ({ caller, params, body }) => {
    const change = await erasureOf(engine, caller, { request: params.id, ...body });
    return answerChange(await requestChange(engine, caller, 'erase-content', change), 200, (erased) => erased);
  });

  serve(routes.showErased, async ({ caller, params }) => showErased(engine, caller, params.id));

  serve(routes.listHolds, async ({ caller }) => {
    assertMay(caller, 'read-log');
    return { holds: await listHolds(engine) };
  });

  serve(routes.placeHold, async ({ caller, body }) => {
    const { scope, reason, request = null, server = null } = body;
    const change = { scope, reason, request, server };
    return answerChange(await requestChange(engine, caller, 'place-hold', change), 201, (hold) => hold);
  });

  serve(routes.releaseHold, async ({ caller, params }) => {
    const change = await releaseOf(engine, caller, params.id);
    return answerChange(await requestChange(engine, caller, 'release-hold', change), 200, (hold) => hold);
  });
}
