import type { SpaceRole } from '../roles/contract.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { addSpace, moveToSpace, setSpaceRole, type Move } from './verbs.ts';
import { groupNamed, serverOfName, spaceOfName, userIdsOf } from '../directory/verbs/directory.ts';
import { listSpaces, showSpace } from '../directory/verbs/show-directory.ts';
import type { UserId } from '#platform/model/id';

/** The operator's commands for spaces. Spaces, servers and groups are given by name, people by address. */
export const createSpacesOperator = (engine: Pick<Engine, 'directory' | 'policies' | 'now' | 'environment'>) => ({
  add: async (name: string) => showSpace(engine, await addSpace(engine, 'operator', name)),
  list: async () => (await listSpaces(engine, 'operator', { limit: Number.MAX_SAFE_INTEGER })).spaces,
  /** A role of null ends what someone is there. */
  async setRole(name: string, email: string, role: SpaceRole | null) {
    const { id: space } = await spaceOfName(engine, name);
    const [user] = (await userIdsOf(engine, [email])) as [UserId];
    await setSpaceRole(engine, 'operator', { space, user, role });
    return showSpace(engine, space);
  },
  /** A space of null is none; returns the space that it belongs to then. */
  async move(name: string | null, what: { server: string } | { group: string }) {
    const space = name === null ? null : (await spaceOfName(engine, name)).id;
    const move: Move =
      'server' in what
        ? { space, server: (await serverOfName(engine, what.server)).id }
        : { space, group: (await groupNamed(engine, what.group)).id };
    await moveToSpace(engine, 'operator', move);
    return space && showSpace(engine, space);
  },
});
