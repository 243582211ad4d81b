import type { Express } from 'express';
import { routes } from '#protocol/contract/routes';
import type { GroupsDue } from '#protocol/contract/users/group-confirmation';
import { requestChange } from '../../../engine/changes/request-change.ts';
import { confirmMembers, listGroupsDue } from '../../../engine/users/confirm-group.ts';
import { showGroup } from '../../../engine/users/show-directory.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { serve } from '../../http/route.ts';
import { answerChange } from '../answer-change.ts';

/** Members of groups that someone confirms every so many days. */
export function serveGroupConfirmationRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.setConfirmation, authenticate, async ({ caller, params, body }) => {
    const change = { id: params.id, ...body };
    return answerChange(await requestChange(engine, caller, 'set-confirmation', change), 200, () =>
      showGroup(engine, params.id),
    );
  });

  serve(app, routes.confirmMembers, authenticate, async ({ caller, params, body }) => {
    await confirmMembers(engine, caller, { id: params.id, ...body });
    return { status: 200, body: await showGroup(engine, params.id) };
  });

  serve(app, routes.listGroupsDue, authenticate, async ({ caller }) => {
    const body: GroupsDue = { groups: await listGroupsDue(engine, caller) };
    return { status: 200, body };
  });
}
