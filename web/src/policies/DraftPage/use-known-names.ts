import { useQuery } from '@tanstack/react-query';
import { usersQuery, serversQuery, groupsQuery } from '../../people/users/directory-queries.ts';
import type { PlacePath } from '../schema-choices/yaml-place.ts';
import type { KnownNames } from '../StageFields/form-props.ts';

/** The names of this house's groups, people and servers. */
export function useKnownNames(): KnownNames {
  const groups = useQuery(groupsQuery).data ?? [];
  const users = useQuery(usersQuery).data ?? [];
  const servers = useQuery(serversQuery).data ?? [];
  return {
    groups: groups.map(({ name }) => name),
    users: users.filter(({ disabledAt }) => disabledAt === null).map(({ email }) => email),
    servers: servers.map(({ name }) => name),
  };
}

/** Which of them can stand at a place of the text. */
export function suggestAt({ groups, users, servers }: KnownNames, path: PlacePath): string[] {
  const names: Partial<Record<string, string[]>> = { group: groups, user: users, server: servers };
  const last = path.findLast((step) => typeof step === 'string');
  return (last === undefined ? undefined : names[last]) ?? [];
}
