import type { GroupId } from '../../../model/id.ts';
import type { DirectoryWrite, NewUser, UserSettings } from '../../../store/users/directory.ts';
import {
  newGroupRecord,
  type DirectoryRecord,
  type GroupRecord,
  type ServerRecord,
  type UserRecord,
} from '../../../store/users/directory-record.ts';

/** A directory as it will be after some writes of one commit, so that the next of them is decided on it. */
export interface DirectoryDraft extends DirectoryRecord {
  readonly users: UserRecord[];
  readonly groups: GroupRecord[];
  readonly servers: ServerRecord[];
}

export const draftOf = ({ users, groups, servers, spaces }: DirectoryRecord): DirectoryDraft => ({
  users: [...users],
  groups: groups.map((group) => ({ ...group })),
  servers: servers.map((server) => ({ ...server })),
  spaces,
});

/** Does to the draft what this will do to the stored directory. */
export function writeDraft(draft: DirectoryDraft, write: DirectoryWrite, at: number): void {
  switch (write.type) {
    case 'new-user':
      draft.users.push(addedUser(write.user, at));
      for (const group of draft.groups)
        if (write.user.groups?.includes(group.id)) group.members = [...group.members, write.user.id];
      return;
    case 'user':
      return replace(draft.users, write.id, (user) => ({ ...user, ...settings(write.set) }));
    case 'new-group':
      return void draft.groups.push(newGroupRecord(write.group));
    case 'group':
      return replace(draft.groups, write.id, (group) => ({ ...group, ...write.set }));
    case 'members':
      return replace(draft.groups, write.id, (group) => ({
        ...group,
        members: [...group.members.filter((id) => !write.remove.includes(id)), ...write.add],
      }));
    case 'deleted-group':
      return remove(draft.groups, write.id);
    case 'new-server':
      return void draft.servers.push({ ...write.server, ownerId: null, spaceId: null });
    case 'owner':
      return replace(draft.servers, write.server, (server) => ({ ...server, ownerId: write.ownerId }));
    default: // no file declares it
  }
}

function replace<T extends { id: string }>(records: T[], id: T['id'], change: (record: T) => T): void {
  const at = records.findIndex((record) => record.id === id);
  const record = records[at];
  if (record) records[at] = change(record);
}

function remove(groups: GroupRecord[], id: GroupId): void {
  groups.splice(
    groups.findIndex((group) => group.id === id),
    1,
  );
}

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
  sharesPower: role === 'admin',
  disabledAt: null,
  createdAt: at,
});
