import { givesMoreInSpace } from '../../../roles/contract/space-role.ts';
import { everyAccount } from '../../../accounts/contract/accounts.ts';
import type { UserId } from '#platform/model/id';
import {
  givesMore,
  holderOf,
  isAdministrator,
  isBuiltInRole,
  may,
  type RoleHolder,
} from '../../contract/permission.ts';
import type { Alone, User } from '../../contract/user.ts';
import { isTrial } from '#policies/contract/policy';
import { usersOf } from '#requests/voting/contract/quorum/quorum';
import type { DirectoryWrite, UserSettings } from '../../store/tables/directory-write.ts';
import type {
  DirectoryRecord,
  GroupRecord,
  RoleRecord,
  UserRecord,
} from '../../store/directory-record/directory-record.ts';
import { accountsOf } from '../../../accounts/verbs/pairs.ts';

/** How a change of power takes effect: at once, when a second administrator accepts it, or by the operator alone. */
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
