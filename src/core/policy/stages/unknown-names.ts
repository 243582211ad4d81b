import { builtInRoles, may } from '#protocol/model/permission';
import { sayUnknown } from '#protocol/model/text/nearest-name';
import type { World } from './approver-sources.ts';
import { foldCase } from '../terms/directory.ts';
import type { ApproverSource } from '../terms/policy-document.ts';

/** The wrong names in these sources, each with the nearest known name. */
export const sayUnknowns = (sources: readonly ApproverSource[], world: World): string[] => [
  ...new Set(sources.flatMap((source) => sayUnknownIn(source, world) ?? [])),
];

function sayUnknownIn(source: ApproverSource, { directory, voters, server }: World): string | null {
  switch (source.kind) {
    case 'group':
      return directory.groups.includes(source.name) ? null : sayUnknown('group', source.name, directory.groups);
    case 'user':
      return sayUser(source.email, directory.users);
    case 'role':
      if (!rolesOf(directory).includes(source.role)) return sayUnknown('role', source.role, rolesOf(directory));
      return voters.byRole.has(source.role) ? null : `No one who can vote has the role ${source.role}.`;
    case 'owner':
      return server === null ? null : sayOwner(server, directory.servers);
    default:
      return null;
  }
}

/** Is there nothing of this name? Of a role that no one has, there is. */
export const isUnknown = (source: ApproverSource, world: World): boolean =>
  source.kind === 'role'
    ? !rolesOf(world.directory).includes(source.role)
    : (source.kind === 'group' || source.kind === 'user') && sayUnknownIn(source, world) !== null;

const rolesOf = ({ roles = [] }: World['directory']): string[] => [...builtInRoles, ...roles];

function sayUser(email: string, users: World['directory']['users']): string | null {
  const user = users.find((candidate) => foldCase(candidate.email) === foldCase(email));
  if (!user)
    return sayUnknown(
      'person',
      email,
      users.map((candidate) => candidate.email),
    );
  return may(user, 'decide') ? null : `${user.name} has a role that can’t vote.`;
}

function sayOwner(name: string, servers: World['directory']['servers']): string | null {
  const server = servers.find((candidate) => candidate.name === name);
  if (!server)
    return sayUnknown(
      'MCP server',
      name,
      servers.map((candidate) => candidate.name),
    );
  return server.ownerId === null ? `${name} has no owner.` : null;
}
