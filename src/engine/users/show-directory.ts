import { isBuiltIn } from '../../model/names.ts';
import type { DirectoryRecord } from '../../store/users/directory.ts';
import type { Engine } from '../engine.ts';

/**
 * People with their groups, groups with their members, servers with their owners, all with names for people to read.
 */
export async function showDirectory({ directory }: Pick<Engine, 'directory'>) {
  const { users, groups, servers } = await directory.read();
  const named = nameOf(users);
  return {
    users: users.map((user) => ({
      ...user,
      manager: named(user.managerId),
      groups: groups.filter(({ members }) => members.includes(user.id)).map(({ id, name }) => ({ id, name })),
    })),
    groups: groups.map((group) => ({ ...group, members: group.members.flatMap((id) => named(id) ?? []) })),
    servers: servers.filter(({ id }) => !isBuiltIn(id)).map((server) => ({ ...server, owner: named(server.ownerId) })),
  };
}

function nameOf(users: DirectoryRecord['users']) {
  const names = new Map(users.map(({ id, name }) => [id, { id, name }]));
  return (id: (typeof users)[number]['id'] | null) => (id && names.get(id)) || null;
}
