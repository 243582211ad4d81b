import type { GroupId, RoleId, ServerId, SpaceId, UserId, ElicitationId } from '#platform/model/id';
import { isBuiltIn, type ownServer } from '#platform/model/names';
import { formatUnknown } from '#platform/text/nearest-name';
import { invalidInput, Problem } from '#platform/model/problem';
import type {
  DirectoryRecord,
  GroupRecord,
  RoleRecord,
  ServerRecord,
  SpaceRecord,
  UserRecord,
} from '../store/directory-record.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { administratorsAmong } from '../../roles/contract.ts';
import { everyAccount, type Accounts, type PairAnswer } from '../../accounts/contract.ts';
import { usersOf } from '#requests/voting/contract/stages';
import { auditEntry, type Actor, type AuditEvent } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import type { User, Alone } from '../contract/user.ts';
import type { Permission } from '../contract/permission.ts';
import { inSequence, type InCommit } from '#platform/database/database';
import type { DirectoryWrite, UserSettings } from '../store/tables.ts';
import { accountsOf } from '../../accounts/verbs/pairs.ts';
import { assertMay, mayIn, withoutPermission } from './may.ts';
import { courseOf, givesPower, takesAdministrator, takesMuch } from './power.ts';
import type { RefusalCode } from '#requests/inbox/contract/refusal';

/** The person of this id; problem `not-found` if there is none. The same for groups, servers, spaces and roles. */
export const userIn = ({ users }: DirectoryRecord, id: UserId): UserRecord => byId(users, id);

export const groupIn = ({ groups }: DirectoryRecord, id: GroupId): GroupRecord => byId(groups, id);

export const serverIn = ({ servers }: DirectoryRecord, id: ServerId): DirectoryRecord['servers'][number] =>
  byId(servers, id);

/** The space of this id by name; null for none. */
export function namedSpace({ spaces }: DirectoryRecord, id: SpaceId | null): { id: SpaceId; name: string } | null {
  const space = spaces.find((candidate) => candidate.id === id);
  return space ? { id: space.id, name: space.name } : null;
}

export const spaceIn = ({ spaces }: DirectoryRecord, id: SpaceId): SpaceRecord => byId(spaces, id);

export const roleIn = ({ roles }: DirectoryRecord, id: RoleId): RoleRecord => byId(roles, id);

/** The id of the server of this name; `INVALID_INPUT` at `server` names the nearest one. */
export function serverNamed(servers: DirectoryRecord['servers'], name: string): ServerId {
  const server = servers.find((candidate) => candidate.name === name);
  if (server) return server.id;
  const message = formatUnknown(
    'server',
    name,
    servers.map((candidate) => candidate.name),
  );
  throw invalidInput(['server'], message);
}

type Directory = Pick<Engine, 'directory'>;

/** The ids of the people with these addresses, by one read; problem `not-found` for the first that no one has. */
export async function userIdsOf({ directory }: Directory, emails: readonly string[]): Promise<UserId[]> {
  const { users } = await directory.read();
  const ids = new Map(users.map(({ id, email }) => [email, id]));
  return emails.map(
    (email) => ids.get(email.toLowerCase()) ?? refuse(`Check the address: there is no person with ${email}.`),
  );
}

/** The group, the server, the space and the role of this name; problem `not-found` if there is none. */
export const groupNamed = async ({ directory }: Directory, name: string): Promise<GroupRecord> =>
  (await directory.read()).groups.find((group) => group.name === name) ??
  refuse(`Check the name: there is no group called ${name}.`);

export const serverOfName = async ({ directory }: Directory, name: string): Promise<ServerRecord> =>
  (await directory.read()).servers.find((server) => server.name === name && !isBuiltIn(server.id)) ??
  refuse(`Check the name: there is no server called ${name}.`);

export const spaceOfName = async ({ directory }: Directory, name: string): Promise<SpaceRecord> =>
  (await directory.read()).spaces.find((space) => space.name === name) ??
  refuse(`Check the name: there is no space called ${name}.`);

export const roleOfName = async ({ directory }: Directory, name: string): Promise<RoleRecord> =>
  (await directory.read()).roles.find((role) => role.name === name) ??
  refuse(`Check the name: the installation has made no role called ${name}.`);

