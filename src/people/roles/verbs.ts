import { newId } from '#platform/crypto/random';
import type { RoleId } from '#platform/model/id';
import { may, type Permission } from '../directory/contract/permission.ts';
import { isRoleName, roleNameRule, rolePermissions } from './contract.ts';
import { invalidInput, Problem } from '#platform/model/problem';
import type { Alone } from '../directory/contract/user.ts';
import type { DirectoryRecord, RoleRecord } from '../directory/store/directory-record.ts';
import type { ChangingEngine } from '#requests/state/verbs/change';
import type { Engine } from '#platform/nodes/verbs/engine';
import {
  changeDirectory,
  type Administrator,
  type DecidedChange,
  type DirectoryEngine,
  roleIn,
} from '../directory/verbs/directory.ts';
import { voidVotes } from '../users/verbs.ts';
import { assertRoleNotNamed } from '../groups/verbs.ts';

export interface NewRole {
  name: string;
  permissions: readonly string[];
}

const maxRoles = 50;

/** Makes a role that no one has yet; problem `already-exists` if its name is taken. */
export async function addRole(engine: DirectoryEngine, by: Administrator, role: NewRole): Promise<RoleId> {
  const id = newId('role');
  await changeDirectory(engine, by, (directory) => newRoleChange(directory, { id, at: engine.now() }, role));
  return id;
}

export function newRoleChange(
  { roles }: DirectoryRecord,
  { id, at }: { id: RoleId; at: number },
  { name, permissions: chosen }: NewRole,
): DecidedChange {
  if (!isRoleName(name)) throw invalidInput(['name'], roleNameRule);
  if (roles.some((role) => role.name === name))
    throw new Problem('already-exists', { detail: `Choose another name: there is a role called ${name}.` });
  if (roles.length >= maxRoles) throw invalidInput(['name'], `Remove a role first: there are ${maxRoles}.`);
  const permissions = permissionsAmong(chosen);
  return {
    write: { type: 'new-role', role: { id, name, permissions, createdAt: at } },
    event: { type: 'role.added', role: id, name, permissions },
  };
}

export interface RoleChange {
  id: RoleId;
  permissions: readonly string[];
}

/**
 * Changes what everyone with the role may do, at every node at once; equal permissions are not logged. If it gives anyone more, a
 * second administrator is needed. Who can no longer vote loses their votes on open requests.
 */
export async function changeRole(
  engine: DirectoryEngine & ChangingEngine,
  by: Administrator,
  change: RoleChange,
): Promise<Alone | null> {
  let voided: DirectoryRecord['users'] = [];
  const alone = await changeDirectory(engine, by, (directory) => {
    const decided = roleChange(directory, change);
    voided = decided ? votersLostBy(directory, change) : [];
    return decided;
  });
  for (const { id } of voided) await voidVotes(engine, id);
  return alone;
}

/** The writes of the change; null if the role permits this already. */
export function roleChange(directory: DirectoryRecord, { id, permissions: chosen }: RoleChange): DecidedChange | null {
  const { name, permissions: before } = roleIn(directory, id);
  const permissions = permissionsAmong(chosen);
  if (permissions.join() === before.join()) return null;
  return {
    write: { type: 'role', id, permissions },
    event: { type: 'role.changed', role: id, name, before, permissions },
  };
}

/** The people who could vote and no longer can. */
export function votersLostBy(directory: DirectoryRecord, { id, permissions }: RoleChange): DirectoryRecord['users'] {
  const { name: role } = roleIn(directory, id);
  if (may({ role, permissions }, 'decide')) return [];
  return directory.users.filter((user) => user.role === role && may(user, 'decide'));
}

/** Removes a role that no one has and no policy in force names. */
export async function removeRole(
  engine: DirectoryEngine & Pick<Engine, 'policies'>,
  by: Administrator,
  id: RoleId,
): Promise<void> {
  const also = await assertRoleNotNamed(engine, roleIn(await engine.directory.read(), id).name);
  await changeDirectory(engine, by, (directory) => ({ ...removedRoleChange(directory, id), also }));
}

export function removedRoleChange(directory: DirectoryRecord, id: RoleId): DecidedChange {
  const { name } = roleIn(directory, id);
  const people = peopleWith(directory, name).map((user) => user.name);
  if (people.length > 0)
    throw new Problem('not-now', { refusal: { code: 'role-in-use', values: { people: firstOf(people) } } });
  return { write: { type: 'removed-role', id }, event: { type: 'role.removed', role: id, name } };
}

/** Also those who are disabled: they have it again when they are enabled. */
export const peopleWith = ({ users }: DirectoryRecord, role: string): DirectoryRecord['users'] =>
  users.filter((user) => user.role === role);

const maxNamed = 5;

const firstOf = (names: string[]): string =>
  [...names.slice(0, maxNamed), ...(names.length > maxNamed ? [`+${names.length - maxNamed}`] : [])].join(', ');

/** In the order of the table; problem INVALID_INPUT for none, and for one that no role of an installation can have. */
function permissionsAmong(chosen: readonly string[]): Permission[] {
  const permissions = rolePermissions.filter((permission) => chosen.includes(permission));
  if (permissions.length > 0 && permissions.length === new Set(chosen).size) return permissions;
  throw invalidInput(['permissions'], `Choose from ${rolePermissions.join(', ')}.`);
}

/** The installation's own roles by name, each with how many people have it. */
export async function listRoles({ directory }: Pick<Engine, 'directory'>) {
  const record = await directory.read();
  return record.roles.map((role) => toShownRole(record, role));
}

export async function showRole({ directory }: Pick<Engine, 'directory'>, id: RoleId) {
  const record = await directory.read();
  return toShownRole(record, roleIn(record, id));
}

const toShownRole = (directory: DirectoryRecord, { id, name, permissions }: RoleRecord) => ({
  id,
  name,
  permissions: [...permissions],
  people: peopleWith(directory, name).length,
});
