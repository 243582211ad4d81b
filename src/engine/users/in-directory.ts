import type { GroupId, ServerId, UserId } from '../../model/id.ts';
import { sayUnknown } from '../../model/text/nearest-name.ts';
import { Problem } from '../../model/problem.ts';
import type { DirectoryRecord, GroupRecord, UserRecord } from '../../store/users/directory.ts';

/** The person of this id; problem `not-found` if there is none. The same for groups and servers. */
export const userIn = ({ users }: DirectoryRecord, id: UserId): UserRecord => byId(users, id);

export const groupIn = ({ groups }: DirectoryRecord, id: GroupId): GroupRecord => byId(groups, id);

export const serverIn = ({ servers }: DirectoryRecord, id: ServerId): DirectoryRecord['servers'][number] =>
  byId(servers, id);

/** The id of the server of this name; `INVALID_INPUT` at `server` names the nearest one. */
export function serverNamed(servers: DirectoryRecord['servers'], name: string): ServerId {
  const server = servers.find((candidate) => candidate.name === name);
  if (server) return server.id;
  const message = sayUnknown(
    'server',
    name,
    servers.map((candidate) => candidate.name),
  );
  throw new Problem('INVALID_INPUT', { errors: [{ path: ['server'], message }] });
}

function byId<T extends { id: string }>(records: readonly T[], id: T['id']): T {
  const record = records.find((candidate) => candidate.id === id);
  if (!record) throw new Problem('not-found');
  return record;
}
