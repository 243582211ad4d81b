import { builtInRoles, formatUnknownRole, may } from '#people/directory/contract/permission';
import { formatUnknown } from '#platform/text/nearest-name';
import type { ApproverLookup } from './approver-sources.ts';
import { foldCase } from '../../../document/rules/directory/directory.ts';
import type { ApproverSource } from '../../contract/clause.ts';

/** The wrong names in these sources, each with the nearest known name. */
export const formatUnknowns = (sources: readonly ApproverSource[], lookup: ApproverLookup): string[] => [
  ...new Set(sources.flatMap((source) => formatUnknownIn(source, lookup) ?? [])),
];

function formatUnknownIn(source: ApproverSource, { directory, voters, server }: ApproverLookup): string | null {
  switch (source.kind) {
    case 'group':
      return formatGroup(source.name, directory);
    case 'user':
      return formatUser(source.email, directory.users);
    case 'role':
      if (!rolesOf(directory).includes(source.role)) return formatUnknownRole(source.role, rolesOf(directory));
      return voters.byRole.has(source.role) ? null : `No one who can vote has the role ${source.role}.`;
    case 'owner':
      return server === null ? null : formatOwner(server, directory.servers);
    default:
      return null;
  }
}

/** Is there nothing of this name? Of a role that no one has, there is. */
export const isUnknown = (source: ApproverSource, lookup: ApproverLookup): boolean =>
  source.kind === 'role'
    ? !rolesOf(lookup.directory).includes(source.role)
    : (source.kind === 'group' || source.kind === 'user') && formatUnknownIn(source, lookup) !== null;

const rolesOf = ({ roles = [] }: ApproverLookup['directory']): string[] => [...builtInRoles, ...roles];

function formatGroup(name: string, { groups, unadopted = [] }: ApproverLookup['directory']): string | null {
  if (groups.includes(name)) return null;
  return unadopted.includes(name) ? formatUnadopted(name) : formatUnknown('group', name, groups);
}

/** Why a group of this name counts for nothing. */
export const formatUnadopted = (name: string): string =>
  `The group ${name} was made by SCIM and counts for nothing until an administrator adopts it.`;

function formatUser(email: string, users: ApproverLookup['directory']['users']): string | null {
  const user = users.find((candidate) => foldCase(candidate.email) === foldCase(email));
  if (!user)
    return formatUnknown(
      'person',
      email,
      users.map((candidate) => candidate.email),
    );
  return may(user, 'decide') ? null : `${user.name} has a role that can’t vote.`;
}

function formatOwner(name: string, servers: ApproverLookup['directory']['servers']): string | null {
  const server = servers.find((candidate) => candidate.name === name);
  if (!server)
    return formatUnknown(
      'MCP server',
      name,
      servers.map((candidate) => candidate.name),
    );
  return server.ownerId === null ? `${name} has no owner.` : null;
}
