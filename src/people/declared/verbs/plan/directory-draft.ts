import { holderOf, isAdministrator, isBuiltInRole } from '../../../directory/contract/permission.ts';
import type { DirectoryWrite, NewUser, UserSettings } from '../../../directory/store/tables/directory-write.ts';
import type { JudgedDirectory } from '../../../directory/verbs/directory/change-directory.ts';
import {
  newGroupRecord,
  type GroupRecord,
  type RoleRecord,
  type ServerRecord,
  type UserRecord,
} from '../../../directory/store/directory-record/directory-record.ts';

/** A directory as it will be after some writes of one commit, so that the next of them is decided on it. */
export interface DirectoryDraft extends JudgedDirectory {
  readonly users: UserRecord[];
  readonly groups: GroupRecord[];
  readonly servers: ServerRecord[];
  readonly roles: RoleRecord[];
}

export const draftOf = ({ users, groups, servers, spaces, roles, accounts }: JudgedDirectory): DirectoryDraft => ({
  users: [...users],
  groups: groups.map((group) => ({ ...group })),
  servers: servers.map((server) => ({ ...server })),
  spaces,
  roles: [...roles],
  accounts,
});

/** Does to the draft what this will do to the stored directory. */
export function writeDraft(draft: DirectoryDraft, write: DirectoryWrite, at: number): void {
  switch (write.type) {
    case 'new-user':
      draft.users.push(withRole(draft, addedUser(write.user, at)));
      for (const group of draft.groups)
        if (write.user.groups?.includes(group.id)) group.members = [...group.members, write.user.id];
      return;
    case 'user':
      return replace(draft.users, write.id, (user) => withRole(draft, { ...user, ...settings(write.set) }));
    case 'new-group':
      return void draft.groups.push(newGroupRecord(write.group));
    case 'group':
      return replace(draft.groups, write.id, (group) => ({ ...group, ...write.set }));
    case 'members':
      return replace(draft.groups, write.id, (group) => ({
        ...group,
        members: [...group.members.filter((id) => !write.remove.includes(id)), ...write.add],
      }));
    case 'group-confirmation':
      return replace(draft.groups, write.id, (group) => ({
        ...group,
        owners: write.owners,
        confirmation: write.confirmation,
      }));
    case 'deleted-group':
      return remove(draft.groups, write.id);
    case 'new-server':
      return void draft.servers.push({ ...write.server, ownerId: null, spaceId: null });
    case 'owner':
      return replace(draft.servers, write.server, (server) => ({ ...server, ownerId: write.ownerId }));
    case 'new-role':
      return void draft.roles.push(write.role);
    case 'role':
      replace(draft.roles, write.id, (role) => ({ ...role, permissions: write.permissions }));
      return void draft.users.splice(0, Infinity, ...draft.users.map((user) => withRole(draft, user)));
    case 'removed-role':
      return remove(draft.roles, write.id);
    default: // no file declares it
  }
}

function replace<T extends { id: string }>(records: T[], id: T['id'], change: (record: T) => T): void {
  const at = records.findIndex((record) => record.id === id);
  const record = records[at];
  if (record) records[at] = change(record);
}

function remove<T extends { id: string }>(records: T[], id: T['id']): void {
  records.splice(
    records.findIndex((record) => record.id === id),
    1,
  );
}

/** As their role is after the writes before. */
const withRole = ({ roles }: DirectoryDraft, user: UserRecord): UserRecord =>
  isBuiltInRole(user.role) && user.permissions === undefined
    ? user
    : { ...user, permissions: undefined, ...holderOf(user.role, roles) };

const settings = ({ chatIssuerId: _issuer, ...set }: UserSettings): Partial<UserRecord> => set;

const addedUser = ({ id, email, name, role, managerId = null }: NewUser, at: number): UserRecord => ({
  id,
  email,
  name,
  role,
  managerId,
  subjects: [],
  mayBreakGlass: false,
  chatMember: null,
  hasPassword: false,
  hasProvider: false,
  identities: [],
  provisioned: null,
  sharesPower: isAdministrator({ role }),
  disabledAt: null,
  decidedPairs: null,
  verifiedAddresses: null,
  vouchedAddresses: null,
  createdAt: at,
});
