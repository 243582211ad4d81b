import { builtInRoles, formatUnknownRole, may } from '#people/directory/contract/permission';
import { formatUnknown } from '#platform/text/nearest-name';
import {
  foldCase,
  usersOfRequester,
  type Directory,
  type DirectoryUser,
  votersOf,
  type Voters,
} from '../../document/rules/directory.ts';
import type { ApproverSource } from '../contract/clause.ts';
import type { PolicyDocument, Facts } from '../../document/rules/document.ts';
import {
  celContext,
  withUser,
  type CelContext,
  compileCondition,
  evaluateCondition,
  type Condition,
} from '../../language/rules/expression.ts';
import { everyAccount } from '#people/accounts/contract';

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

export type NamedSource = Extract<ApproverSource, { kind: 'group' | 'role' }>;

/**
 * Does the policy name this group or role: as approvers of stages, escalations and freeze windows, or as a text in CEL or in fields that
 * could be CEL? A condition may fit it by a pattern as well, which this does not find.
 */
export const namesSource = (policy: PolicyDocument, source: NamedSource): boolean => names(policy, source);

function names(value: unknown, source: NamedSource): boolean {
  const name = source.kind === 'group' ? source.name : source.role;
  if (typeof value === 'string') return value.includes(`"${name}"`) || value.includes(`'${name}'`);
  if (typeof value !== 'object' || value === null) return false;
  const key = source.kind === 'group' ? 'name' : 'role';
  if ('kind' in value && value.kind === source.kind && Reflect.get(value, key) === name) return true;
  return Object.values(value).some((part) => names(part, source));
}

/** Context in which sources are looked up: the people of one moment, and the facts of the request. */
export interface ApproverLookup {
  directory: Directory;
  /** The MCP server that asks; null if that is not known yet. */
  server: string | null;
  /** Who may vote at all. */
  voters: Voters;
  /** Every account of who the requester is among people: no one, or rarely more than one; and of who made the key that asks. */
  requesters: string[];
  /** Managers who may vote; a stand-in if the request is not known yet. */
  managers: string[];
  owners: string[];
  /** The voter who made the key. */
  keyMaker?: string | undefined;
  /** The requester is not verified, so they have no manager. */
  isUnverified: boolean;
  /** Null if the request is not known yet. */
  context: CelContext | null;
}

export function lookupOf(directory: Directory, facts: Facts): ApproverLookup {
  const voters = votersOf(directory);
  const requesters = usersOfRequester(directory, facts.requester);
  const owner = directory.servers.find(({ name }) => name === facts.request.server)?.ownerId;
  const mayVote = (id: string | null | undefined): id is string => id != null && voters.ids.has(id);
  return {
    directory,
    server: facts.request.server,
    voters,
    requesters: everyAccount(directory.accounts, [
      ...requesters.map(({ id }) => id),
      ...(facts.keyMaker === undefined ? [] : [facts.keyMaker]),
    ]),
    keyMaker: facts.keyMaker,
    managers: facts.requester.verified ? requesters.map(({ managerId }) => managerId).filter(mayVote) : [],
    owners: [owner].filter(mayVote),
    isUnverified: !facts.requester.verified,
    context: readContext(facts),
  };
}

/** The ids of everyone in any of the sources who may vote at all, each once. */
export function usersIn(sources: ApproverSource[], lookup: ApproverLookup): string[] | 'anyone' {
  if (sources.some(({ kind }) => kind === 'anyone')) return 'anyone';
  return [...new Set(sources.flatMap((source) => usersInSource(source, lookup)))];
}

/** Voters of these sources, with everyone named. */
export function namedIn(sources: ApproverSource[], lookup: ApproverLookup): string[] {
  const users = usersIn(sources, lookup);
  return users === 'anyone' ? [...lookup.voters.ids] : users;
}

/** Is this person in any of the sources, and may they vote at all? */
export function isInSources(sources: readonly ApproverSource[], lookup: ApproverLookup, id: string): boolean {
  const user = lookup.voters.byId.get(id);
  if (user === undefined) return false;
  return sources.some((source) =>
    source.kind === 'cel' ? meantByCondition(source.expression, lookup)(user) : idsIn(source, lookup).has(id),
  );
}

const usersInSource = (source: ApproverSource, lookup: ApproverLookup): string[] =>
  source.kind === 'cel'
    ? lookup.voters.users.filter(meantByCondition(source.expression, lookup)).map(({ id }) => id)
    : [...idsIn(source, lookup)];

/** Voters that a source names; an expression names no one, it is evaluated for each of them. */
function idsIn(source: Exclude<ApproverSource, { kind: 'cel' }>, lookup: ApproverLookup): ReadonlySet<string> {
  const { voters, managers, owners } = lookup;
  switch (source.kind) {
    case 'anyone':
      return voters.ids;
    case 'user':
      return voters.byEmail.get(foldCase(source.email)) ?? new Set();
    case 'group':
      return voters.byGroup.get(source.name) ?? new Set();
    case 'role':
      return voters.byRole.get(source.role) ?? new Set();
    case 'manager':
      return new Set(managers);
    case 'owner':
      return new Set(owners);
  }
}

/** People for whom the expression fails are not included. */
function meantByCondition(expression: string, lookup: ApproverLookup): (user: DirectoryUser) => boolean {
  const compiled = compileCondition(expression, 'user');
  if (!compiled.ok) return () => false;
  const { condition } = compiled;
  const context = asksOnlyUser(condition) ? noRequest : lookup.context;
  // While the request is not known, an expression about it may include anyone.
  return context ? (user) => appliesTo(user, condition, context, lookup) : () => true;
}

const noRequest: CelContext = { variables: {}, longest: 0, longestText: 0, users: 1 };

const appliesTo = (
  user: DirectoryUser,
  condition: Condition,
  context: CelContext,
  { voters }: ApproverLookup,
): boolean => evaluateCondition(condition, withUser(context, user, voters.ids.size)).result === 'applied';

const asksOnlyUser = ({ variables }: Condition): boolean => variables.every((name) => name === 'user');

/** Unreadable arguments make every expression about them fail, so it includes no one. */
function readContext(facts: Facts): CelContext {
  try {
    return celContext(facts);
  } catch {
    return noRequest;
  }
}