function refuse(detail: string): never {
  throw new Problem('not-found', { detail });
}

function byId<T extends { id: string }>(records: readonly T[], id: T['id']): T {
  const record = records.find((candidate) => candidate.id === id);
  if (!record) throw new Problem('not-found');
  return record;
}

/**
 * Changers of people and policies: a signed-in person whose role lets them, a program by its token, the operator of the
 * installation, or a person or program with the agreement of an administrator.
 */
export type Administrator = User | TokenCaller | 'operator' | Agreement;

/** A program that administers. What needs a second administrator needs one for it as for the person who made its token. */
export interface TokenCaller {
  kind: 'token';
  /** The id of the token. */
  id: string;
  name: string;
  /** Permissions of the token that its maker still has. */
  permissions: readonly Permission[];
  maker: User;
  /** In the commit of what it does: refuses if the token was revoked meanwhile. */
  also: InCommit;
}

/** An identity provider, whose claims change people by rules that the operator has set. */
export interface ProviderRule {
  kind: 'provider';
  issuer: string;
  /** In the commit of what it provisions: refuses if its token was revoked meanwhile. */
  also?: InCommit;
}

/** Changers of the directory. Time only takes power away. */
export type Changer = Administrator | ProviderRule | { kind: 'timer' };

/** An administrator asked for exactly this change, and at least one other accepted it. */
export interface Agreement {
  kind: 'agreement';
  /** The person who asked, or made the token of the program that asked. */
  id: UserId;
  token?: Pick<TokenCaller, 'id' | 'name'> | undefined;
  with: UserId[];
  request: ElicitationId;
  /** Throws if what was agreed on has changed. */
  expects(directory: DirectoryRecord): void;
  /** Uses the agreement up in the commit of the change. */
  also: InCommit;
}

export type DirectoryEngine = Pick<Engine, 'directory' | 'now' | 'environment'>;

export function actorOf(by: Changer): Actor {
  if (by === 'operator') return { kind: 'operator' };
  if (by.kind === 'timer') return by;
  if (by.kind === 'provider') return { kind: 'provider', provider: by.issuer };
  if (by.kind === 'user') return { kind: 'user', id: by.id };
  if (by.kind === 'token') return { kind: 'token', token: by.id, name: by.name };
  const agreed = { with: by.with, request: by.request };
  const { id, token } = by;
  return token ? { kind: 'token', token: token.id, name: token.name, agreed } : { kind: 'user', id, agreed };
}

/** The person who answers for what is done: for a program, who made its token. Null for the operator, a provider and time. */
export function issuerOf(by: Changer): UserId | null {
  if (by === 'operator' || by.kind === 'provider' || by.kind === 'timer') return null;
  return by.kind === 'token' ? by.maker.id : by.id;
}

/** The directory that a change is decided on, with all accounts of everyone who has several. */
export interface JudgedDirectory extends DirectoryRecord {
  accounts: Accounts;
}

export function judgedDirectory(
  { environment }: Pick<DirectoryEngine, 'environment'>,
  directory: DirectoryRecord,
): JudgedDirectory {
  let accounts: Accounts | undefined;
  return {
    ...directory,
    // Takes milliseconds for thousands of people; changes by a provider or the operator do not need it.
    get accounts() {
      return (accounts ??= accountsOf(directory.users, environment));
    },
  };
}

/** One change of the directory, and what the log says of it. */
export interface DecidedChange {
  write: DirectoryWrite;
  event: AuditEvent;
  /** Further writes of its commit. */
  also?: InCommit;
  /** Does it give power after the changes before it in the same commit? Absent if it is the only one. */
  gives?: boolean;
}

/**
 * The permission that a change takes, of a role or of a role in the space of its subject. The space is that of the
 * directory the change is decided on; null is for global and absent subjects.
 */
export interface Scope {
  permission: Permission;
  space(directory: DirectoryRecord): SpaceId | null | undefined;
}

/** Null if anyone who is able to sign in may. */
type Needed = Permission | Scope | null;

const scopeOf = (needed: Permission | Scope): Scope =>
  typeof needed === 'string' ? { permission: needed, space: () => null } : needed;

