import type { RoleHolder } from '#people/directory/contract/permission';
import { foldSubject, identityKey, mayBeSame, readIdentity, type Identity } from '#platform/model/identity';
import type { Accounts } from '#people/accounts/contract';
import type { Requester } from '#people/directory/contract/user';

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
  /** Of everyone with several accounts, also of disabled ones; absent if there is no one. */
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
