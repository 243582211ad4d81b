import { routes } from '#protocol/contract/routes';
import type { CustomRole, CustomRoleList } from '#protocol/contract/users/roles';
import { requestChange } from '../../../engine/changes/request-change.ts';
import { addRole, listRoles, removeRole, showRole } from '../../../engine/users/custom-roles.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { answerChange } from '../answer-change.ts';

/** Roles that the installation makes. */
export function serveRoleRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listRoles, async () => {
    const body: CustomRoleList = { roles: await listRoles(engine) };
    return { status: 200, body };
  });

  serve(routes.addRole, async ({ caller, body: role }) => {
    const body: CustomRole = await showRole(engine, await addRole(engine, caller, role));
    return { status: 201, body };
  });

  serve(routes.changeRole, async ({ caller, params: { id }, body: { permissions } }) =>
    answerChange(await requestChange(engine, caller, 'change-role', { id, permissions }), 200, () =>
      showRole(engine, id),
    ),
  );

  serve(routes.removeRole, async ({ caller, params: { id } }) => {
    await removeRole(engine, caller, id);
    return { status: 204 };
  });
}
