import type { GroupId, RoleId, ServerId, SpaceId, UserId } from '#platform/model/id';
import { isBuiltIn } from '#platform/model/names';
import { formatUnknown } from '#platform/text/nearest-name';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import type {
  DirectoryRecord,
  GroupRecord,
  RoleRecord,
  ServerRecord,
  SpaceRecord,
  UserRecord,
} from '../../store/directory-record/directory-record.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** The person of this id; problem `not-found` if there is none. The same for groups, servers, spaces and roles. */
export const userIn = ({ users }: DirectoryRecord, id: UserId): UserRecord => byId(users, id);

export const groupIn = ({ groups }: DirectoryRecord, id: GroupId): GroupRecord => byId(groups, id);

export const serverIn = ({ servers }: DirectoryRecord, id: ServerId): DirectoryRecord['servers'][number] =>
  byId(servers, id);

/** The space of this id by name; null for none. */
export function namedSpace({ spaces }: DirectoryRecord, id: SpaceId | null): { id: SpaceId; name: string } | null {
  const space = spaces.find((candidate) => candidate.id === id);
  return space ? { id: space.id, name: space.name } : null;
}

export const spaceIn = ({ spaces }: DirectoryRecord, id: SpaceId): SpaceRecord => byId(spaces, id);

export const roleIn = ({ roles }: DirectoryRecord, id: RoleId): RoleRecord => byId(roles, id);

/** The id of the server of this name; `INVALID_INPUT` at `server` names the nearest one. */
export function serverNamed(servers: DirectoryRecord['servers'], name: string): ServerId {
  const server = servers.find((candidate) => candidate.name === name);
  if (server) return server.id;
  const message = formatUnknown(
    'server',
    name,
    servers.map((candidate) => candidate.name),
  );
  throw invalidInput(['server'], message);
}

type Directory = Pick<Engine, 'directory'>;

/** The ids of the people with these addresses, by one read; problem `not-found` for the first that no one has. */
export async function userIdsOf({ directory }: Directory, emails: readonly string[]): Promise<UserId[]> {
  const { users } = await directory.read();
  const ids = new Map(users.map(({ id, email }) => [email, id]));
  return emails.map(
    (email) => ids.get(email.toLowerCase()) ?? refuse(`Check the address: there is no person with ${email}.`),
  );
}

/** The group, the server, the space and the role of this name; problem `not-found` if there is none. */
export const groupNamed = async ({ directory }: Directory, name: string): Promise<GroupRecord> =>
  (await directory.read()).groups.find((group) => group.name === name) ??
  refuse(`Check the name: there is no group called ${name}.`);

export const serverOfName = async ({ directory }: Directory, name: string): Promise<ServerRecord> =>
  (await directory.read()).servers.find((server) => server.name === name && !isBuiltIn(server.id)) ??
  refuse(`Check the name: there is no server called ${name}.`);

export const spaceOfName = async ({ directory }: Directory, name: string): Promise<SpaceRecord> =>
  (await directory.read()).spaces.find((space) => space.name === name) ??
  refuse(`Check the name: there is no space called ${name}.`);

export const roleOfName = async ({ directory }: Directory, name: string): Promise<RoleRecord> =>
  (await directory.read()).roles.find((role) => role.name === name) ??
  refuse(`Check the name: the installation has made no role called ${name}.`);

function refuse(detail: string): never {
  throw new Problem('not-found', { detail });
}

function byId<T extends { id: string }>(records: readonly T[], id: T['id']): T {
  const record = records.find((candidate) => candidate.id === id);
  if (!record) throw new Problem('not-found');
  return record;
}
