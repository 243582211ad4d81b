import { may, type Role, type RoleHolder } from '#people/directory/contract/permission';
import { foldSubject, identityKey, mayBeSame, readIdentity, type Identity } from '#platform/model/identity';
import type { Accounts } from '#people/accounts/contract';
import type { Requester } from '#people/directory/contract/user';

/** Voters of a directory, in its order, and the names that policies have for them. */
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

/**
 * Tests a whole text against a pattern in which `*` stands for any characters, including none.
 * Searches each part between stars once, from left to right, without backtracking.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const start = text.indexOf(part, at);
    if (start < 0 || start + part.length > end) return false;
    at = start + part.length;
  }
  return true;
}

export const hasStar = (pattern: string): boolean => pattern.includes('*');

/** The people and servers of one moment, without disabled people. */
export interface Directory {
  users: DirectoryUser[];
  servers: { name: string; ownerId: string | null; spaceId?: string | null }[];
  /** With the addresses of those who can accept a change of it next to administrators. */
  spaces?: { id: string; administrators: string[] }[];
  /** The names of all groups, also of those without members. */
  groups: string[];
  /** The names of the groups that a provider made and no administrator has adopted: they count for nothing. */
  unadopted?: readonly string[];
  /** The names of the roles that the installation has made, also of those that no one has; absent if it has made none. */
  roles?: readonly string[];
  /** Accounts of everyone with several, also of disabled ones; absent if there is no one. */
  accounts?: Accounts;
}

export interface DirectoryUser extends RoleHolder {
  id: string;
  email: string;
  name: string;
  groups: string[];
  managerId: string | null;
  /** The names MCP clients know this person by: `SUBJECT` of any issuer, or `ISSUER#SUBJECT`. */
  subjects: string[];
  mayBreakGlass: boolean;
}

/** The requester's identity. */
export type Asker = Pick<Requester, 'subject' | 'issuer' | 'verifiedBy'>;

/**
 * The people this requester is or may be, to exclude them: an issuer that Assentry has not checked rules no one out.
 */
export function usersOfRequester(directory: Directory, { subject, issuer, verifiedBy }: Asker): DirectoryUser[] {
  const asker = { subject, issuer: verifiedBy ? issuer : null };
  const named = indexOf(directory).get(foldSubject(subject)) ?? [];
  return [...new Set(named.filter(({ identity }) => mayBeSame(identity, asker)).map(({ user }) => user))];
}

/** The one person this requester is, if their issuer says so as well; null if it may be someone else. */
export function userOfRequester(directory: Directory, asker: Asker): DirectoryUser | null {
  const [user, another] = usersOfRequester(directory, asker);
  const names = (indexOf(directory).get(foldSubject(asker.subject)) ?? []).filter((name) => name.user === user);
  const isNamed = names.some(({ identity }) => identity.issuer == null || identityKey(identity) === identityKey(asker));
  return user && !another && isNamed ? user : null;
}

/** The address, and the names MCP clients know a person by. */
export const identitiesOf = ({ email, subjects }: Pick<DirectoryUser, 'email' | 'subjects'>): Identity[] => [
  { issuer: null, subject: email },
  ...subjects.map(readIdentity),
];

type Named = Map<string, { user: DirectoryUser; identity: Identity }[]>;
const indexes = new WeakMap<Directory, Named>();

/** Every question and vote looks up its requester, and people seldom change. */
function indexOf(directory: Directory): Named {
  const cachedIndex = indexes.get(directory);
  if (cachedIndex) return cachedIndex;
  const index: Named = new Map();
  for (const user of directory.users)
    for (const identity of identitiesOf(user)) {
      const key = foldSubject(identity.subject);
      const named = index.get(key);
      if (named) named.push({ user, identity });
      else index.set(key, [{ user, identity }]);
    }
  indexes.set(directory, index);
  return index;
}

export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();
