import type { GroupId, ServerId, UserId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { DirectoryRecord } from '../../store/users/directory.ts';
import { changeMembers, setOwner } from '../users/change-group.ts';
import { changeKind } from './change-kind.ts';
import { namedGroup, namedOrNone, namedUser, sayUser, type NamedUser } from './named.ts';

interface MembersChange {
  id: GroupId;
  add: UserId[];
  remove: UserId[];
}

/** New members of a group. */
export const addingMembers = changeKind({
  title: 'Add members to a group',
  async act(engine, by, { id, ...change }: MembersChange) {
    return { alone: await changeMembers(engine, by, id, change) };
  },
  facts(directory, { id, add }): { group: { id: GroupId; name: string }; add: NamedUser[] } {
    const members = directory.groups.find((one) => one.id === id)?.members;
    const added = [...new Set(add)].filter((user) => !members?.includes(user));
    return { group: namedGroup(directory, id), add: added.map((user) => namedUser(directory, user)) };
  },
  wanted: ({ group, add }) => ({ id: group.id, add: add.map(({ id }) => id), remove: [] }),
  say: ({ group, add }) => `Add ${add.map(sayUser).join(', ')} to the group ${group.name}.`,
  split: (_directory, { id, add, remove }) => {
    const removed = remove.filter((user) => !add.includes(user));
    return { taking: removed.length > 0 ? { id, add: [], remove: removed } : null, giving: { id, add, remove: [] } };
  },
});

interface OwnerChange {
  id: ServerId;
  owner: UserId | null;
}

/** Another owner of an MCP server. */
export const settingOwner = changeKind({
  title: 'Change the owner of an MCP server',
  async act(engine, by, { id, owner }: OwnerChange) {
    return { alone: await setOwner(engine, by, id, owner) };
  },
  facts(directory, { id, owner }) {
    const { name, ownerId } = findServer(directory, id);
    return { server: { id, name }, from: namedOrNone(directory, ownerId), to: namedOrNone(directory, owner) };
  },
  wanted: ({ server, to }) => ({ id: server.id, owner: to?.id ?? null }),
  say: ({ server, from, to }) => `The owner of ${server.name}: from ${sayUser(from)} to ${sayUser(to)}.`,
});

function findServer({ servers }: DirectoryRecord, id: ServerId): DirectoryRecord['servers'][number] {
  const server = servers.find((one) => one.id === id);
  if (!server) throw new Problem('not-found');
  return server;
}
