import { routes } from '#protocol/contract/routes';
import { requestChange } from '../../../engine/changes/request-change.ts';
import { confirmMembers, listGroupsDue } from '../../../engine/users/confirm-group.ts';
import { showGroup } from '../../../engine/users/show-directory.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { answerChange } from '../answer-change.ts';

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
