import { givesMore } from '../../model/permission.ts';
import type { Alone, User } from '../../model/user.ts';
import { isTrial } from '../../model/policy.ts';
import { usersOf } from '../../model/quorum.ts';
import type { DirectoryWrite, UserSettings } from '../../store/users/directory.ts';
import type { UserRecord } from '../../store/users/directory-record.ts';

/** How a change of power takes effect: at once, when a second administrator accepts it, or by the operator alone. */
export type Course = { alone: Alone } | 'second' | 'operator';

type Sharer = Pick<UserRecord, 'id' | 'role' | 'hasPassword' | 'hasProvider' | 'sharesPower' | 'disabledAt'>;

/**
 * But in a trial, anyone who could sign in as an administrator keeps their share of power until the operator takes it back:
 * so no administrator can disable or demote the others and then decide alone. Someone who could never sign in has no
 * share yet, so that the first administrator can add the second.
 */
export function courseOf(
  by: Pick<User, 'id' | 'credentialIssuer'>,
  users: readonly Sharer[],
  environment: string,
): Course {
  if (isTrial(environment)) return { alone: 'trial' };
  const others = users.filter((user) => user.id !== by.id && user.sharesPower && canSignIn(user));
  if (others.length === 0) return { alone: 'only-administrator' };
  const asking = usersOf({ by: by.id, issuer: by.credentialIssuer });
  const able = others.filter(({ id, role, disabledAt }) => role === 'admin' && !disabledAt && !asking.includes(id));
  return able.length > 0 ? 'second' : 'operator';
}

/** Someone who could never sign in has no share of power yet. */
export const canSignIn = ({ hasPassword, hasProvider }: Pick<UserRecord, 'hasPassword' | 'hasProvider'>): boolean =>
  hasPassword || hasProvider;

/** Does this give someone power, so that a second administrator must accept it? What takes power away never waits. */
export function givesPower(write: DirectoryWrite, users: readonly Pick<UserRecord, 'id' | 'role'>[]): boolean {
  switch (write.type) {
    case 'new-user': {
      const { role, managerId, groups = [] } = write.user;
      return givesMore('reviewer', role) || Boolean(managerId) || groups.length > 0;
    }
    case 'user':
      return Object.keys(givingPart(write.set, users.find(({ id }) => id === write.id)?.role)).length > 0;
    case 'members':
      return write.add.length > 0;
    case 'owner':
      return write.ownerId !== null;
    case 'identity':
      return true;
    default:
      return false;
  }
}

/**
 * The settings that give power. Names of a person at MCP clients always do: each takes one vote away and may give
 * another.
 */
export function givingPart(set: UserSettings, role: UserRecord['role'] = 'reviewer'): UserSettings {
  const { subjects, mayBreakGlass, managerId, chatMember, disabledAt } = set;
  return {
    ...(set.role && givesMore(role, set.role) && { role: set.role }),
    ...(subjects && { subjects }),
    ...(mayBreakGlass && { mayBreakGlass }),
    ...(managerId && { managerId }),
    ...(chatMember && { chatMember }),
    ...(disabledAt === null && { disabledAt }),
  };
}
