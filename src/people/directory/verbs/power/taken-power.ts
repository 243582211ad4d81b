import { givesMoreInSpace } from '../../../roles/contract/space-role.ts';
import type { UserId } from '#platform/model/id';
import { givesMore, holderOf, isAdministrator } from '../../contract/permission.ts';
import type { DirectoryRecord, UserRecord } from '../../store/directory-record/directory-record.ts';
import type { DirectoryWrite } from '../../store/tables/directory-write.ts';
import { canSignIn } from './power.ts';

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

/** Those who may do less afterwards. */
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
