import type { SpaceRole } from '#protocol/model/roles/space-role';
import type { Engine } from '../engine/engine.ts';
import { addSpace, moveToSpace, setSpaceRole, type Move } from '../engine/users/change-space.ts';
import { groupNamed, serverOfName, spaceOfName, userIdsOf } from '../engine/users/in-directory.ts';
import { listSpaces, showSpace } from '../engine/users/show-directory.ts';
import type { UserId } from '#protocol/model/id';

type ShownSpace = Awaited<ReturnType<typeof showSpace>>;

/** The operator's commands for spaces. Spaces, servers and groups are given by name, people by address. */
export interface SpacesOperator {
  add(name: string): Promise<ShownSpace>;
  list(): Promise<ShownSpace[]>;
  /** A role of null ends what someone is there. */
  setRole(space: string, email: string, role: SpaceRole | null): Promise<ShownSpace>;
  /** A space of null is none; returns the space that it belongs to then. */
  move(space: string | null, what: { server: string } | { group: string }): Promise<ShownSpace | null>;
}

export const createSpacesOperator = (
  engine: Pick<Engine, 'directory' | 'policies' | 'now' | 'environment'>,
): SpacesOperator => ({
  add: async (name) => showSpace(engine, await addSpace(engine, 'operator', name)),
  list: async () => (await listSpaces(engine, 'operator', { limit: Number.MAX_SAFE_INTEGER })).spaces,
  async setRole(name, email, role) {
    const { id: space } = await spaceOfName(engine, name);
    const [user] = (await userIdsOf(engine, [email])) as [UserId];
    await setSpaceRole(engine, 'operator', { space, user, role });
    return showSpace(engine, space);
  },
  async move(name, what) {
    const space = name === null ? null : (await spaceOfName(engine, name)).id;
    const move: Move =
      'server' in what
        ? { space, server: (await serverOfName(engine, what.server)).id }
        : { space, group: (await groupNamed(engine, what.group)).id };
    await moveToSpace(engine, 'operator', move);
    return space && showSpace(engine, space);
  },
});
