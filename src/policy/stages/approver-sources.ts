import { celContext, withUser, type CelContext } from '../cel/context.ts';
import { compileCondition, evaluateCondition, type Condition } from '../cel/expression.ts';
import { foldCase, usersOfRequester, votersOf, type Directory, type DirectoryUser } from '../terms/directory.ts';
import type { Facts } from '../terms/facts.ts';
import type { ApproverSource } from '../terms/policy-document.ts';

/** Where sources are looked up: the people of one moment, and what is known of the request. */
export interface World {
  directory: Directory;
  /** Which MCP server asks; null where that is not known yet. */
  server: string | null;
  /** Who may vote at all. */
  voters: DirectoryUser[];
  /** Who the requester is among people: nobody, or rarely more than one. */
  requesters: string[];
  /** Those of them who may vote; a stand-in where the request is not known yet. */
  managers: string[];
  owners: string[];
  /** Nobody verified who the requester is: then they have no manager. */
  isUnverified: boolean;
  /** Null where the request is not known yet. */
  context: CelContext | null;
}

export function worldOf(directory: Directory, facts: Facts): World {
  const voters = votersOf(directory);
  const requesters = usersOfRequester(directory, facts.requester);
  const owner = directory.servers.find(({ name }) => name === facts.request.server)?.ownerId;
  const mayVote = (id: string | null | undefined): id is string => voters.some((voter) => voter.id === id);
  return {
    directory,
    server: facts.request.server,
    voters,
    requesters: requesters.map(({ id }) => id),
    managers: facts.requester.verified ? requesters.map(({ managerId }) => managerId).filter(mayVote) : [],
    owners: [owner].filter(mayVote),
    isUnverified: !facts.requester.verified,
    context: readContext(facts),
  };
}

/** The ids of everybody in any of the sources who may vote at all, each once. */
export function usersIn(sources: ApproverSource[], world: World): string[] | 'anyone' {
  if (sources.some(({ kind }) => kind === 'anyone')) return 'anyone';
  return [...new Set(sources.flatMap((source) => usersInSource(source, world)))];
}

/** The same, with everybody named. */
export function namedIn(sources: ApproverSource[], world: World): string[] {
  const users = usersIn(sources, world);
  return users === 'anyone' ? world.voters.map(({ id }) => id) : users;
}

function usersInSource(source: ApproverSource, world: World): string[] {
  switch (source.kind) {
    case 'anyone':
      return pick(world, () => true);
    case 'user':
      return pick(world, ({ email }) => foldCase(email) === foldCase(source.email));
    case 'group':
      return pick(world, ({ groups }) => groups.includes(source.name));
    case 'role':
      return pick(world, ({ role }) => role === source.role);
    case 'manager':
      return world.managers;
    case 'owner':
      return world.owners;
    case 'cel':
      return pickByCondition(world, source.expression);
  }
}

const pick = ({ voters }: World, isMeant: (user: DirectoryUser) => boolean): string[] =>
  voters.filter(isMeant).map(({ id }) => id);

/** Whoever the expression cannot be evaluated for is not meant. */
function pickByCondition(world: World, expression: string): string[] {
  const compiled = compileCondition(expression, 'user');
  if (!compiled.ok) return [];
  const { condition } = compiled;
  const { context } = world;
  if (asksOnlyUser(condition)) return evaluateFor(world, condition, noRequest);
  // As long as the request is not known, an expression that asks about it may mean anybody.
  return context ? evaluateFor(world, condition, context) : pick(world, () => true);
}

const noRequest: CelContext = { variables: {}, longest: 0, longestText: 0, users: 1 };

const evaluateFor = (world: World, condition: Condition, context: CelContext): string[] =>
  pick(
    world,
    (user) => evaluateCondition(condition, withUser(context, user, world.voters.length)).result === 'applied',
  );

const asksOnlyUser = ({ variables }: Condition): boolean => variables.every((name) => name === 'user');

/** Arguments that cannot be read make every expression about them fail, and so mean nobody. */
function readContext(facts: Facts): CelContext {
  try {
    return celContext(facts);
  } catch {
    return noRequest;
  }
}
