import { routes } from '#platform/http/contract/openapi';
import { requestChange } from '../changes/verbs/changes.ts';
import { addSpace } from './verbs.ts';
import { listSpaces, showGroup, showServer, showSpace } from '../directory/verbs/show-directory.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

/** Spaces, and what belongs to them. */
export function serveSpaceRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listSpaces, async ({ caller, query }) => listSpaces(engine, caller, query));

  serve(routes.addSpace, async ({ caller, body: { name } }) => showSpace(engine, await addSpace(engine, caller, name)));

  serve(routes.setSpaceRole, async ({ caller, params, body: { role } }) => {
    const change = { space: params.id, user: params.user, role };
    return answerChange(await requestChange(engine, caller, 'set-space-role', change), 200, () =>
      showSpace(engine, params.id),
    );
  });

  serve(routes.moveServer, async ({ caller, params, body }) => {
    const change = { space: body.spaceId, server: params.id };
    return answerChange(await requestChange(engine, caller, 'move-to-space', change), 200, () =>
      showServer(engine, params.id),
    );
  });

  serve(routes.moveGroup, async ({ caller, params, body }) => {
    const change = { space: body.spaceId, group: params.id };
    return answerChange(await requestChange(engine, caller, 'move-to-space', change), 200, () =>
      showGroup(engine, params.id),
    );
  });
}
