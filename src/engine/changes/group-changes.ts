import type { GroupId, SpaceId, UserId } from '../../model/id.ts';
import { changeMembers } from '../users/change-group.ts';
import { changeKind } from './change-kind.ts';
import { groupIn } from '../users/in-directory.ts';
import { namedGroup, namedUser, ofSpace, sayUser, type NamedUser } from './named.ts';

export interface MembersChange {
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
  facts(
    directory,
    { id, add },
  ): { group: { id: GroupId; name: string }; add: NamedUser[]; space?: { id: SpaceId; name: string } } {
    const { members, spaceId } = groupIn(directory, id);
    const added = [...new Set(add)].filter((user) => !members.includes(user));
    return {
      group: namedGroup(directory, id),
      add: added.map((user) => namedUser(directory, user)),
      ...ofSpace(directory, spaceId),
    };
  },
  changeIn: ({ group, add }) => ({ id: group.id, add: add.map(({ id }) => id), remove: [] }),
  say: ({ group, add }) => `Add ${add.map(sayUser).join(', ')} to the group ${group.name}.`,
  split: (_directory, { id, add, remove }) => {
    const removed = remove.filter((user) => !add.includes(user));
    return { taking: removed.length > 0 ? { id, add: [], remove: removed } : null, giving: { id, add, remove: [] } };
  },
});
