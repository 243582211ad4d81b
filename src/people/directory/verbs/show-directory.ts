import type { GroupId, ServerId, SpaceId, UserId } from '#platform/model/id';
import { isBuiltIn } from '#platform/model/names';
import type { User } from '../contract/user.ts';
import { isAdopted, type DirectoryRecord, type SpaceRecord } from '../store/directory-record.ts';
import { hasPermission, maySeeOwned, maySeeSpace } from './may.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { pageOf } from '#platform/nodes/verbs/lists';
import { type TokenCaller, groupIn, namedSpace, serverIn, spaceIn, userIn } from './directory.ts';
import { showConfirmation } from '../../groups/verbs.ts';
import type { ListQuery } from '../../users/contract.ts';

type Directory = Pick<Engine, 'directory'>;

/**
 * People with their groups, groups with their members, servers with their owners, all with names for people to read.
 */
export async function showDirectory({ directory }: Directory) {
  const record = await directory.read();
  const shown = showing(record);
  return {
    users: record.users.map(shown.user),
    groups: record.groups.map(shown.group),
    servers: record.servers.filter(({ id }) => !isBuiltIn(id)).map(shown.server),
  };
}

/**
 * A page of people. Only administrators, and each person themselves, read by what names MCP clients and chats know
 * someone, and whom an attacker would choose: who may override, who has set no password, and who is disabled, whom
 * readers of the log see as well. `isFull` says whether nothing was left out.
 */
export async function listUsers({ directory }: Directory, reader: User | TokenCaller, request: ListQuery) {
  const record = await directory.read();
  const isFull = hasPermission(reader, 'change-directory');
  const seesDisabled = isFull || hasPermission(reader, 'read-log');
  const people = seesDisabled ? record.users : record.users.filter(({ disabledAt }) => disabledAt === null);
  const { items, next } = pageOf(people, request, {
    key: ({ name, id }) => `${name}\0${id}`,
    texts: ({ name, email }) => [name, email],
  });
  const hidden = new Set(
    record.groups.filter(({ spaceId }) => !maySeeSpace(record, reader, spaceId)).map(({ id }) => id),
  );
  const users = items
    .map(showing(record).user)
    .map((user) => ({ ...user, groups: user.groups.filter(({ id }) => !hidden.has(id)) }))
    .map((user) => (isFull || user.id === reader.id ? user : { ...user, ...untoldToOthers }));
  return { users, next, isFull };
}

const untoldToOthers = { subjects: [], chatMember: null, mayBreakGlass: false, hasPassword: true };

/** The global ones, those of spaces that the reader sees, and those that they own. */
export async function listGroups({ directory }: Directory, reader: User | TokenCaller, request: ListQuery) {
  const record = await directory.read();
  const groups = record.groups.filter((group) => maySeeOwned(record, reader, group));
  const { items, next } = pageOf(groups, request, {
    key: ({ name }) => name,
    texts: ({ name, description }) => [name, description],
  });
  return { groups: items.map(showing(record).group), next };
}

/** Lists servers; owners see theirs. */
export async function listServers({ directory }: Directory, reader: User | TokenCaller, request: ListQuery) {
  const record = await directory.read();
  const servers = record.servers.filter((server) => !isBuiltIn(server.id) && maySeeOwned(record, reader, server));
  const { items, next } = pageOf(servers, request, { key: ({ name }) => name, texts: ({ name }) => [name] });
  return { servers: items.map(showing(record).server), next };
}

/** A page of the spaces that the reader sees. */
export async function listSpaces({ directory }: Directory, reader: User | 'operator', request: ListQuery) {
  const record = await directory.read();
  const visible = record.spaces.filter(({ id }) => reader === 'operator' || maySeeSpace(record, reader, id));
  const { items, next } = pageOf(visible, request, { key: ({ name }) => name, texts: ({ name }) => [name] });
  return { spaces: items.map((space) => toShownSpace(record, space)), next };
}

export async function showSpace({ directory }: Directory, id: SpaceId) {
  const record = await directory.read();
  return toShownSpace(record, spaceIn(record, id));
}

function toShownSpace({ users, servers, groups }: DirectoryRecord, { id, name, members }: SpaceRecord) {
  const names = new Map(users.map((user) => [user.id, user.name]));
  const isHere = ({ spaceId }: { spaceId: SpaceId | null }): boolean => spaceId === id;
  return {
    id,
    name,
    members: members.map(({ userId, role }) => ({ user: { id: userId, name: names.get(userId) ?? userId }, role })),
    servers: servers.filter(isHere).map((server) => ({ id: server.id, name: server.name })),
    groups: groups.filter(isHere).map((group) => ({ id: group.id, name: group.name })),
  };
}

/** One of them; problem `not-found` if there is none, for example because it was deleted meanwhile. */
export async function showUser({ directory }: Directory, id: UserId) {
  const record = await directory.read();
  return showing(record).user(userIn(record, id));
}

export async function showGroup({ directory }: Directory, id: GroupId) {
  const record = await directory.read();
  return showing(record).group(groupIn(record, id));
}

export async function showServer({ directory }: Directory, id: ServerId) {
  const record = await directory.read();
  return showing(record).server(serverIn(record, id));
}

function showing(record: DirectoryRecord) {
  const { users, groups } = record;
  const names = new Map(users.map(({ id, name }) => [id, { id, name }]));
  const named = (id: UserId | null) => (id && names.get(id)) || null;
  const groupsOf = new Map<UserId, { id: GroupId; name: string }[]>(users.map(({ id }) => [id, []]));
  for (const { id, name, members } of groups) for (const member of members) groupsOf.get(member)?.push({ id, name });
  return {
    user: (user: DirectoryRecord['users'][number]) => ({
      ...user,
      manager: named(user.managerId),
      groups: groupsOf.get(user.id) ?? [],
    }),
    group: (group: DirectoryRecord['groups'][number]) => ({
      ...group,
      space: namedSpace(record, group.spaceId),
      members: group.members.flatMap((id) => named(id) ?? []),
      owners: group.owners.flatMap((id) => named(id) ?? []),
      confirmation: showConfirmation(group),
      provisioned: group.provisioned && { issuer: group.provisioned.issuer, isAdopted: isAdopted(group) },
    }),
    server: (server: DirectoryRecord['servers'][number]) => ({
      ...server,
      owner: named(server.ownerId),
      space: namedSpace(record, server.spaceId),
    }),
  };
}
