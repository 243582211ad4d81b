import { routes } from '#platform/http/contract/openapi';
import { requestChange } from '../changes/verbs/changes.ts';
import { confirmMembers, listGroupsDue } from './verbs.ts';
import { showGroup } from '../directory/verbs/show-directory.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

/** Members of groups that someone confirms every so many days. */
export function serveGroupConfirmationRoutes({ engine, serve }: ApiParts): void {
  serve(routes.setConfirmation, async ({ caller, params, body }) => {
    const change = { id: params.id, ...body };
    return answerChange(await requestChange(engine, caller, 'set-confirmation', change), 200, () =>
      showGroup(engine, params.id),
    );
  });

  serve(routes.confirmMembers, async ({ caller, params, body }) => {
    await confirmMembers(engine, caller, { id: params.id, ...body });
    return showGroup(engine, params.id);
  });

  serve(routes.listGroupsDue, async ({ caller }) => ({ groups: await listGroupsDue(engine, caller) }));
}
