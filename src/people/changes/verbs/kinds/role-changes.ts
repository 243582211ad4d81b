import { changeRole, peopleWith, type RoleChange } from '../../../roles/verbs.ts';
import { roleIn } from '../../../directory/verbs/directory/in-directory.ts';
import { changeKind } from './change-kind.ts';
import { namedUser, formatUser, type NamedUser } from './named.ts';

/** What everyone with a role of the installation may do. */
export const changingRole = changeKind({
  title: 'Change what a role permits',
  async act(engine, by, change: RoleChange) {
    return { alone: await changeRole(engine, by, change) };
  },
  facts(directory, { id, permissions: to }) {
    const { name, permissions: from } = roleIn(directory, id);
    const people = peopleWith(directory, name).map((user) => namedUser(directory, user.id));
    return { role: { id, name }, from, to, people };
  },
  changeIn: ({ role, to }) => ({ id: role.id, permissions: to }),
  say: ({ role, from, to, people }) =>
    `The role ${role.name}: from ${from.join(', ')} to ${to.join(', ')}. It changes what ${formatPeople(people)} may do.`,
  split(directory, { id, permissions }) {
    const before = roleIn(directory, id).permissions;
    const kept = before.filter((permission) => permissions.includes(permission));
    const isTaking = kept.length > 0 && kept.length < before.length;
    return { taking: isTaking ? { id, permissions: kept } : null, giving: { id, permissions } };
  },
});

const maxSaid = 3;

const formatPeople = (people: NamedUser[]): string =>
  people.length <= maxSaid ? people.map(formatUser).join(', ') : `${people.length} people`;
