import { routes } from '#platform/http/contract/openapi';
import { requestChange } from '../changes/verbs/changes.ts';
import { addRole, listRoles, removeRole, showRole } from './verbs.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

/** Roles that the installation makes. */
export function serveRoleRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listRoles, async () => ({ roles: await listRoles(engine) }));

  serve(routes.addRole, async ({ caller, body: role }) => showRole(engine, await addRole(engine, caller, role)));

  serve(routes.changeRole, async ({ caller, params: { id }, body: { permissions } }) =>
    answerChange(await requestChange(engine, caller, 'change-role', { id, permissions }), 200, () =>
      showRole(engine, id),
    ),
  );

  serve(routes.removeRole, async ({ caller, params: { id } }) => removeRole(engine, caller, id));
}
