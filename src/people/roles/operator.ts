import type { Engine } from '#platform/nodes/verbs/engine';
import type { ChangingEngine } from '#requests/state/verbs/change';
import { addRole, changeRole, listRoles, removeRole, showRole, type NewRole } from './verbs.ts';
import { roleOfName } from '../directory/verbs/directory.ts';

/** The operator's commands for the installation's own roles, which are given by name. */
export const createRolesOperator = (
  engine: ChangingEngine & Pick<Engine, 'directory' | 'policies' | 'now' | 'environment'>,
) => ({
  add: async (role: NewRole) => showRole(engine, await addRole(engine, 'operator', role)),
  list: () => listRoles(engine),
  async set(name: string, permissions: readonly string[]) {
    const { id } = await roleOfName(engine, name);
    await changeRole(engine, 'operator', { id, permissions });
    return showRole(engine, id);
  },
  remove: async (name: string) => removeRole(engine, 'operator', (await roleOfName(engine, name)).id),
});
