import type { GroupId, SpaceId, UserId } from '#platform/model/id';
import type { DirectoryRecord } from '../../../directory/store/directory-record/directory-record.ts';
import { groupIn, namedSpace, userIn } from '../../../directory/verbs/directory/in-directory.ts';

/** A person as those who decide about them read it. */
export interface NamedUser {
  id: UserId;
  name: string;
  email: string;
  /** Only of someone who is disabled. */
  disabled?: true;
}

export function namedUser(directory: DirectoryRecord, id: UserId): NamedUser {
  const user = userIn(directory, id);
  return { id, name: user.name, email: user.email, ...(user.disabledAt !== null && { disabled: true }) };
}

export const namedOrNone = (directory: DirectoryRecord, id: UserId | null | undefined): NamedUser | null =>
  id ? namedUser(directory, id) : null;

export function namedGroup(directory: DirectoryRecord, id: GroupId): { id: GroupId; name: string } {
  return { id, name: groupIn(directory, id).name };
}

/** For sentences: a name may be anyone’s, an address is one person’s. */
export const formatUser = (user: Pick<NamedUser, 'name' | 'email'> | null): string =>
  user ? `${user.name} (${user.email})` : 'no one';

/** The space that a change is about: its administrators can accept it. Absent if it is global. */
export function ofSpace(
  directory: DirectoryRecord,
  id: SpaceId | null | undefined,
): { space?: { id: SpaceId; name: string } } {
  const space = namedSpace(directory, id ?? null);
  return space ? { space } : {};
}
