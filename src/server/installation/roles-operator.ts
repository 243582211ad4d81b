import type { Engine } from '../engine/engine.ts';
import type { ChangingEngine } from '../engine/elicitation/change.ts';
import { addRole, changeRole, listRoles, removeRole, showRole, type NewRole } from '../engine/users/custom-roles.ts';
import { roleOfName } from '../engine/users/in-directory.ts';

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
