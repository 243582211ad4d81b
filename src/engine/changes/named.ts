import type { GroupId, UserId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { DirectoryRecord } from '../../store/users/directory.ts';

/** A person as those who decide about them read it. */
export interface NamedUser {
  id: UserId;
  name: string;
  email: string;
  /** Only of someone who is disabled. */
  disabled?: true;
}

export function namedUser({ users }: DirectoryRecord, id: UserId): NamedUser {
  const user = users.find((one) => one.id === id);
  if (!user) throw new Problem('not-found');
  return { id, name: user.name, email: user.email, ...(user.disabledAt !== null && { disabled: true }) };
}

export const namedOrNone = (directory: DirectoryRecord, id: UserId | null | undefined): NamedUser | null =>
  id ? namedUser(directory, id) : null;

export function namedGroup({ groups }: DirectoryRecord, id: GroupId): { id: GroupId; name: string } {
  const group = groups.find((one) => one.id === id);
  if (!group) throw new Problem('not-found');
  return { id, name: group.name };
}

/** For sentences: a name may be anyone’s, an address is one person’s. */
export const sayUser = (user: Pick<NamedUser, 'name' | 'email'> | null): string =>
  user ? `${user.name} (${user.email})` : 'no one';
