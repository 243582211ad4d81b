import type { UserId } from '#platform/model/id';
import { isBuiltIn, isReservedName } from '#platform/model/names';
import {
  builtInRoles,
  formatUnknownRole,
  holderOf,
  isAdministrator,
  isBuiltInRole,
} from '../../directory/contract/permission.ts';
import { isRoleName, roleNameRule, rolePermissions } from '../../roles/contract.ts';
import { Problem, type FieldError } from '#platform/model/problem';
import {
  type DirectoryRecord,
  type GroupRecord,
  type UserRecord,
  newGroupRecord,
  type RoleRecord,
  type ServerRecord,
} from '../../directory/store/directory-record.ts';
import { peopleWith, type NewRole } from '../../roles/verbs.ts';
import type { DirectoryWrite, NewUser, UserSettings } from '../../directory/store/tables.ts';
import type { JudgedDirectory } from '../../directory/verbs/directory.ts';
import type {
  ApplyDirectory,
  DeclaredPerson,
  Confirmation,
  DirectoryStep,
  PersonRef,
  PersonSettings,
} from '../contract.ts';

/** The directory as a file declares it. What is absent stays as it is. */
interface DeclaredDirectory extends Omit<ApplyDirectory, 'roles' | 'prune' | 'dryRun'> {
  roles?: readonly NewRole[] | undefined;
}

interface Plan {
  directory: DirectoryRecord;
  declared: DeclaredDirectory;
  isPruning: boolean;
  userByEmail: ReadonlyMap<string, UserRecord>;
  userById: ReadonlyMap<UserId, UserRecord>;
  /** The addresses of new people. */
  newEmails: ReadonlySet<string>;
  groupNames: ReadonlySet<string>;
  errors: FieldError[];
}

/**
 * What to change so that the directory is as declared, in the order in which it can be done; nothing if it is so already.
 * Pruning disables people and deletes groups that the declaration leaves out, apart from those of an identity provider.
 * Problem INVALID_INPUT with the place of everything wrong.
 */
export function planDirectory(
  directory: DirectoryRecord,
  declared: DeclaredDirectory,
  { isPruning = false }: { isPruning?: boolean | undefined } = {},
): DirectoryStep[] {
  const userByEmail = new Map(directory.users.map((user) => [user.email, user]));
  const emails = (declared.people ?? []).map(({ email }) => email.toLowerCase());
  const plan: Plan = {
    directory,
    declared,
    isPruning,
    userByEmail,
    userById: new Map(directory.users.map((user) => [user.id, user])),
    newEmails: new Set(emails.filter((email) => !userByEmail.has(email))),
    groupNames: new Set([...directory.groups, ...(declared.groups ?? [])].map(({ name }) => name)),
    errors: [],
  };
  assertOnce(plan, 'people', 'email', emails);
  assertOnce(plan, 'groups', 'name', declared.groups?.map(({ name }) => name) ?? []);
  assertOnce(plan, 'roles', 'name', declared.roles?.map(({ name }) => name) ?? []);
  assertOnce(plan, 'servers', 'name', declared.servers?.map(({ name }) => name) ?? []);
  const [before, after] = groupSteps(plan);
  const [newRoles, oldRoles] = roleSteps(plan);
  const people = [...personSteps(plan), ...memberSteps(plan), ...confirmationSteps(plan)];
  const steps = [...newRoles, ...before, ...people, ...after, ...oldRoles, ...serverSteps(plan)];
  if (plan.errors.length > 0) throw new Problem('INVALID_INPUT', { errors: plan.errors.slice(0, maxErrors) });
  return steps;
}

const maxErrors = 100;

function assertOnce({ errors }: Plan, list: string, key: string, names: string[]): void {
  const earlier = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (earlier.has(name))
      errors.push({ path: [list, at, key], message: `Keep one of these: ${name} is there twice.` });
    earlier.add(name);
  }
}

/** First those that others need, and last those that are gone. */
function groupSteps({ directory, declared: { groups }, isPruning }: Plan): [DirectoryStep[], DirectoryStep[]] {
  if (!groups) return [[], []];
  const byName = new Map(directory.groups.map((group) => [group.name, group]));
  const kept = new Set(groups.map(({ name }) => name));
  const steps = groups.flatMap(({ name, description }): DirectoryStep[] => {
    const group = byName.get(name);
    if (!group) return [{ change: 'add-group', group: name, description: description ?? '' }];
    const { description: from } = group;
    const isSame = description === undefined || description === from;
    return isSame ? [] : [{ change: 'change-group', group: name, from, to: description }];
  });
  const gone = directory.groups.filter(({ name, provisioned }) => isPruning && !kept.has(name) && provisioned === null);
  return [steps, gone.map(({ name }): DirectoryStep => ({ change: 'delete-group', group: name }))];
}