/**
 * The one door for changes of people, groups, spaces and owners: decided on the current directory, stored with their audit entries.
 * Says why one administrator was enough for a change that gives power; null for every other change. Problem `forbidden`
 * with refusal `second-administrator` if one is not enough.
 */
export async function changeDirectory(
  engine: DirectoryEngine,
  by: Changer,
  decide: (directory: JudgedDirectory) => DecidedChange | DecidedChange[] | null,
  needed: Needed = 'change-directory',
): Promise<Alone | null> {
  if (typeof needed === 'string') assertMay(by, needed);
  let alone: Alone | null = null;
  let decided: DecidedChange[] = [];
  await engine.directory.change(
    (current) => {
      const space = refuseFormer(current, by, needed);
      decided = [decide(judgedDirectory(engine, current)) ?? []].flat();
      const writes = decided.map(({ write }) => write);
      const gives = decided.some(({ write, gives }) => gives ?? givesPower(write, current));
      refuseToken(current, by, writes);
      if (gives || takesTooMuch(engine, current, by, writes)) alone = refuseAlone(engine, current, by, space);
      return decided.map(({ write, event }) => ({
        write,
        entry: auditEntry(newId('entry'), engine.now(), actorOf(by), event),
      }));
    },
    async (tx) => {
      await alsoOf(by)?.(tx);
      for (const { also } of decided) await also?.(tx);
    },
  );
  return alone;
}

/**
 * Guards a change that is stored elsewhere, and gives power unless it says otherwise; returns writes that commit
 * together with it.
 */
export function guardPower(
  engine: DirectoryEngine,
  by: Administrator,
  needed: Permission | Scope,
  { gives = true }: { gives?: boolean } = {},
): { also: InCommit; alone(): Alone | null } {
  if (typeof needed === 'string') assertMay(by, needed);
  let alone: Alone | null = null;
  const also = guarded(engine, by, (current) => {
    const space = refuseFormer(current, by, needed);
    if (gives) alone = refuseAlone(engine, current, by, space);
  });
  return { also, alone: () => alone };
}

/** The facts that people agreed on, or asked for, are no longer true. */
export const outdatedChange = (): Problem => new Problem('not-now', { refusal: { code: 'change-outdated' } });

/** Is a second administrator needed for what was tried? */
export const needsSecond = (error: unknown): boolean =>
  error instanceof Problem && error.refusal?.code === 'second-administrator';

const alsoOf = (by: Changer): InCommit | undefined => (by !== 'operator' && 'also' in by ? by.also : undefined);

/** Guards a change that one person makes and that is stored elsewhere: it stands if they still may when it commits. */
export const guardScope = (engine: Pick<DirectoryEngine, 'directory'>, by: Administrator, needed: Scope): InCommit =>
  guarded(engine, by, (current) => void refuseFormer(current, by, needed));

/** Guards a change of a server, which its owner may make as well. */
export function guardOwn(
  engine: Pick<DirectoryEngine, 'directory'>,
  by: Administrator,
  permission: Permission,
  server: ServerId | null,
): InCommit {
  const space = ({ servers }: DirectoryRecord) => servers.find(({ id }) => id === server)?.spaceId;
  return guarded(engine, by, (current) => {
    if (!isEnabledOwner(current, by, server)) refuseFormer(current, by, { permission, space });
  });
}

const guarded = (
  { directory }: Pick<DirectoryEngine, 'directory'>,
  by: Administrator,
  check: (current: DirectoryRecord) => void,
): InCommit => inSequence(directory.guard(check), alsoOf(by));

const isEnabledOwner = ({ servers, users }: DirectoryRecord, by: Administrator, server: ServerId | null): boolean =>
  by !== 'operator' &&
  by.kind === 'user' &&
  servers.some(({ id, ownerId }) => id === server && ownerId === by.id) &&
  users.some(({ id, disabledAt }) => id === by.id && disabledAt === null);

/** A person, or a program for who made its token. A provider, time and the operator take as much as they say. */
const isPerson = (by: Changer): by is User | TokenCaller => by !== 'operator' && ['user', 'token'].includes(by.kind);

/** Everyone who could be the person who asks. */
function askingAccounts({ environment }: DirectoryEngine, { users }: DirectoryRecord, by: User | TokenCaller) {
  const person = by.kind === 'token' ? by.maker : by;
  return everyAccount(accountsOf(users, environment), usersOf({ by: person.id, issuer: person.credentialIssuer }));
}

