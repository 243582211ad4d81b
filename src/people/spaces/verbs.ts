import type { SpaceRole } from '../roles/contract.ts';
import { newId } from '#platform/crypto/random';
import type { GroupId, ServerId, SpaceId, UserId } from '#platform/model/id';
import { isBuiltIn } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import type { Alone } from '../directory/contract/user.ts';
import type { DirectoryRecord } from '../directory/store/directory-record.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import {
  changeDirectory,
  outdatedChange,
  type Administrator,
  type DirectoryEngine,
  groupIn,
  serverIn,
  spaceIn,
  assertNotOwnSpaceRole,
} from '../directory/verbs/directory.ts';
import { assertGroupNotNamedElsewhere } from '../groups/verbs.ts';

type SpaceEngine = DirectoryEngine & Pick<Engine, 'policies'>;

/** Makes a space; problem `already-exists` if the name is taken. */
export async function addSpace(engine: DirectoryEngine, by: Administrator, name: string): Promise<SpaceId> {
  const id = newId('space');
  await changeDirectory(engine, by, ({ spaces }) => {
    if (spaces.some((space) => space.name === name))
      throw new Problem('already-exists', { detail: `Choose another name: there is a space called ${name}.` });
    return {
      write: { type: 'new-space', space: { id, name, createdAt: engine.now() } },
      event: { type: 'space.added', space: id, name },
    };
  });
  return id;
}

export interface SpaceRoleChange {
  space: SpaceId;
  user: UserId;
  /** Null: they have no role there from then on. */
  role: SpaceRole | null;
}

/** Says what someone is in a space. Its administrators do so for others; what gives power needs a second one. */
export const setSpaceRole = (
  engine: DirectoryEngine,
  by: Administrator,
  { space, user, role }: SpaceRoleChange,
): Promise<Alone | null> =>
  changeDirectory(
    engine,
    by,
    (directory) => {
      const { name, members } = spaceIn(directory, space);
      const person = directory.users.find(({ id }) => id === user);
      if (!person) throw new Problem('INVALID_INPUT', { errors: [unknownPerson] });
      if ((members.find(({ userId }) => userId === user)?.role ?? null) === role) return null;
      if (role !== null) assertNotOwnSpaceRole(directory, by, name, person);
      return {
        write: { type: 'space-member', id: space, user, role },
        event: { type: 'space.member-changed', space, user, role },
      };
    },
    { permission: 'change-space', space: ({ spaces }) => spaces.find(({ id }) => id === space)?.id },
  );

/** The new space of a server or a group; null is global. */
export type Move = { space: SpaceId | null } & ({ server: ServerId } | { group: GroupId });

/**
 * Moves a server or a group into a space, or out of it: for global administrators. Open requests keep the policy that they
 * were opened with. A group that a policy outside of the space names is not moved into it, for its members change there.
 */
export async function moveToSpace(engine: SpaceEngine, by: Administrator, move: Move): Promise<Alone | null> {
  const { space } = move;
  if ('group' in move) return moveGroup(engine, by, move);
  return changeDirectory(engine, by, (directory) => {
    if (space !== null) spaceIn(directory, space);
    if (spaceOfMoved(directory, move) === space) return null;
    return {
      write: { type: 'server-space', server: move.server, spaceId: space },
      event: { type: 'server.moved', server: move.server, space },
    };
  });
}

async function moveGroup(
  engine: SpaceEngine,
  by: Administrator,
  { space, group: id }: Extract<Move, { group: GroupId }>,
): Promise<Alone | null> {
  const { name } = groupIn(await engine.directory.read(), id);
  const also = space !== null && (await assertGroupNotNamedElsewhere(engine, name, space));
  return changeDirectory(engine, by, (directory) => {
    if (space !== null) spaceIn(directory, space);
    const group = groupIn(directory, id);
    if (group.spaceId === space) return null;
    if (group.name !== name) throw outdatedChange();
    return {
      write: { type: 'group-space', id, spaceId: space },
      event: { type: 'group.moved', group: id, space },
      ...(also && { also }),
    };
  });
}

/** Its current space; problem `not-found` if it is absent, or one of Assentry's own servers. */
export function spaceOfMoved(directory: DirectoryRecord, move: Move): SpaceId | null {
  if ('group' in move) return groupIn(directory, move.group).spaceId;
  if (isBuiltIn(move.server)) throw new Problem('not-found');
  return serverIn(directory, move.server).spaceId;
}

const unknownPerson = { path: ['user'], message: 'Choose an existing person.' };