/** First those that people need, and last those that no one needs any more. */
function roleSteps({ directory, declared: { roles }, isPruning, errors }: Plan): [DirectoryStep[], DirectoryStep[]] {
  if (!roles) return [[], []];
  const byName = new Map(directory.roles.map((role) => [role.name, role]));
  const kept = new Set(roles.map(({ name }) => name));
  const steps = roles.flatMap(({ name, permissions: chosen }, at): DirectoryStep[] => {
    const role = byName.get(name);
    if (!role && !isRoleName(name)) errors.push({ path: ['roles', at, 'name'], message: roleNameRule });
    const to: string[] = rolePermissions.filter((permission) => chosen.includes(permission));
    if (!role) return [{ change: 'add-role', role: name, permissions: to }];
    const from = [...role.permissions];
    if (from.join() === to.join()) return [];
    return [{ change: 'change-role', role: name, from, to, people: peopleWith(directory, name).map(refOf) }];
  });
  const gone = directory.roles.filter(({ name }) => isPruning && !kept.has(name));
  return [steps, gone.map(({ name }): DirectoryStep => ({ change: 'remove-role', role: name }))];
}

function personSteps(plan: Plan): DirectoryStep[] {
  const { directory, declared, isPruning, userByEmail } = plan;
  if (!declared.people) return [];
  const placed = declared.people.map((person, at) => ({
    person,
    at,
    user: userByEmail.get(person.email.toLowerCase()),
  }));
  for (const { person, at } of placed) assertRole(plan, person.role, at);
  const added = placed.flatMap(({ person, at, user }) => (user ? [] : addPerson(plan, person, at)));
  const changed = placed.flatMap(({ person, at, user }) => changePerson(plan, person, at, user));
  const kept = new Set(placed.flatMap(({ user }) => user?.id ?? []));
  const gone = directory.users.filter(
    ({ id, disabledAt, provisioned }) => isPruning && !kept.has(id) && disabledAt === null && provisioned === null,
  );
  const disabled = gone.map((user): DirectoryStep => ({
    change: 'change-person',
    person: refOf(user),
    from: { disabled: false },
    to: { disabled: true },
  }));
  return [...managersFirst(plan, added), ...changed, ...disabled];
}

function addPerson(plan: Plan, person: DeclaredPerson, at: number): Added[] {
  const { email, name, role, groups = [] } = person;
  if (name === undefined)
    plan.errors.push({ path: ['people', at, 'name'], message: 'Give a name: this person is new.' });
  if (role === undefined)
    plan.errors.push({ path: ['people', at, 'role'], message: 'Give a role: this person is new.' });
  assertKnownGroups(plan, groups, at);
  if (name === undefined || role === undefined) return [];
  const manager = refTo(plan, person.manager, ['people', at, 'manager']);
  return [{ change: 'add-person', email: email.toLowerCase(), name, role, manager, groups: [...new Set(groups)] }];
}

type Added = Extract<DirectoryStep, { change: 'add-person' }>;

/** Managers before those who report to them; a circle of new managers is an error at one of them. */
function managersFirst({ errors, declared }: Plan, added: readonly Added[]): Added[] {
  const byEmail = new Map(added.map((step) => [step.email, step]));
  const ordered = new Set<Added>();
  for (const step of added) {
    const above: Added[] = [];
    for (
      let next: Added | undefined = step;
      next && !ordered.has(next);
      next = byEmail.get(next.manager?.email ?? '')
    ) {
      if (above.includes(next)) {
        const at = declared.people?.findIndex(({ email }) => email.toLowerCase() === step.email) ?? 0;
        errors.push({
          path: ['people', at, 'manager'],
          message: 'Choose someone else: no one can be their own manager.',
        });
        break;
      }
      above.push(next);
    }
    for (const each of above.toReversed()) ordered.add(each);
  }
  return [...ordered];
}

function changePerson(plan: Plan, person: DeclaredPerson, at: number, user: UserRecord | undefined): DirectoryStep[] {
  const { name, role, mayBreakGlass, disabled } = person;
  const declared: PersonSettings = {
    ...(user && name !== undefined && { name }),
    ...(user && role !== undefined && { role }),
    ...(user && person.manager !== undefined && { manager: refTo(plan, person.manager, ['people', at, 'manager']) }),
    ...(mayBreakGlass !== undefined && { mayBreakGlass }),
    ...(disabled !== undefined && { disabled }),
  };
  const { from, to } = differing(settingsOf(user, plan.userById), declared);
  if (Object.keys(to).length === 0) return [];
  return [{ change: 'change-person', person: user ? refOf(user) : { email: person.email.toLowerCase() }, from, to }];
}

