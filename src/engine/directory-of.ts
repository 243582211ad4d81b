import type { Directory } from '../policy/terms/directory.ts';
import type { DirectoryRecord } from '../store/people/directory.ts';

/** The people as policies see them: whoever is disabled is not there, and teams are known by their names. */
export function directoryOf({ people, teams, servers }: DirectoryRecord): Directory {
  const groups = new Map<string, string[]>(people.map(({ id }) => [id, []]));
  for (const { name, members } of teams) for (const id of members) groups.get(id)?.push(name);
  const able = people.filter(({ disabledAt }) => disabledAt === null);
  return {
    people: able.map(({ id, email, name, role, managerId, subjects }) => {
      return { id, email, name, role, groups: groups.get(id) ?? [], managerId, subjects };
    }),
    servers: servers.map(({ name, ownerId }) => ({ name, ownerId })),
    groups: teams.map(({ name }) => name),
  };
}
