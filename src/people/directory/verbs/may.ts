import { mayInSpace } from '../../roles/contract.ts';
import type { ServerId, SpaceId, UserId } from '#platform/model/id';
import {
  isGranted,
  may,
  permissions,
  refusalWithout,
  ruleOf,
  type Permission,
  type RoleHolder,
} from '../contract/permission.ts';
import { Problem } from '#platform/model/problem';
import type { DirectoryRecord } from '../store/directory-record.ts';

/** Someone with a role, or a caller whose power has another source. */
type Caller =
  | ({ kind: 'user' } & Person)
  | { kind: 'token'; permissions: readonly Permission[] }
  | { kind: 'provider' | 'agreement' | 'timer' }
  | 'operator';

type Person = RoleHolder & { id: UserId };

type Spaces = Pick<DirectoryRecord, 'spaces'>;

/** Does their role, or their token, have this permission? */
export function hasPermission(by: Exclude<Caller, 'operator'>, permission: Permission): boolean {
  if (by.kind === 'user') return may(by, permission);
  return by.kind !== 'token' || isGranted(by.permissions, permission);
}

/** Problem `forbidden`, with the refusal that says who can, for a person or a program without this permission. */
export function assertMay(by: Caller, permission: Permission): void {
  if (by !== 'operator' && !hasPermission(by, permission)) throw withoutPermission(permission);
}

/** May this person do it in this space, by their role there or everywhere? Null is what is global. */
export const mayIn = (
  { spaces }: Spaces,
  person: Person,
  permission: Permission,
  space: SpaceId | null | undefined,
): boolean => {
  if (may(person, permission)) return true;
  const member =
    space && spaces.find((candidate) => candidate.id === space)?.members.find(({ userId }) => userId === person.id);
  return Boolean(member && mayInSpace(member.role, permission));
};

/** Throws `forbidden` if they may not; about another space it tells no more than about an absent one. */
export function assertMayIn(
  directory: Spaces,
  by: Caller,
  permission: Permission,
  space: SpaceId | null | undefined,
): void {
  if (by === 'operator' || by.kind !== 'user') return assertMay(by, permission);
  if (!mayIn(directory, by, permission, space)) throw withoutPermission(permission);
}

/**
 * May this person see what is there in the space: as one of its people, or by a role that does something of that kind
 * everywhere? What is global is seen by everyone who is signed in, and a program reads all of the directory.
 */
export const maySeeSpace = ({ spaces }: Spaces, reader: SpaceReader, space: SpaceId | null | undefined): boolean =>
  !space || reader.kind === 'token' || isOfSpace(spaces, reader, space);

type SpaceReader = ({ kind?: 'user' } & Person) | { kind: 'token'; id: string };

/** A server with its owner, or a group with its owners. */
export interface Owned {
  spaceId: SpaceId | null;
  ownerId?: UserId | null;
  owners?: readonly UserId[];
}

/** Does this person see the server or group: because it is theirs, or by the space that it is of? */
export const maySeeOwned = (
  directory: Spaces,
  reader: SpaceReader,
  { spaceId, ownerId, owners = [] }: Owned,
): boolean => [ownerId, ...owners].some((id) => id === reader.id) || maySeeSpace(directory, reader, spaceId);

const isOfSpace = (spaces: Spaces['spaces'], person: Person, space: SpaceId): boolean =>
  permissions.some((permission) => may(person, permission) && ruleOf(permission).isInSpaces) ||
  spaces.some((candidate) => candidate.id === space && candidate.members.some(({ userId }) => userId === person.id));

/** The servers and spaces that this person sees; null if nothing is hidden from them. */
export function seenBy(directory: DirectoryRecord, reader: Person) {
  const spaces = directory.spaces.filter(({ id }) => maySeeSpace(directory, reader, id)).map(({ id }) => id);
  if (spaces.length === directory.spaces.length) return null;
  const servers = directory.servers.filter((server) => maySeeOwned(directory, reader, server)).map(({ id }) => id);
  return { servers, spaces };
}

/** The servers of spaces in which this person has the permission by a role there; null if they have it everywhere. */
export function serversOf(
  directory: Spaces & Pick<DirectoryRecord, 'servers'>,
  person: Person,
  permission: Permission,
): ServerId[] | null {
  if (may(person, permission)) return null;
  const spaces = spacesOf(directory, person.id, permission);
  return directory.servers.filter(({ spaceId }) => spaceId && spaces.has(spaceId)).map((server) => server.id);
}

/** Refuses someone who has the permission nowhere. */
export function assertServersOf(
  directory: Parameters<typeof serversOf>[0],
  reader: Person,
  permission: Permission,
): ServerId[] | null {
  const among = serversOf(directory, reader, permission);
  if (among?.length === 0) throw withoutPermission(permission);
  return among;
}

/** The spaces in which this person has the permission by a role there. */
export const spacesOf = ({ spaces }: Spaces, id: UserId, permission: Permission): Set<SpaceId> =>
  new Set(
    spaces
      .filter(({ members }) => members.some(({ userId, role }) => userId === id && mayInSpace(role, permission)))
      .map((space) => space.id),
  );

/** Asserts a permission about a server, which its owner may use as well. */
export function assertMayOfOwn(
  directory: Spaces,
  by: Caller & { id?: string },
  permission: Permission,
  server: Pick<DirectoryRecord['servers'][number], 'ownerId' | 'spaceId'> | undefined,
): void {
  const isOwner = by !== 'operator' && server?.ownerId != null && by.id === server.ownerId;
  if (!isOwner) assertMayIn(directory, by, permission, server?.spaceId);
}

export const withoutPermission = (permission: Permission): Problem =>
  new Problem('forbidden', { refusal: { code: refusalWithout(permission) } });
