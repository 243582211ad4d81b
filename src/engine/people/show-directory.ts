import type { DirectoryRecord } from '../../store/people/directory.ts';
import type { Engine } from '../engine.ts';

/** People with their teams, teams with their members, servers with their owners: each with the names people read. */
export async function showDirectory({ directory }: Pick<Engine, 'directory'>) {
  const { people, teams, servers } = await directory.read();
  const named = nameOf(people);
  return {
    people: people.map((person) => ({
      ...person,
      manager: named(person.managerId),
      teams: teams.filter(({ members }) => members.includes(person.id)).map(({ id, name }) => ({ id, name })),
    })),
    teams: teams.map((team) => ({ ...team, members: team.members.flatMap((id) => named(id) ?? []) })),
    servers: servers.map((server) => ({ ...server, owner: named(server.ownerId) })),
  };
}

function nameOf(people: DirectoryRecord['people']) {
  const names = new Map(people.map(({ id, name }) => [id, { id, name }]));
  return (id: (typeof people)[number]['id'] | null) => (id && names.get(id)) || null;
}
