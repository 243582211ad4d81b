import type { Engine } from '../engine/engine.ts';
import type { ChangingEngine } from '../engine/elicitation/change.ts';
import { addRole, changeRole, listRoles, removeRole, showRole, type NewRole } from '../engine/users/custom-roles.ts';
import { roleOfName } from '../engine/users/in-directory.ts';

type ShownRole = Awaited<ReturnType<typeof showRole>>;

/** The operator's commands for the installation's own roles, which are given by name. */
export interface RolesOperator {
  add(role: NewRole): Promise<ShownRole>;
  list(): Promise<ShownRole[]>;
  set(name: string, permissions: readonly string[]): Promise<ShownRole>;
  remove(name: string): Promise<void>;
}

export const createRolesOperator = (
  engine: ChangingEngine & Pick<Engine, 'directory' | 'policies' | 'now' | 'environment'>,
): RolesOperator => ({
  add: async (role) => showRole(engine, await addRole(engine, 'operator', role)),
  list: () => listRoles(engine),
  async set(name, permissions) {
    const { id } = await roleOfName(engine, name);
    await changeRole(engine, 'operator', { id, permissions });
    return showRole(engine, id);
  },
  remove: async (name) => removeRole(engine, 'operator', (await roleOfName(engine, name)).id),
});
