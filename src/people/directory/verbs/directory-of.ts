import { administratorsAmong } from '../../roles/contract.ts';
import type { Directory } from '#policies/document/rules/directory';
import { isAdopted, type DirectoryRecord } from '../store/directory-record.ts';
import { accountsOf } from '../../accounts/verbs/pairs.ts';

/** The directory as policies see it: without disabled people, and with groups by name, of which those count that are adopted. */
export function directoryOf(
  { users, groups, servers, spaces, roles }: DirectoryRecord,
  environment: string | undefined,
): Directory {
  const groupsOf = new Map<string, string[]>(users.map(({ id }) => [id, []]));
  const counting = groups.filter(isAdopted);
  for (const { name, members } of counting) for (const id of members) groupsOf.get(id)?.push(name);
  const able = users.filter(({ disabledAt }) => disabledAt === null);
  const emails = new Map(able.map(({ id, email }) => [id, email]));
  return {
    users: able.map(({ id, email, name, role, permissions, managerId, subjects, mayBreakGlass }) => {
      return { id, email, name, role, permissions, groups: groupsOf.get(id) ?? [], managerId, subjects, mayBreakGlass };
    }),
    servers: servers.map(({ name, ownerId, spaceId }) => ({ name, ownerId, spaceId })),
    spaces: spaces.map(({ id, members }) => ({
      id,
      administrators: administratorsAmong(members).flatMap((user) => emails.get(user) ?? []),
    })),
    groups: counting.map(({ name }) => name),
    unadopted: groups.filter((group) => !isAdopted(group)).map(({ name }) => name),
    roles: roles.map(({ name }) => name),
    accounts: accountsOf(users, environment),
  };
}
