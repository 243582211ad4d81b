import type { UserId } from '#platform/model/id';
import { holderOf, type Role } from '../../../directory/contract/permission.ts';
import type { UserSettings } from '../../../directory/store/tables/directory-write.ts';
import type { DirectoryRecord, UserRecord } from '../../../directory/store/directory-record/directory-record.ts';
import { addInConsole, type NewUserRequest } from '../../../users/verbs/add-user.ts';
import { changeUser, type UserChanges } from '../../../users/verbs/change-user.ts';
import { userIn } from '../../../directory/verbs/directory/in-directory.ts';
import { givingPart } from '../../../directory/verbs/power/power.ts';
import { changeKind } from './change-kind.ts';
import { namedGroup, namedOrNone, namedUser, formatUser, type NamedUser } from './named.ts';

/** A new person with power: who may vote, manages someone or is in a group. */
export const addingUser = changeKind({
  title: 'Add a person',
  act: addInConsole,
  facts: (directory, { name, email, role, managerId, groups = [] }: NewUserRequest) => ({
    user: { name, email: email.toLowerCase() },
    role,
    ...permitted(directory, role),
    manager: namedOrNone(directory, managerId),
    groups: [...new Set(groups)].map((id) => namedGroup(directory, id)),
  }),
  changeIn: ({ user, role, manager, groups }) => ({
    ...user,
    role,
    managerId: manager?.id ?? null,
    groups: groups.map(({ id }) => id),
  }),
  say: ({ user, role, permits }) => `Add ${formatUser(user)} as ${formatRole(role, permits)}.`,
});

export interface UserChange {
  id: UserId;
  changes: UserChanges;
}

/** What people read of a person’s settings. */
interface Power {
  role?: Role;
  manager?: NamedUser | null;
  subjects?: string[];
  mayBreakGlass?: boolean;
  chatMember?: string | null;
  disabled?: boolean;
}

/** Role, manager, names at MCP clients, chat member and permissions of a person. */
export const changingUser = changeKind({
  title: 'Change a person’s power',
  async act(engine, by, { id, changes }: UserChange) {
    return { alone: await changeUser(engine, by, id, changes) };
  },
  facts(directory, { id, changes }) {
    const { managerId, disabled, name: _name, ...rest } = changes;
    const user = userIn(directory, id);
    const to: Power = {
      ...(JSON.parse(JSON.stringify(rest)) as Power),
      ...(managerId !== undefined && { manager: namedOrNone(directory, managerId) }),
      ...(disabled !== undefined && { disabled }),
    };
    return { user: namedUser(directory, id), from: powerOf(directory, user, to), to, ...permitted(directory, to.role) };
  },
  changeIn: ({ user, to: { manager, ...rest } }) => ({
    id: user.id,
    changes: { ...rest, ...(manager !== undefined && { managerId: manager?.id ?? null }) },
  }),
  say: ({ user, from, to, permits }) =>
    `${formatUser(user)}: ${(Object.keys(to) as (keyof Power)[])
      .map((key) => {
        const next = key === 'role' ? formatRole(to.role ?? '', permits) : formatPower(to[key]);
        return `${labels[key]} from ${formatPower(from[key])} to ${next}`;
      })
      .join('; ')}.`,
  split(directory, { id, changes }) {
    const user = userIn(directory, id);
    const { disabled, ...rest } = changes;
    const set = { ...rest, ...(disabled !== undefined && { disabledAt: disabled ? 0 : null }) } as UserSettings;
    const giving = new Set(
      Object.keys(givingPart(set, user, directory.roles)).map((key) => (key === 'disabledAt' ? 'disabled' : key)),
    );
    const part = (isGiving: boolean): UserChanges =>
      Object.fromEntries(
        Object.entries(changes).filter(([key, value]) => value !== undefined && giving.has(key) === isGiving),
      );
    const taking = part(false);
    return {
      taking: Object.keys(taking).length > 0 ? { id, changes: taking } : null,
      giving: { id, changes: part(true) },
    };
  },
});

const permitted = (directory: DirectoryRecord, role: Role | undefined): { permits?: readonly string[] } => {
  const { permissions: permits } = role === undefined ? {} : holderOf(role, directory.roles);
  return permits ? { permits } : {};
};

const formatRole = (role: Role, permits: readonly string[] | undefined): string =>
  permits ? `${role} (${permits.join(', ')})` : role;

const labels: Record<keyof Power, string> = {
  role: 'role',
  manager: 'manager',
  subjects: 'names at MCP clients',
  mayBreakGlass: 'emergency override',
  chatMember: 'chat member',
  disabled: 'disabled',
};

function formatPower(value: Power[keyof Power]): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : 'none';
  return typeof value === 'string' ? value : formatUser(value);
}

/** The same settings of this person now. */
function powerOf(directory: DirectoryRecord, user: UserRecord, to: Power): Power {
  const now: Required<Power> = {
    role: user.role,
    manager: namedOrNone(directory, user.managerId),
    subjects: user.subjects,
    mayBreakGlass: user.mayBreakGlass,
    chatMember: user.chatMember,
    disabled: user.disabledAt !== null,
  };
  return Object.fromEntries(Object.keys(to).map((key) => [key, now[key as keyof Power]]));
}