/** A program disables and demotes no administrator, even if someone accepts it: a stolen token could lock everyone out. */
export function refuseToken(directory: DirectoryRecord, by: Changer, writes: readonly DirectoryWrite[]): void {
  const isByToken = by !== 'operator' && (by.kind === 'token' || (by.kind === 'agreement' && by.token !== undefined));
  if (isByToken && takesAdministrator(writes, directory))
    throw new Problem('forbidden', { refusal: { code: 'administrator-by-token' } });
}

/** Is one administrator not enough to take so much? */
export const takesTooMuch = (
  engine: DirectoryEngine,
  directory: DirectoryRecord,
  by: Changer,
  writes: readonly DirectoryWrite[],
): boolean => isPerson(by) && takesMuch(writes, directory, askingAccounts(engine, directory, by));

/** Says why this administrator is enough for a change that gives power; problem `forbidden` if they are not. */
export function refuseAlone(
  { environment }: DirectoryEngine,
  { users, spaces }: DirectoryRecord,
  by: Changer,
  space: SpaceId | null,
): Alone | null {
  if (by === 'operator' || by.kind === 'provider' || by.kind === 'timer' || by.kind === 'agreement') return null;
  const person = by.kind === 'token' ? by.maker : by;
  const course = courseOf(person, users, environment, administratorsOf(spaces, space));
  if (typeof course === 'object') return course.alone;
  throw new Problem('forbidden', {
    refusal: { code: course === 'second' ? 'second-administrator' : 'no-second-administrator' },
  });
}

/** People who can accept a change of this space besides administrators. */
export const administratorsOf = (spaces: DirectoryRecord['spaces'], space: SpaceId | null): UserId[] =>
  administratorsAmong(spaces.find(({ id }) => id === space)?.members ?? []);

/** They may have been demoted since they signed in, or since they agreed. Returns the space that the change is about. */
function refuseFormer(current: DirectoryRecord, by: Changer, needed: Needed): SpaceId | null {
  if (needed === null) return null;
  const { permission, space: spaceIn } = scopeOf(needed);
  const space = spaceIn(current) ?? null;
  if (by === 'operator' || by.kind === 'provider' || by.kind === 'timer') return space;
  if (by.kind === 'token') assertMay(by, permission);
  // A token has what its maker may do everywhere, and nothing of their roles in spaces.
  const isOfToken = by.kind === 'token' || (by.kind === 'agreement' && by.token !== undefined);
  if (!isAble(current, issuerOf(by), permission, isOfToken ? null : space)) throw withoutPermission(permission);
  if (by.kind !== 'agreement') return space;
  const accepting = space === null ? 'change-directory' : 'change-space';
  if (!by.with.some((id) => isAble(current, id, accepting, space)))
    throw new Problem('forbidden', { refusal: { code: 'second-administrator' } });
  by.expects(current);
  return space;
}

const isAble = (
  directory: DirectoryRecord,
  id: UserId | null,
  permission: Permission,
  space: SpaceId | null,
): boolean =>
  directory.users.some(
    (user) => user.id === id && user.disabledAt === null && mayIn(directory, user, permission, space),
  );

// Administrators cannot give themselves a vote or remove what excludes them from one. Policies depend on roles, groups,
// managers, subjects and owners, so leaving a group may give as much power as joining one. They may give up a
// permission or a channel. The operator is outside these rules.

type Persons = Pick<JudgedDirectory, 'accounts'>;

// A program is as near to them as its maker, and so is each of their accounts.
const isOwn = (directory: Persons, by: Changer, id: UserId | null | undefined): boolean => {
  const person = issuerOf(by);
  return id != null && person !== null && everyAccount(directory.accounts, [person]).includes(id);
};

/** Problem `forbidden`, with the command by which the operator can do it instead. */
const refusal = (code: RefusalCode, command: string): Problem =>
  new Problem('forbidden', { refusal: { code, values: { command } } });

/**
 * Refuses what administrators may not change about themselves: everything but their name and what they give up, such as
 * another account.
 */
