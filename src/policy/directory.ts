import { mayVote, type Role } from '../model/person.ts';
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
  { people }: Directory,
  { subject, email }: Pick<RequesterFacts, 'subject' | 'email'>,
): DirectoryPerson[] {
  const names = [subject, email].flatMap((name) => (name === null ? [] : [foldCase(name)]));
  return people.filter((person) => names.includes(foldCase(person.email)) || person.subjects.includes(subject));
}

export const votersOf = ({ people }: Directory): DirectoryPerson[] => people.filter(({ role }) => mayVote(role));

export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();
