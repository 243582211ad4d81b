import type { GroupId, ServerId, SpaceId } from '#platform/model/id';
import type { DirectoryRecord } from '../../../directory/store/directory-record/directory-record.ts';
import { moveToSpace, setSpaceRole, spaceOfMoved, type Move, type SpaceRoleChange } from '../../../spaces/verbs.ts';
import { namedSpace, serverIn, spaceIn } from '../../../directory/verbs/directory/in-directory.ts';
import { changeKind } from './change-kind.ts';
import { namedGroup, namedUser, formatUser } from './named.ts';

interface Named<Id> {
  id: Id;
  name: string;
}

/** What someone is in a space. */
export const settingSpaceRole = changeKind({
  title: 'Change a role in a space',
  async act(engine, by, change: SpaceRoleChange) {
    return { alone: await setSpaceRole(engine, by, change) };
  },
  facts(directory, { space: id, user, role }) {
    const { name, members } = spaceIn(directory, id);
    const from = members.find(({ userId }) => userId === user)?.role ?? null;
    return { space: { id, name }, user: namedUser(directory, user), from, to: role };
  },
  changeIn: ({ space, user, to }) => ({ space: space.id, user: user.id, role: to }),
  say: ({ space, user, from, to }) =>
    `${formatUser(user)} in the space ${space.name}: from ${from ?? 'no role'} to ${to ?? 'no role'}.`,
});

/** Not `space`: only global administrators accept it. */
type MoveFacts = { from: Named<SpaceId> | null; to: Named<SpaceId> | null } & (
  { server: Named<ServerId> } | { group: Named<GroupId> }
);

/** Where a server or a group belongs. */
export const movingToSpace = changeKind({
  title: 'Move to another space',
  async act(engine, by, change: Move) {
    return { alone: await moveToSpace(engine, by, change) };
  },
  facts(directory, change): MoveFacts {
    const from = namedSpace(directory, spaceOfMoved(directory, change));
    return { ...moved(directory, change), from, to: namedSpace(directory, change.space) };
  },
  changeIn: ({ to, ...facts }): Move =>
    'server' in facts
      ? { space: to?.id ?? null, server: facts.server.id }
      : { space: to?.id ?? null, group: facts.group.id },
  say: ({ from, to, ...facts }) =>
    `${'server' in facts ? `The server ${facts.server.name}` : `The group ${facts.group.name}`}: from ${formatSpace(from)} to ${formatSpace(to)}. Who has a role in a space decides about what belongs to it.`,
});

const moved = (directory: DirectoryRecord, change: Move) =>
  'server' in change
    ? { server: { id: change.server, name: serverIn(directory, change.server).name } }
    : { group: namedGroup(directory, change.group) };

const formatSpace = (space: Named<SpaceId> | null): string => (space ? `the space ${space.name}` : 'no space');