/** This person's current values of the same settings; of someone new, as they are added. */
export const settingsOf = (
  user: UserRecord | undefined,
  userById: ReadonlyMap<UserId, UserRecord>,
): Required<PersonSettings> => {
  const manager = user?.managerId ? userById.get(user.managerId) : undefined;
  return {
    name: user?.name ?? '',
    role: user?.role ?? 'reviewer',
    manager: manager ? refOf(manager) : null,
    mayBreakGlass: user?.mayBreakGlass ?? false,
    disabled: typeof user?.disabledAt === 'number',
  };
};

function differing(now: Required<PersonSettings>, next: PersonSettings): { from: PersonSettings; to: PersonSettings } {
  const keys = (Object.keys(next) as (keyof PersonSettings)[]).filter(
    (key) => JSON.stringify(now[key]) !== JSON.stringify(next[key]),
  );
  const part = (settings: PersonSettings) =>
    Object.fromEntries(keys.map((key) => [key, settings[key]])) as PersonSettings;
  return { from: part(now), to: part(next) };
}

/** One step for each group. Who is a member because an identity provider says so stays one. */
function memberSteps(plan: Plan): DirectoryStep[] {
  const { directory, declared, userByEmail } = plan;
  const groupsOf = new Map<UserId, ReadonlySet<string>>();
  for (const [at, { email, groups }] of (declared.people ?? []).entries()) {
    const user = userByEmail.get(email.toLowerCase());
    if (!user || !groups) continue;
    assertKnownGroups(plan, groups, at);
    groupsOf.set(user.id, new Set(groups));
  }
  return [...plan.groupNames].flatMap((group): DirectoryStep[] => {
    const { members = [], sources = {} } = directory.groups.find(({ name }) => name === group) ?? {};
    const before = new Set(members);
    const refs = (isMeant: (id: UserId, groups: ReadonlySet<string>) => boolean): PersonRef[] =>
      [...groupsOf].flatMap(([id, groups]) => (isMeant(id, groups) ? refOf(plan.userById.get(id) as UserRecord) : []));
    const add = refs((id, groups) => groups.has(group) && !before.has(id));
    const remove = refs((id, groups) => !groups.has(group) && before.has(id) && sources[id] === undefined);
    return add.length + remove.length === 0 ? [] : [{ change: 'change-members', group, add, remove }];
  });
}

/** After the people, some of whom may be new. */
function confirmationSteps(plan: Plan): DirectoryStep[] {
  return (plan.declared.groups ?? []).flatMap(({ name, confirm }, at): DirectoryStep[] => {
    if (confirm === undefined) return [];
    const group = plan.directory.groups.find((candidate) => candidate.name === name);
    const from = confirmationOf(group, plan.userById);
    const owners = (confirm?.owners ?? []).flatMap(
      (email, index) => refTo(plan, email, ['groups', at, 'confirm', 'owners', index]) ?? [],
    );
    const to = { days: confirm?.days ?? null, owners: owners.toSorted(byEmail) };
    return formatConfirmation(from) === formatConfirmation(to)
      ? []
      : [{ change: 'set-confirmation', group: name, from, to }];
  });
}

const byEmail = (a: PersonRef, b: PersonRef): number => (a.email < b.email ? -1 : Number(a.email > b.email));

const formatConfirmation = ({ days, owners }: Confirmation): string =>
  [days, ...new Set(owners.map(({ email }) => email))].join(' ');

/** The rule of this group; of a new one, that no one needs to confirm its members. */
export function confirmationOf(
  group: Pick<GroupRecord, 'confirmation' | 'owners'> | undefined,
  userById: ReadonlyMap<UserId, UserRecord>,
): Confirmation {
  const owners = (group?.owners ?? []).flatMap((id) => userById.get(id) ?? []).map(refOf);
  return { days: group?.confirmation?.days ?? null, owners: owners.toSorted(byEmail) };
}

function serverSteps(plan: Plan): DirectoryStep[] {
  const servers = new Map(
    plan.directory.servers.filter(({ id }) => !isBuiltIn(id)).map((server) => [server.name, server]),
  );
  return (plan.declared.servers ?? []).flatMap(({ name, owner }, at): DirectoryStep[] => {
    if (isReservedName(name)) {
      plan.errors.push({ path: ['servers', at, 'name'], message: 'Choose another name: this one is Assentry’s own.' });
      return [];
    }
    const server = servers.get(name);
    const current = server?.ownerId ? plan.userById.get(server.ownerId) : undefined;
    const from = current ? refOf(current) : null;
    const to = owner === undefined ? from : refTo(plan, owner, ['servers', at, 'owner']);
    return [
      ...(server ? [] : [{ change: 'add-server', server: name } as const]),
      ...(from?.email === to?.email ? [] : [{ change: 'set-owner', server: name, from, to } as const]),
    ];
  });
}

