import { administratorsAmong } from '../../../roles/contract/space-role.ts';
import { everyAccount, type Accounts } from '../../../accounts/contract/accounts.ts';
import { usersOf } from '#requests/voting/contract/quorum/quorum';
import { auditEntry, type Actor, type AuditEvent } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random/random';
import type { ElicitationId, ServerId, SpaceId, UserId } from '#platform/model/id';
import type { User, Alone } from '../../contract/user.ts';
import { type Permission } from '../../contract/permission.ts';
import { Problem } from '#platform/model/problem/problem';
import { inSequence, type InCommit } from '#platform/database/database/in-commit';
import type { DirectoryWrite } from '../../store/tables/directory-write.ts';
import type { DirectoryRecord } from '../../store/directory-record/directory-record.ts';
import { accountsOf } from '../../../accounts/verbs/pairs.ts';
import { assertMay, mayIn, withoutPermission } from '#policies/deciding/verbs/rules/assert-may';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { courseOf, givesPower } from '../power/power.ts';
import { takesAdministrator, takesMuch } from '../power/taken-power.ts';

/**
 * Who may change people and policies: a signed-in person whose role lets them, a program by its token, the operator of the
 * installation, or a person or program with the agreement of an administrator.
 */
export type Administrator = User | TokenCaller | 'operator' | Agreement;

/** A program that administers. What needs a second administrator needs one for it as for the person who made its token. */
export interface TokenCaller {
  kind: 'token';
  /** The id of the token. */
  id: string;
  name: string;
  /** Those of the token that its maker still has. */
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

/** Who may change the directory. Time only takes power away. */
export type Changer = Administrator | ProviderRule | { kind: 'timer' };

/** An administrator asked for exactly this change, and at least one other accepted it. */
export interface Agreement {
  kind: 'agreement';
  /** Who asked, or made the token of the program that asked. */
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
    // Of thousands of people this takes milliseconds, and what a provider or the operator changes does not need it.
    get accounts() {
      return (accounts ??= accountsOf(directory.users, environment));
    },
  };
}

/** One change of the directory, and what the log says of it. */
export interface DecidedChange {
  write: DirectoryWrite;
  event: AuditEvent;
  /** What else its commit stores. */
  also?: InCommit;
  /** Does it give power after the changes before it in the same commit? Absent if it is the only one. */
  gives?: boolean;
}

/**
 * What a change takes: the permission of a role, or of a role in the space of what is changed. The space is that of the
 * directory the change is decided on; null is what is global, and what is absent.
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

/** The same guard for a change that is stored elsewhere, and gives power unless it says otherwise; with what commits together with it. */
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

/** What people agreed on, or asked for, is no longer true. */
export const outdatedChange = (): Problem => new Problem('not-now', { refusal: { code: 'change-outdated' } });

/** Is a second administrator needed for what was tried? */
export const needsSecond = (error: unknown): boolean =>
  error instanceof Problem && error.refusal?.code === 'second-administrator';

const alsoOf = (by: Changer): InCommit | undefined => (by !== 'operator' && 'also' in by ? by.also : undefined);

/** The same for a change that one person makes and that is stored elsewhere: it stands if they still may when it commits. */
export const guardScope = (engine: Pick<DirectoryEngine, 'directory'>, by: Administrator, needed: Scope): InCommit =>
  guarded(engine, by, (current) => void refuseFormer(current, by, needed));

/** The same for what is about a server, and may be done by its owner as well. */
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

/** Who can accept a change of this space next to administrators. */
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
