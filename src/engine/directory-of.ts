import { mayInSpace } from '../model/space-role.ts';
import type { Directory } from '../policy/terms/directory.ts';
import type { DirectoryRecord, SpaceRecord } from '../store/users/directory-record.ts';

/** The directory as policies see it: without disabled people, and with groups by name. */
export function directoryOf({ users, groups, servers, spaces }: DirectoryRecord): Directory {
  const groupsOf = new Map<string, string[]>(users.map(({ id }) => [id, []]));
  for (const { name, members } of groups) for (const id of members) groupsOf.get(id)?.push(name);
  const able = users.filter(({ disabledAt }) => disabledAt === null);
  return {
    users: able.map(({ id, email, name, role, managerId, subjects, mayBreakGlass }) => {
      return { id, email, name, role, groups: groupsOf.get(id) ?? [], managerId, subjects, mayBreakGlass };
    }),
    servers: servers.map(({ name, ownerId, spaceId }) => ({ name, ownerId, spaceId })),
    spaces: spaces.map(({ id, members }) => ({ id, administrators: administratorsAmong(able, members) })),
    groups: groups.map(({ name }) => name),
  };
}

const administratorsAmong = (able: DirectoryRecord['users'], members: SpaceRecord['members']): string[] =>
  members
    .filter(({ role }) => mayInSpace(role, 'change-space'))
    .flatMap(({ userId }) => able.find(({ id }) => id === userId)?.email ?? []);