function assertRole({ directory, declared, errors }: Plan, role: string | undefined, at: number): void {
  const names = [...builtInRoles, ...[...directory.roles, ...(declared.roles ?? [])].map(({ name }) => name)];
  if (role === undefined || names.includes(role)) return;
  errors.push({ path: ['people', at, 'role'], message: formatUnknownRole(role, names) });
}

function assertKnownGroups({ groupNames, errors }: Plan, groups: readonly string[], at: number): void {
  for (const [index, group] of groups.entries()) {
    if (groupNames.has(group)) continue;
    errors.push({ path: ['people', at, 'groups', index], message: `Declare the group ${group}: there is none.` });
  }
}

/** Someone who is here, or comes with the same file. */
function refTo(plan: Plan, email: string | null | undefined, path: FieldError['path']): PersonRef | null {
  if (email === null || email === undefined) return null;
  const user = plan.userByEmail.get(email.toLowerCase());
  if (user) return refOf(user);
  if (!plan.newEmails.has(email.toLowerCase()))
    plan.errors.push({ path, message: `Check the address: no one has ${email}, here or in the file.` });
  return { email: email.toLowerCase() };
}

export const refOf = ({ id, email }: UserRecord): PersonRef => ({ id, email });

/** A directory as it will be after some writes of one commit, so that the next of them is decided on it. */
export interface DirectoryDraft extends JudgedDirectory {
  readonly users: UserRecord[];
  readonly groups: GroupRecord[];
  readonly servers: ServerRecord[];
  readonly roles: RoleRecord[];
}

export const draftOf = ({ users, groups, servers, spaces, roles, accounts }: JudgedDirectory): DirectoryDraft => ({
  users: [...users],
  groups: groups.map((group) => ({ ...group })),
  servers: servers.map((server) => ({ ...server })),
  spaces,
  roles: [...roles],
  accounts,
});

/** Does to the draft what this will do to the stored directory. */
export function writeDraft(draft: DirectoryDraft, write: DirectoryWrite, at: number): void {
  switch (write.type) {
    case 'new-user':
      draft.users.push(withRole(draft, addedUser(write.user, at)));
      for (const group of draft.groups)
        if (write.user.groups?.includes(group.id)) group.members = [...group.members, write.user.id];
      return;
    case 'user':
      return replace(draft.users, write.id, (user) => withRole(draft, { ...user, ...settings(write.set) }));
    case 'new-group':
      return void draft.groups.push(newGroupRecord(write.group));
    case 'group':
      return replace(draft.groups, write.id, (group) => ({ ...group, ...write.set }));
    case 'members':
      return replace(draft.groups, write.id, (group) => ({
        ...group,
        members: [...group.members.filter((id) => !write.remove.includes(id)), ...write.add],
      }));
    case 'group-confirmation':
      return replace(draft.groups, write.id, (group) => ({
        ...group,
        owners: write.owners,
        confirmation: write.confirmation,
      }));
    case 'deleted-group':
      return remove(draft.groups, write.id);
    case 'new-server':
      return void draft.servers.push({ ...write.server, ownerId: null, spaceId: null });
    case 'owner':
      return replace(draft.servers, write.server, (server) => ({ ...server, ownerId: write.ownerId }));
    case 'new-role':
      return void draft.roles.push(write.role);
    case 'role':
      replace(draft.roles, write.id, (role) => ({ ...role, permissions: write.permissions }));
      return void draft.users.splice(0, Infinity, ...draft.users.map((user) => withRole(draft, user)));
    case 'removed-role':
      return remove(draft.roles, write.id);
    default: // no file declares it
  }
}

function replace<T extends { id: string }>(records: T[], id: T['id'], change: (record: T) => T): void {
  const at = records.findIndex((record) => record.id === id);
  const record = records[at];
  if (record) records[at] = change(record);
}

function remove<T extends { id: string }>(records: T[], id: T['id']): void {
  records.splice(
    records.findIndex((record) => record.id === id),
    1,
  );
}

/** As their role is after the writes before. */
const withRole = ({ roles }: DirectoryDraft, user: UserRecord): UserRecord =>
  isBuiltInRole(user.role) && user.permissions === undefined
    ? user
    : { ...user, permissions: undefined, ...holderOf(user.role, roles) };

const settings = ({ chatIssuerId: _issuer, ...set }: UserSettings): Partial<UserRecord> => set;

const addedUser = ({ id, email, name, role, managerId = null }: NewUser, at: number): UserRecord => ({
  id,
  email,
  name,
  role,
  managerId,
  subjects: [],
  mayBreakGlass: false,
  chatMember: null,
  hasPassword: false,
  hasProvider: false,
  identities: [],
  provisioned: null,
  sharesPower: isAdministrator({ role }),
  disabledAt: null,
  decidedPairs: null,
  verifiedAddresses: null,
  vouchedAddresses: null,
  createdAt: at,
});
