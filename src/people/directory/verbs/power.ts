import { givesMoreInSpace } from '../../roles/contract.ts';
import type { UserId } from '#platform/model/id';
import { givesMore, holderOf, isAdministrator, isBuiltInRole, may, type RoleHolder } from '../contract/permission.ts';
import type { DirectoryRecord, UserRecord, GroupRecord, RoleRecord } from '../store/directory-record.ts';
import type { DirectoryWrite, UserSettings } from '../store/tables.ts';
import { everyAccount } from '../../accounts/contract.ts';
import type { Alone, User } from '../contract/user.ts';
import { isTrial } from '#policies/contract/policy';
import { usersOf } from '#requests/voting/contract/stages';
import { accountsOf } from '../../accounts/verbs/pairs.ts';

type People = Pick<DirectoryRecord, 'users' | 'groups' | 'spaces' | 'roles'>;

/** From so many people one administrator takes rights in one act: ten, or a twentieth of those who are enabled. */
export const mostTaken = (enabled: number): number => Math.max(10, Math.floor(enabled / 20));

/**
 * Do these changes together take rights from so many people, or from every other administrator, that a second administrator
 * must accept them? `asking` are the accounts of who makes them.
 */
export function takesMuch(writes: readonly DirectoryWrite[], directory: People, asking: readonly string[]): boolean {
  const losing = new Set(writes.flatMap((write) => losersOf(write, directory)));
  const enabled = directory.users.filter(({ disabledAt }) => disabledAt === null);
  const losers = enabled.filter(({ id }) => losing.has(id));
  if (losers.length > mostTaken(enabled.length)) return true;
  const others = enabled.filter((user) => isAdministrator(user) && canSignIn(user) && !asking.includes(user.id));
  return others.length > 0 && others.every((user) => writes.some((write) => endsAdministrator(write, user)));
}

/** Does it disable or demote an administrator? */
export const takesAdministrator = (writes: readonly DirectoryWrite[], { users }: Pick<People, 'users'>): boolean =>
  users.some(
    (user) =>
      user.disabledAt === null && isAdministrator(user) && writes.some((write) => endsAdministrator(write, user)),
  );

function endsAdministrator(write: DirectoryWrite, { id }: Pick<UserRecord, 'id'>): boolean {
  if (write.type !== 'user' || write.id !== id) return false;
  const { disabledAt = null, role = 'admin' } = write.set;
  return disabledAt !== null || role !== 'admin';
}

/** People who may do less afterwards. */
function losersOf(write: DirectoryWrite, { users, groups, spaces, roles }: People): UserId[] {
  const membersOf = (group: string): readonly UserId[] => groups.find(({ id }) => id === group)?.members ?? [];
  switch (write.type) {
    case 'user': {
      const before = users.find(({ id }) => id === write.id);
      const { disabledAt = null, mayBreakGlass, role } = write.set;
      const isLess =
        disabledAt !== null ||
        (before?.mayBreakGlass === true && mayBreakGlass === false) ||
        (before !== undefined && role !== undefined && givesMore(holderOf(role, roles), before));
      return isLess ? [write.id] : [];
    }
    case 'members':
      return membersOf(write.id).filter((member) => write.remove.includes(member));
    case 'group-adoption':
      return write.unadoptedSince === null ? [] : [...membersOf(write.id)];
    case 'deleted-group':
      return [...membersOf(write.id)];
    case 'role': {
      const role = roles.find(({ id }) => id === write.id);
      if (!role) return [];
      const [before, after] = [
        { role: role.name, permissions: role.permissions },
        { role: role.name, permissions: write.permissions },
      ];
      return givesMore(after, before) ? users.filter((user) => user.role === role.name).map(({ id }) => id) : [];
    }
    case 'space-member': {
      const members = spaces.find(({ id }) => id === write.id)?.members ?? [];
      const before = members.find(({ userId }) => userId === write.user)?.role ?? null;
      return givesMoreInSpace(write.role, before) ? [write.user] : [];
    }
    default:
      return [];
  }
}

/** Course of a change of power: at once, when a second administrator accepts it, or by the operator alone. */
type Course = { alone: Alone } | 'second' | 'operator';

type Sharer = RoleHolder &
  Pick<
    UserRecord,
    'id' | 'email' | 'vouchedAddresses' | 'decidedPairs' | 'hasPassword' | 'hasProvider' | 'sharesPower' | 'disabledAt'
  >;

/**
 * But in a trial, anyone who could sign in as an administrator keeps their share of power until the operator takes it back:
 * so no administrator can disable or demote the others and then decide alone. Someone who could never sign in has no
 * share yet, so that the first administrator can add the second. Administrators of the space that a change is about can
 * accept it as well.
 */