export function assertNotOwnChange(
  directory: Persons,
  by: Changer,
  { id, email }: UserRecord,
  set: UserSettings,
): void {
  if (!isOwn(directory, by, id)) return assertNotOwnReport(directory, by, set.managerId, `user set ${email}`);
  const { name: _name, mayBreakGlass, chatMember, disabledAt, ...power } = set;
  if (disabledAt && id === issuerOf(by)) throw refusal('own-access', `user disable ${email}`);
  const isGiven = mayBreakGlass === true || typeof chatMember === 'string' || disabledAt === null;
  if (isGiven || Object.keys(power).length > 0) throw refusal('own-power', `user set ${email}`);
}

/** Refuses to make administrators the manager of someone: managers vote on what their reports request. */
export function assertNotOwnReport(
  directory: Persons,
  by: Changer,
  managerId: UserId | null | undefined,
  command: string,
): void {
  if (isOwn(directory, by, managerId)) throw refusal('own-report', command);
}

export function assertNotOwnMembership(
  directory: Persons,
  by: Changer,
  group: string,
  added: UserId[],
  removed: UserId[],
): void {
  if (added.some((id) => isOwn(directory, by, id))) throw refusal('own-membership', `group add "${group}" EMAIL`);
  if (removed.some((id) => isOwn(directory, by, id))) throw refusal('own-leaving', `group remove "${group}" EMAIL`);
}

/** Adopting a group gives all of its members what policies give the group; ending that takes it from them. */
export function assertNotOwnAdoption(
  directory: Persons,
  by: Changer,
  { name, members }: Pick<GroupRecord, 'name' | 'members'>,
  isAdopted: boolean,
): void {
  if (!members.some((id) => isOwn(directory, by, id))) return;
  throw isAdopted
    ? refusal('own-membership', `group adopt "${name}"`)
    : refusal('own-leaving', `group adopt "${name}" --end`);
}

/**
 * Refuses to confirm one's own membership: it would have no end that someone else decides about. A session counts for who issued its
 * credential as well.
 */
export function assertNotOwnConfirmation(
  { accounts }: Persons,
  by: User | 'operator',
  group: string,
  confirmed: readonly UserId[],
): void {
  const persons = by === 'operator' ? [] : everyAccount(accounts, usersOf({ by: by.id, issuer: by.credentialIssuer }));
  if (confirmed.some((id) => persons.includes(id))) throw refusal('own-confirmation', `group confirm "${group}"`);
}

export function assertNotOwnSpaceRole(
  directory: Persons,
  by: Changer,
  space: string,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
): void {
  if (isOwn(directory, by, id)) throw refusal('own-power', `space member "${space}" ${email}`);
}

export function assertNotOwnServer(
  directory: Persons,
  by: Administrator,
  server: string,
  owners: (UserId | null)[],
): void {
  if (owners.some((id) => isOwn(directory, by, id)))
    throw refusal('own-server', `server set "${server}" --owner EMAIL`);
}

/**
 * Calling two accounts two people would give their person a second vote, whether they say or accept it; calling them one
 * takes one away.
 */
export function assertNotOwnPair(
  directory: Persons,
  by: Changer,
  users: readonly UserId[],
  answer: PairAnswer | null,
  command: string,
): void {
  if (answer === 'one-person') return;
  if (users.some((id) => isOwn(directory, by, id))) throw refusal('own-power', command);
  const persons = everyAccount(directory.accounts, users);
  if (by !== 'operator' && by.kind === 'agreement' && by.with.every((id) => persons.includes(id)))
    throw new Problem('forbidden', { refusal: { code: 'second-administrator' } });
}

export function assertNotOwnLink(directory: Persons, by: Administrator, { id, email }: UserRecord): void {
  if (isOwn(directory, by, id)) throw refusal('own-link', `user link ${email}`);
}

/** Adds one of Assentry's own servers, with its entry in the log, when it first asks for someone, whatever they may. */
export async function addBuiltInServer(
  engine: DirectoryEngine,
  by: Administrator,
  server: typeof ownServer,
): Promise<void> {
  const add = ({ servers }: DirectoryRecord) => {
    if (servers.some(({ id }) => id === server.id)) return null;
    return {
      write: { type: 'new-server', server: { ...server } },
      event: { type: 'server.added', server: server.id },
    } as const;
  };
  await changeDirectory(engine, by, add, null);
}
