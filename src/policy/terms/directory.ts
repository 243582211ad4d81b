import { mayVote, type Role } from '../../model/person.ts';
import type { RequesterFacts } from './facts.ts';

/** The people and servers of one moment. Whoever is disabled is not in it. */
export interface Directory {
  people: DirectoryPerson[];
  servers: { name: string; ownerId: string | null }[];
  /** The names of all groups, also of those without members. */
  groups: string[];
}

export interface DirectoryPerson {
  id: string;
  email: string;
  name: string;
  role: Role;
  groups: string[];
  managerId: string | null;
  /** The names MCP clients know this person by. */
  subjects: string[];
}

/** The people this requester is or may be: by address or by one of their subjects. Rarely more than one. */
export function personsOfRequester(
  directory: Directory,
  { subject, email }: Pick<RequesterFacts, 'subject' | 'email'>,
): DirectoryPerson[] {
  const { byAddress, bySubject } = indexOf(directory);
  const addresses = [subject, email].flatMap((name) => (name === null ? [] : [foldCase(name)]));
  const found = [...addresses.flatMap((name) => byAddress.get(name) ?? []), ...(bySubject.get(subject) ?? [])];
  return [...new Set(found)];
}

type Named = Map<string, DirectoryPerson[]>;
const indexes = new WeakMap<Directory, { byAddress: Named; bySubject: Named }>();

/** Every question and every vote looks for its requester, among people who seldom change. */
function indexOf(directory: Directory): { byAddress: Named; bySubject: Named } {
  const known = indexes.get(directory);
  if (known) return known;
  const index = { byAddress: new Map() as Named, bySubject: new Map() as Named };
  const note = (named: Named, name: string, person: DirectoryPerson) =>
    named.set(name, [...(named.get(name) ?? []), person]);
  for (const person of directory.people) {
    note(index.byAddress, foldCase(person.email), person);
    for (const subject of person.subjects) note(index.bySubject, subject, person);
  }
  indexes.set(directory, index);
  return index;
}

export const votersOf = ({ people }: Directory): DirectoryPerson[] => people.filter(({ role }) => mayVote(role));

export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();