export function courseOf(
  by: Pick<User, 'id' | 'credentialIssuer'>,
  users: readonly Sharer[],
  environment: string,
  spaceAdmins: readonly UserId[] = [],
): Course {
  if (isTrial(environment)) return { alone: 'trial' };
  const asking = everyAccount(accountsOf(users, environment), usersOf({ by: by.id, issuer: by.credentialIssuer }));
  const others = users.filter((user) => user.id !== by.id && user.sharesPower && canSignIn(user));
  const isSecond = (user: Sharer): boolean =>
    (isAdministrator(user) || (spaceAdmins.includes(user.id) && may(user, 'decide'))) &&
    !user.disabledAt &&
    !asking.includes(user.id);
  const inSpace = users.filter((user) => spaceAdmins.includes(user.id) && canSignIn(user));
  if ([...others, ...inSpace].some(isSecond)) return 'second';
  const isTheOnly = others.length === 0 && users.some((user) => user.id === by.id && isAdministrator(user));
  return isTheOnly ? { alone: 'only-administrator' } : 'operator';
}

/** Someone who could never sign in has no share of power yet. */
export const canSignIn = ({ hasPassword, hasProvider }: Pick<UserRecord, 'hasPassword' | 'hasProvider'>): boolean =>
  hasPassword || hasProvider;

/** Does this give someone power, so that a second administrator must accept it? What takes power away never waits. */
export function givesPower(
  write: DirectoryWrite,
  { users, groups, spaces, roles }: Pick<DirectoryRecord, 'users' | 'groups' | 'spaces' | 'roles'>,
): boolean {
  switch (write.type) {
    case 'new-user': {
      const { role, managerId, groups = [] } = write.user;
      return givesRole('reviewer', holderOf(role, roles)) || Boolean(managerId) || groups.length > 0;
    }
    case 'user':
      return (
        Object.keys(
          givingPart(
            write.set,
            users.find(({ id }) => id === write.id),
            roles,
          ),
        ).length > 0
      );
    case 'members':
      return write.add.length > 0;
    case 'group-confirmation':
      return isLooser(
        groups.find(({ id }) => id === write.id),
        write,
      );
    case 'group-adoption':
      return write.unadoptedSince === null;
    case 'owner':
      return write.ownerId !== null;
    case 'identity':
    case 'server-space':
    case 'group-space':
      return true;
    case 'role': {
      const before = roles.find(({ id }) => id === write.id);
      return before !== undefined && givesMoreToSomeone(users, before, write.permissions);
    }
    case 'space-member': {
      const members = spaces.find(({ id }) => id === write.id)?.members ?? [];
      return givesMoreInSpace(members.find(({ userId }) => userId === write.user)?.role ?? null, write.role);
    }
    default:
      return false;
  }
}

/**
 * Does getting this role give power? Policies name roles, so another one that decides, or that the installation has made, asks
 * someone as another group does. Administrators lose what they have at once, whatever they become.
 */
function givesRole(before: RoleHolder | 'reviewer', after: RoleHolder): boolean {
  if (givesMore(before, after)) return true;
  const { role } = typeof before === 'string' ? { role: before } : before;
  return role !== after.role && role !== 'admin' && (!isBuiltInRole(after.role) || may(after, 'decide'));
}

/** A role that no one has gives no one anything: who gets it later is shown what it permits then. */
const givesMoreToSomeone = (
  users: DirectoryRecord['users'],
  { name: role, permissions: before }: Pick<RoleRecord, 'name' | 'permissions'>,
  permissions: readonly string[],
): boolean =>
  users.some((user) => user.role === role) && givesMore({ role, permissions: before }, { role, permissions });

/** Do members stay for longer without being confirmed than before, or can someone else keep them in the group? */
function isLooser(
  before: Pick<GroupRecord, 'owners' | 'confirmation'> | undefined,
  { owners, confirmation }: Pick<GroupRecord, 'owners' | 'confirmation'>,
): boolean {
  const days = before?.confirmation?.days;
  const isLonger = days !== undefined && (confirmation === null || confirmation.days > days);
  return isLonger || owners.some((owner) => !before?.owners.includes(owner));
}

/**
 * The settings that give power. Names of a person at MCP clients always do, and whether someone is one person with another:
 * each takes one vote away and may give another.
 */
export function givingPart(
  set: UserSettings,
  before: RoleHolder | undefined,
  roles: DirectoryRecord['roles'],
): UserSettings {
  const { subjects, mayBreakGlass, managerId, chatMember, disabledAt, decidedPairs } = set;
  return {
    ...(set.role && givesRole(before ?? 'reviewer', holderOf(set.role, roles)) && { role: set.role }),
    ...(subjects && { subjects }),
    ...(mayBreakGlass && { mayBreakGlass }),
    ...(managerId && { managerId }),
    ...(chatMember && { chatMember }),
    ...(disabledAt === null && { disabledAt }),
    ...(decidedPairs && { decidedPairs }),
  };
}
