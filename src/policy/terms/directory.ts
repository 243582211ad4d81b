import { mayVote, type Role } from '../../model/user.ts';
import type { RequesterFacts } from './facts.ts';

/** The people and servers of one moment. Whoever is disabled is not in it. */
export interface Directory {
  users: DirectoryUser[];
  servers: { name: string; ownerId: string | null }[];
  /** The names of all groups, also of those without members. */
  groups: string[];
}

export interface DirectoryUser {
  id: string;
  email: string;
  name: string;
  role: Role;
  groups: string[];
  managerId: string | null;
  /** The names MCP clients know this person by. */
  subjects: string[];
  mayBreakGlass: boolean;
}

/** The people this requester is or may be: by address or by one of their subjects. Rarely more than one. */
export function usersOfRequester(
  directory: Directory,
  { subject, email }: Pick<RequesterFacts, 'subject' | 'email'>,
): DirectoryUser[] {
  const { byAddress, bySubject } = indexOf(directory);
  const addresses = [subject, email].flatMap((name) => (name === null ? [] : [foldCase(name)]));
  const found = [...addresses.flatMap((name) => byAddress.get(name) ?? []), ...(bySubject.get(subject) ?? [])];
  return [...new Set(found)];
}

type Named = Map<string, DirectoryUser[]>;
const indexes = new WeakMap<Directory, { byAddress: Named; bySubject: Named }>();

/** Every question and every vote looks for its requester, among people who seldom change. */
function indexOf(directory: Directory): { byAddress: Named; bySubject: Named } {
  const known = indexes.get(directory);
  if (known) return known;
  const index = { byAddress: new Map() as Named, bySubject: new Map() as Named };
  const note = (named: Named, name: string, user: DirectoryUser) => named.set(name, [...(named.get(name) ?? []), user]);
  for (const user of directory.users) {
    note(index.byAddress, foldCase(user.email), user);
    for (const subject of user.subjects) note(index.bySubject, subject, user);
  }
  indexes.set(directory, index);
  return index;
}

export const votersOf = ({ users }: Directory): DirectoryUser[] => users.filter(({ role }) => mayVote(role));

export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();
