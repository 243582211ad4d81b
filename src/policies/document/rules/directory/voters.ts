import { may, type Role } from '#people/directory/contract/permission';
import { foldCase, type Directory, type DirectoryUser } from './directory.ts';

/** Those of a directory who may vote, in its order, and by what policies name them by. */
export interface Voters {
  users: readonly DirectoryUser[];
  ids: ReadonlySet<string>;
  byId: ReadonlyMap<string, DirectoryUser>;
  /** Ids, as the next two. */
  byEmail: ReadonlyMap<string, ReadonlySet<string>>;
  byGroup: ReadonlyMap<string, ReadonlySet<string>>;
  byRole: ReadonlyMap<Role, ReadonlySet<string>>;
}

const cachedVoters = new WeakMap<Directory, Voters>();

/** Every opening and vote asks for them, and people seldom change. */
export function votersOf(directory: Directory): Voters {
  const voters = cachedVoters.get(directory) ?? readVoters(directory);
  cachedVoters.set(directory, voters);
  return voters;
}

function readVoters({ users: people }: Directory): Voters {
  const users = people.filter((user) => may(user, 'decide'));
  return {
    users,
    ids: new Set(users.map(({ id }) => id)),
    byId: new Map(users.map((user) => [user.id, user])),
    byEmail: idsBy(users, ({ email }) => [foldCase(email)]),
    byGroup: idsBy(users, ({ groups }) => groups),
    byRole: idsBy(users, ({ role }) => [role]),
  };
}

function idsBy<Key>(users: readonly DirectoryUser[], keysOf: (user: DirectoryUser) => Key[]): Map<Key, Set<string>> {
  const ids = new Map<Key, Set<string>>();
  for (const user of users)
    for (const key of keysOf(user)) {
      const sharing = ids.get(key);
      if (sharing) sharing.add(user.id);
      else ids.set(key, new Set([user.id]));
    }
  return ids;
}
