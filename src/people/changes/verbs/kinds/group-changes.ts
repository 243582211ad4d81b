import type { GroupId, SpaceId, UserId } from '#platform/model/id';
import { isAdopted } from '../../../directory/store/directory-record/directory-record.ts';
import { adoptGroup, type Adoption } from '../../../groups/verbs/adopt-group.ts';
import { changeMembers } from '../../../groups/verbs/change-group.ts';
import { setConfirmation, type ConfirmationRule } from '../../../groups/verbs/confirm-group.ts';
import { changeKind } from './change-kind.ts';
import { groupIn } from '../../../directory/verbs/directory/in-directory.ts';
import { namedGroup, namedUser, ofSpace, formatUser, type NamedUser } from './named.ts';

export interface MembersChange {
  id: GroupId;
  add: UserId[];
  remove: UserId[];
}

interface MembersFacts {
  group: { id: GroupId; name: string };
  add: NamedUser[];
  /** Only if so many are removed that a second administrator accepts it. */
  remove?: NamedUser[];
  space?: { id: SpaceId; name: string };
}

/** New members of a group. */
export const addingMembers = changeKind({
  title: 'Add members to a group',
  async act(engine, by, { id, ...change }: MembersChange) {
    return { alone: await changeMembers(engine, by, id, change) };
  },
  facts(directory, { id, add, remove }): MembersFacts {
    const { members, spaceId } = groupIn(directory, id);
    const removed = [...new Set(remove)].filter((user) => members.includes(user) && !add.includes(user));
    const added = [...new Set(add)].filter((user) => !members.includes(user));
    return {
      group: namedGroup(directory, id),
      add: added.map((user) => namedUser(directory, user)),
      ...(removed.length > 0 && { remove: removed.map((user) => namedUser(directory, user)) }),
      ...ofSpace(directory, spaceId),
    };
  },
  changeIn: ({ group, add, remove = [] }) => ({
    id: group.id,
    add: add.map(({ id }) => id),
    remove: remove.map(({ id }) => id),
  }),
  say: ({ group, add, remove = [] }) =>
    [
      ...(add.length > 0 ? [`Add ${add.map(formatUser).join(', ')} to the group ${group.name}.`] : []),
      ...(remove.length > 0 ? [`Remove ${remove.map(formatUser).join(', ')} from the group ${group.name}.`] : []),
    ].join(' '),
  split: (_directory, { id, add, remove }) => {
    const removed = remove.filter((user) => !add.includes(user));
    return { taking: removed.length > 0 ? { id, add: [], remove: removed } : null, giving: { id, add, remove: [] } };
  },
});

interface AdoptionFacts {
  group: { id: GroupId; name: string };
  /** The provider that has made the group, and says who is in it. */
  provider: string;
  from: { adopted: boolean };
  to: { adopted: boolean };
}

/** Whether a group that a provider has made counts. Who is in it, the provider says before and after. */
export const adoptingGroup = changeKind({
  title: 'Let a group of an identity provider count in policies',
  async act(engine, by, change: Adoption) {
    return { alone: await adoptGroup(engine, by, change) };
  },
  facts(directory, { id, adopted }): AdoptionFacts {
    const group = groupIn(directory, id);
    return {
      group: namedGroup(directory, id),
      provider: group.provisioned?.issuer ?? '',
      from: { adopted: isAdopted(group) },
      to: { adopted },
    };
  },
  changeIn: ({ group, to }) => ({ id: group.id, adopted: to.adopted }),
  say: ({ group, provider, to }) =>
    to.adopted
      ? `Let the group ${group.name}, which ${provider} made and fills by SCIM, count in policies.`
      : `Let the group ${group.name}, which ${provider} made and fills by SCIM, count for nothing.`,
});

interface ConfirmationFacts {
  group: { id: GroupId; name: string };
  from: { days: number | null; owners: NamedUser[] };
  to: { days: number | null; owners: NamedUser[] };
  space?: { id: SpaceId; name: string };
}

/** How often the members of a group are confirmed, and by whom. */
export const settingConfirmation = changeKind({
  title: 'Change how the members of a group are confirmed',
  async act(engine, by, change: ConfirmationRule) {
    return { alone: await setConfirmation(engine, by, change) };
  },
  facts(directory, { id, days, owners }): ConfirmationFacts {
    const { confirmation, owners: before, spaceId } = groupIn(directory, id);
    const named = (ids: readonly UserId[]) => ids.map((owner) => namedUser(directory, owner));
    return {
      group: namedGroup(directory, id),
      from: { days: confirmation?.days ?? null, owners: named(before) },
      to: { days, owners: named(owners) },
      ...ofSpace(directory, spaceId),
    };
  },
  changeIn: ({ group, to }) => ({ id: group.id, days: to.days, owners: to.owners.map(({ id }) => id) }),
  say: ({ group, from, to }) =>
    `Members of the group ${group.name} are confirmed ${formatRule(to)} from then on; until now ${formatRule(from)}.`,
});

const formatRule = ({ days, owners }: ConfirmationFacts['to']): string =>
  `${days === null ? 'never' : `every ${days} days`}, by ${owners.length > 0 ? owners.map(formatUser).join(', ') : 'administrators'}`;
