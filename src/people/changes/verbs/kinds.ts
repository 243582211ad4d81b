import type { z } from 'zod';
import { canonicalJson } from '#platform/crypto/digest';
import { type DirectoryRecord, type UserRecord, isAdopted } from '../../directory/store/directory-record.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import {
  outdatedChange,
  type Administrator,
  type Agreement,
  groupIn,
  namedSpace,
  userIn,
  roleIn,
  serverIn,
  spaceIn,
} from '../../directory/verbs/directory.ts';
import type { GroupId, SpaceId, UserId, ServerId, StopId, HoldId } from '#platform/model/id';
import { policyPin } from '#policies/contract/policy';
import type { User } from '../../directory/contract/user.ts';
import { findVersion, type VersionPlace } from '#policies/verbs/draft';
import { findSeen } from '#policies/verbs/show';
import { publishPolicies, type PlannedPolicy } from '#policies/verbs/apply';
import { publishVersion, type Publication } from '#policies/verbs/review';
import { holderOf, type Role } from '../../directory/contract/permission.ts';
import type { UserSettings } from '../../directory/store/tables.ts';
import { addInConsole, changeUser, type UserChanges } from '../../users/verbs.ts';
import { givingPart } from '../../directory/verbs/power.ts';
import { applyDirectory, refreshSteps } from '../../declared/verbs/apply.ts';
import type { DirectoryStep } from '../../declared/contract.ts';
import {
  adoptGroup,
  type Adoption,
  changeMembers,
  setConfirmation,
  type ConfirmationRule,
  setOwner,
} from '../../groups/verbs.ts';
import type { PairAnswer, DecidePair } from '../../accounts/contract.ts';
import { answerTo, pairOf } from '../../accounts/verbs/pairs.ts';
import { decidePair } from '../../accounts/verbs/decide-pair.ts';
import { changeRole, peopleWith, type RoleChange } from '../../roles/verbs.ts';
import { moveToSpace, setSpaceRole, spaceOfMoved, type Move, type SpaceRoleChange } from '../../spaces/verbs.ts';
import { createToken, type NewAdminToken } from '#access/tokens/verbs/admin-tokens';
import { addWebhook, type NewWebhook } from '#notify/webhooks/verbs';
import { addWorkload, type NewWorkload } from '#access/workloads/verbs';
import { findLiftable, liftStop } from '#requests/stops/verbs';
import {
  changeKeyNetworks,
  narrowing,
  type KeyNetworks,
  addServerKey,
  type NewServerKey,
  type Rotation,
} from '#access/keys/verbs/keys';
import { assertMay } from '../../directory/verbs/may.ts';
import { Problem } from '#platform/model/problem';
import { eraseContent, type Erasure } from '#keeping/content/verbs/erase';
import { placeHold, releaseHold, type HoldRequest } from '#keeping/content/verbs/place-hold';
import { showHold } from '#keeping/content/verbs/holds';
import type { AddUser } from '../../users/contract.ts';

interface Definition<Wanted, Facts extends object, Done> {
  title: string;
  /** The verb itself: it refuses what needs a second administrator. */
  act(engine: Engine, by: Administrator, change: Wanted): Promise<Done>;
  /** The whole change for the people who decide: who, what, from, to. */
  facts(directory: DirectoryRecord, change: Wanted): Facts;
  /** Exactly what these facts say. */
  changeIn(facts: Facts): Wanted;
  /** In one sentence. */
  say(facts: Facts): string;
  /** The part that only takes power away, if any, and the rest. */
  split?(directory: DirectoryRecord, change: Wanted): { taking: Wanted | null; giving: Wanted };
}

/** One kind of change of who may decide. */
export interface ChangeKind<Wanted, Done> {
  act: Definition<Wanted, object, Done>['act'];
  split: NonNullable<Definition<Wanted, object, Done>['split']>;
  /** The facts of a change as it would be made now, and how to ask about it. */
  describe(directory: DirectoryRecord, change: Wanted): { title: string; message: string; facts: object };
  /** Makes the change that these facts describe; problem `not-now` if they are no longer true. */
  apply(engine: Engine, by: Omit<Agreement, 'expects'>, facts: object): Promise<unknown>;
}

/** People agree on the facts, so the change is read from them, and they must still be true when it is made. */
export const changeKind = <Wanted, Facts extends object, Done>({
  title,
  act,
  facts: read,
  changeIn: wantedIn,
  say,
  split = (_directory, change) => ({ taking: null, giving: change }),
}: Definition<Wanted, Facts, Done>): ChangeKind<Wanted, Done> => ({
  act,
  split,
  describe(directory, change) {
    const facts = read(directory, change);
    return { title, message: say(facts), facts };
  },
  apply(engine, by, stored) {
    const facts = stored as Facts; // sealed by this installation, under the name of this kind
    const change = wantedIn(facts);
    const expects = (directory: DirectoryRecord): void => {
      if (canonicalJson(read(directory, change)) !== canonicalJson(facts)) throw outdatedChange();
    };
    return act(engine, { ...by, expects }, change);
  },
});

/** A person as those who decide about them read it. */
export interface NamedUser {
  id: UserId;
  name: string;
  email: string;
  /** Only of someone who is disabled. */
  disabled?: true;
}

function namedUser(directory: DirectoryRecord, id: UserId): NamedUser {
  const user = userIn(directory, id);
  return { id, name: user.name, email: user.email, ...(user.disabledAt !== null && { disabled: true }) };
}

const namedOrNone = (directory: DirectoryRecord, id: UserId | null | undefined): NamedUser | null =>
  id ? namedUser(directory, id) : null;

function namedGroup(directory: DirectoryRecord, id: GroupId): { id: GroupId; name: string } {
  return { id, name: groupIn(directory, id).name };
}

/** For sentences: a name may be anyone’s, an address is one person’s. */
export const formatUser = (user: Pick<NamedUser, 'name' | 'email'> | null): string =>
  user ? `${user.name} (${user.email})` : 'no one';

/** The space that a change is about: its administrators can accept it. Absent if it is global. */
export function ofSpace(
  directory: DirectoryRecord,
  id: SpaceId | null | undefined,
): { space?: { id: SpaceId; name: string } } {
  const space = namedSpace(directory, id ?? null);
  return space ? { space } : {};
}

type Wanted = Publication & {
  document: string;
  authorId: UserId | null;
  reviewerId: UserId | null;
  spaceId: SpaceId | null;
};

/** The version of a policy that decides from now on. */
const publishingPolicy = changeKind({
  title: 'Publish a policy',
  act: publishVersion,
  facts: (directory, { name, version, published, digest, document, spaceId, ...users }: Wanted) => ({
    policy: name,
    from: published,
    to: version,
    author: namedOrNone(directory, users.authorId),
    reviewer: namedOrNone(directory, users.reviewerId),
    digest,
    document,
    ...ofSpace(directory, spaceId),
  }),
  changeIn: ({ policy, from, to, author, reviewer, space, ...rest }) => ({
    ...rest,
    spaceId: space?.id ?? null,
    name: policy,
    version: to,
    published: from,
    authorId: author?.id ?? null,
    reviewerId: reviewer?.id ?? null,
  }),
  say: ({ policy, from, to }) =>
    `Publish ${policyPin(policy, to)}${from === null ? '' : ` in place of ${policyPin(policy, from)}`}.`,
});

/** The publication of this version, as of now. */
export async function publicationOf(engine: Engine, by: User, { name, version }: VersionPlace): Promise<Wanted> {
  const { policy } = await findSeen(engine, by, name);
  const { digest, document, authorId, reviewerId } = findVersion(policy, version);
  return {
    name,
    version,
    published: policy.publishedVersion,
    digest,
    document,
    authorId,
    reviewerId,
    spaceId: policy.spaceId,
  };
}

interface PoliciesFacts {
  policies: readonly PlannedPolicy[];
}

/** Policies as written in files. Who accepts has reviewed them: no program and no author puts any in force alone. */
const applyingPolicies = changeKind({
  title: 'Publish policies as written in files',
  act: publishPolicies,
  facts: (_directory, { policies }: PoliciesFacts): PoliciesFacts => ({ policies }),
  changeIn: (facts) => facts,
  say: ({ policies }) => `Put these policies in force, all or none: ${policies.map(formatPlanned).join('; ')}.`,
});

const formatPlanned = ({ name, change, from }: PlannedPolicy): string =>
  [change === 'retired' ? `retire ${name}` : name, from === null ? 'new' : `in place of ${policyPin(name, from)}`].join(
    ', ',
  );

/** A new person with power: who may vote, manages someone or is in a group. */
const addingUser = changeKind({
  title: 'Add a person',
  act: addInConsole,
  facts: (directory, { name, email, role, managerId, groups = [] }: z.output<typeof AddUser>) => ({
    user: { name, email: email.toLowerCase() },
    role,
    ...permitted(directory, role),
    manager: namedOrNone(directory, managerId),
    groups: [...new Set(groups)].map((id) => namedGroup(directory, id)),
  }),
  changeIn: ({ user, role, manager, groups }) => ({
    ...user,
    role,
    managerId: manager?.id ?? null,
    groups: groups.map(({ id }) => id),
  }),
  say: ({ user, role, permits }) => `Add ${formatUser(user)} as ${formatRole(role, permits)}.`,
});

export interface UserChange {
  id: UserId;
  changes: UserChanges;
}

/** A person's settings for readers. */
interface Power {
  role?: Role;
  manager?: NamedUser | null;
  subjects?: string[];
  mayBreakGlass?: boolean;
  chatMember?: string | null;
  disabled?: boolean;
}

/** Role, manager, names at MCP clients, chat member and permissions of a person. */
const changingUser = changeKind({
  title: 'Change a person’s power',
  async act(engine, by, { id, changes }: UserChange) {
    return { alone: await changeUser(engine, by, id, changes) };
  },
  facts(directory, { id, changes }) {
    const { managerId, disabled, name: _name, ...rest } = changes;
    const user = userIn(directory, id);
    const to: Power = {
      ...(JSON.parse(JSON.stringify(rest)) as Power),
      ...(managerId !== undefined && { manager: namedOrNone(directory, managerId) }),
      ...(disabled !== undefined && { disabled }),
    };
    return { user: namedUser(directory, id), from: powerOf(directory, user, to), to, ...permitted(directory, to.role) };
  },
  changeIn: ({ user, to: { manager, ...rest } }) => ({
    id: user.id,
    changes: { ...rest, ...(manager !== undefined && { managerId: manager?.id ?? null }) },
  }),
  say: ({ user, from, to, permits }) =>
    `${formatUser(user)}: ${(Object.keys(to) as (keyof Power)[])
      .map((key) => {
        const next = key === 'role' ? formatRole(to.role ?? '', permits) : formatPower(to[key]);
        return `${labels[key]} from ${formatPower(from[key])} to ${next}`;
      })
      .join('; ')}.`,
  split(directory, { id, changes }) {
    const user = userIn(directory, id);
    const { disabled, ...rest } = changes;
    const set = { ...rest, ...(disabled !== undefined && { disabledAt: disabled ? 0 : null }) } as UserSettings;
    const giving = new Set(
      Object.keys(givingPart(set, user, directory.roles)).map((key) => (key === 'disabledAt' ? 'disabled' : key)),
    );
    const part = (isGiving: boolean): UserChanges =>
      Object.fromEntries(
        Object.entries(changes).filter(([key, value]) => value !== undefined && giving.has(key) === isGiving),
      );
    const taking = part(false);
    return {
      taking: Object.keys(taking).length > 0 ? { id, changes: taking } : null,
      giving: { id, changes: part(true) },
    };
  },
});

const permitted = (directory: DirectoryRecord, role: Role | undefined): { permits?: readonly string[] } => {
  const { permissions: permits } = role === undefined ? {} : holderOf(role, directory.roles);
  return permits ? { permits } : {};
};

const formatRole = (role: Role, permits: readonly string[] | undefined): string =>
  permits ? `${role} (${permits.join(', ')})` : role;

const labels: Record<keyof Power, string> = {
  role: 'role',
  manager: 'manager',
  subjects: 'names at MCP clients',
  mayBreakGlass: 'emergency override',
  chatMember: 'chat member',
  disabled: 'disabled',
};

function formatPower(value: Power[keyof Power]): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : 'none';
  return typeof value === 'string' ? value : formatUser(value);
}

/** This person's current values of the same settings. */
function powerOf(directory: DirectoryRecord, user: UserRecord, to: Power): Power {
  const now: Required<Power> = {
    role: user.role,
    manager: namedOrNone(directory, user.managerId),
    subjects: user.subjects,
    mayBreakGlass: user.mayBreakGlass,
    chatMember: user.chatMember,
    disabled: user.disabledAt !== null,
  };
  return Object.fromEntries(Object.keys(to).map((key) => [key, now[key as keyof Power]]));
}

interface DeclaredChanges {
  changes: readonly DirectoryStep[];
}

interface DeclaredFacts extends DeclaredChanges {
  /** Permissions of the custom roles that people get. */
  roles?: { name: string; permissions: readonly string[] }[];
}

/** Everything by which the directory differs from a file, accepted at once or not at all. */
const applyingDirectory = changeKind({
  title: 'Change people, groups and servers as declared',
  act: applyDirectory,
  facts: (directory, { changes }: DeclaredChanges): DeclaredFacts => ({
    changes: refreshSteps(directory, changes),
    ...rolesIn(directory, changes),
  }),
  changeIn: ({ changes }) => ({ changes }),
  say: ({ changes }) =>
    `Make these ${changes.length} changes of people, groups and servers, all or none: ${count(changes)}.`,
});

function rolesIn({ roles }: DirectoryRecord, changes: readonly DirectoryStep[]): Pick<DeclaredFacts, 'roles'> {
  const names = new Set(
    changes.map((step) => {
      if (step.change === 'add-person') return step.role;
      return step.change === 'change-person' ? step.to.role : undefined;
    }),
  );
  const permitted = roles.filter(({ name }) => names.has(name)).map(({ name, permissions }) => ({ name, permissions }));
  return permitted.length > 0 ? { roles: permitted } : {};
}

function count(changes: readonly DirectoryStep[]): string {
  const kinds = [...new Set(changes.map(({ change }) => change))];
  return kinds.map((kind) => `${changes.filter(({ change }) => change === kind).length} × ${kind}`).join(', ');
}

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
const addingMembers = changeKind({
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
const adoptingGroup = changeKind({
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

/** Interval and people of the confirmation of a group's members. */
const settingConfirmation = changeKind({
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

interface PairFacts {
  user: NamedUser;
  other: NamedUser;
  from: PairAnswer | null;
  to: PairAnswer | null;
}

/** Whether two accounts are of one natural person. */
const decidingPair = changeKind({
  title: 'Say whether two accounts are one person',
  async act(engine, by, change: z.output<typeof DecidePair>) {
    return { alone: await decidePair(engine, by, change) };
  },
  facts(directory: DirectoryRecord, { user, other, answer }): PairFacts {
    const [first, second] = pairOf(user, other);
    const byId = new Map(directory.users.map((user) => [user.id, user]));
    return {
      user: namedUser(directory, first),
      other: namedUser(directory, second),
      from: answerTo(byId, [first, second]),
      to: answer,
    };
  },
  changeIn: ({ user, other, to }): z.output<typeof DecidePair> => ({ user: user.id, other: other.id, answer: to }),
  say: ({ user, other, from, to }) =>
    `${formatUser(user)} and ${formatUser(other)} ${formatAnswer(to)}; until now ${from ? `they ${formatAnswer(from)}` : 'no one has decided it'}.`,
});

function formatAnswer(answer: PairAnswer | null): string {
  if (answer === null) return 'are undecided again';
  return answer === 'one-person'
    ? 'are one person, who counts once in every quorum'
    : 'are two people, who count separately';
}

/** Permissions of a custom role. */
const changingRole = changeKind({
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

interface Named<Id> {
  id: Id;
  name: string;
}

/** A person's role in a space. */
const settingSpaceRole = changeKind({
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

/** The space of a server or a group. */
const movingToSpace = changeKind({
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

/** A token by which a program administers. Who asked for it has seen it; it opens nothing before. */
const creatingToken = changeKind({
  title: 'Create an administrative token',
  act: createToken,
  facts: (directory, { issuerId, expiresAt, ...token }: NewAdminToken) => ({
    token: { ...token, expires: new Date(expiresAt).toISOString() },
    // They can accept nothing that the token asks for.
    credentialFrom: namedOrNone(directory, issuerId),
  }),
  changeIn: ({ token: { expires, ...token }, credentialFrom }) => ({
    ...token,
    expiresAt: Date.parse(expires),
    issuerId: (credentialFrom?.id ?? null) as UserId | null,
  }),
  say: ({ token: { kid, name, permissions, networks, expires } }) =>
    `Create the administrative token ${name} (${kid}): a program may ${permissions.join(', ')} with it${
      networks.length > 0 ? ` from ${networks.join(', ')}` : ''
    } until ${expires}. What needs a second administrator still does.`,
});

/** A webhook. Who asked for it has seen its secret; nothing is sent to it before a second administrator accepts. */
const addingWebhook = changeKind({
  title: 'Add a webhook',
  act: addWebhook,
  facts: (_directory, change: NewWebhook) => change,
  changeIn: (facts) => facts,
  say: ({ url, format }) =>
    `Tell ${url} (${format}) of every request that waits for people: its server, tool, policy, risk and state.`,
});

/** A workload that asks as a server without a key. */
const addingWorkload = changeKind({
  title: 'Let a workload ask as an MCP server',
  act: addWorkload,
  facts(directory, { server: id, ...workload }: NewWorkload) {
    const { name, ownerId, spaceId } = serverIn(directory, id);
    return {
      server: { id, name },
      owner: namedOrNone(directory, ownerId),
      workload,
      ...ofSpace(directory, spaceId),
    };
  },
  changeIn: ({ server, workload }) => ({ ...workload, server: server.id }),
  say: ({ server, owner, workload: { issuer, audience, subject } }) =>
    `Let ${subject} of ${issuer} ask as ${server.name}, whose owner is ${formatUser(owner)}, with tokens for ${audience}.`,
});

interface OwnerChange {
  id: ServerId;
  owner: UserId | null;
}

/** Another owner of an MCP server. */
const settingOwner = changeKind({
  title: 'Change the owner of an MCP server',
  async act(engine, by, { id, owner }: OwnerChange) {
    return { alone: await setOwner(engine, by, id, owner) };
  },
  facts(directory, { id, owner }) {
    const { name, ownerId } = serverIn(directory, id);
    return { server: { id, name }, from: namedOrNone(directory, ownerId), to: namedOrNone(directory, owner) };
  },
  changeIn: ({ server, to }) => ({ id: server.id, owner: to?.id ?? null }),
  say: ({ server, from, to }) => `The owner of ${server.name}: from ${formatUser(from)} to ${formatUser(to)}.`,
});

/** A key with which an MCP server asks. Who asked for it has seen it; it opens nothing before. */
const creatingKey = changeKind({
  title: 'Create a key for an MCP server',
  act: addServerKey,
  facts(directory, { server, kid, hash, expiresAt, tools, networks, replaces }: NewServerKey): KeyFacts {
    const stored = directory.servers.find(({ name }) => name === server);
    const expires = expiresAt === null ? null : new Date(expiresAt).toISOString();
    return {
      server,
      owner: namedOrNone(directory, stored?.ownerId),
      key: { kid, hash, expires, tools, ...(networks.length > 0 && { networks }) },
      ...(replaces && { replaces }),
      ...ofSpace(directory, stored?.spaceId),
    };
  },
  changeIn: ({ server, key: { expires, networks = [], ...key }, replaces }) => ({
    ...key,
    networks,
    replaces,
    server,
    expiresAt: expires === null ? null : Date.parse(expires),
  }),
  say: ({ server, owner, key, replaces }) =>
    [
      `Create the key ${key.kid} for ${server}, whose owner is ${formatUser(owner)}. ${formatTerms(key)}`,
      ...(replaces ? [formatRotation(replaces)] : []),
    ].join(' '),
});

/** Networks of an existing key. */
const changingKey = changeKind({
  title: 'Change the networks of a key',
  act: changeKeyNetworks,
  facts(directory, { kid, server, from, to }: KeyNetworks) {
    const stored = directory.servers.find(({ name }) => name === server);
    return {
      server,
      owner: namedOrNone(directory, stored?.ownerId),
      kid,
      from,
      to,
      ...ofSpace(directory, stored?.spaceId),
    };
  },
  changeIn: ({ server, kid, from, to }) => ({ server, kid, from, to }),
  say: ({ server, kid, from, to }) =>
    `The key ${kid} for ${server}: from ${formatNetworks(from)} to ${formatNetworks(to)}.`,
  split(_directory, change) {
    const taking = narrowing(change);
    return { taking, giving: { ...change, from: taking?.to ?? change.from } };
  },
});

const formatNetworks = (networks: readonly string[]): string => networks.join(', ') || 'anywhere';

/** Absent members were not asked for. */
interface KeyFacts {
  server: string;
  owner: NamedUser | null;
  key: { kid: string; hash: string; expires: string | null; tools: readonly string[]; networks?: readonly string[] };
  replaces?: Rotation;
  space?: { id: SpaceId; name: string };
}

function formatTerms({ expires, tools, networks }: KeyFacts['key']): string {
  const scope = tools.includes('*') ? 'every tool' : `the tools ${tools.join(', ')}`;
  const from = networks ? `, works only from ${networks.join(', ')}` : '';
  return `It is for ${scope}${from} and ${expires === null ? 'does not expire' : `expires at ${expires}`}.`;
}

const formatRotation = ({ kid, overlapMs }: Rotation): string =>
  `It replaces the key ${kid}, which ends ${overlapMs / 3_600_000} hours after this is accepted, unless it ends before.`;

interface StopFacts {
  stop: StopId;
  server: string | null;
  tool: string | null;
  reason: string;
  by: NamedUser | null;
  space?: { id: SpaceId; name: string };
}

/** The end of a stop. */
const liftingStop = changeKind({
  title: 'Lift a stop',
  act: (engine, by, { stop }: WantedOfServer) => liftStop(engine, by, stop),
  facts: (directory, { stoppedBy, ...stop }): StopFacts => ({
    ...stop,
    by: namedOrNone(directory, stoppedBy),
    ...ofSpace(directory, directory.servers.find(({ name }) => name === stop.server)?.spaceId),
  }),
  changeIn: ({ by, space: _space, ...stop }) => ({ ...stop, stoppedBy: by?.id ?? null }),
  say: ({ server, tool, reason }) =>
    `Let ${[tool ?? 'everything', server && `of ${server}`].filter(Boolean).join(' ')} run again. It was stopped because: ${reason}`,
});

type WantedOfServer = Omit<StopFacts, 'by' | 'space'> & { stoppedBy: UserId | null };

/** The facts of lifting this stop. */
export async function liftOf(engine: Engine, by: User, id: StopId): Promise<WantedOfServer> {
  const { stop } = await findLiftable(engine, by, id);
  const { serverName: server, tool, reason, stoppedBy } = stop;
  return { stop: id, server, tool, reason, stoppedBy };
}

/** Deciders about content read which request it is, and nothing of it. */
type WantedErasure = Erasure & { server: string; tool: string };

/** The end of the content of one request, or of everything that its requester asked. */
const erasingContent = changeKind({
  title: 'Erase content',
  act: eraseContent,
  facts: (_directory, change: WantedErasure) => change,
  changeIn: (facts) => facts,
  say: ({ request, of, server, tool }) =>
    `Erase the content of ${of === 'request' ? '' : 'everything that was asked by the requester of '}${request}, ${tool} of ${server}. It cannot be restored.`,
});

/** A legal hold, which keeps content from being erased. */
const placingHold = changeKind({
  title: 'Place a legal hold',
  act: placeHold,
  facts: (_directory, change: HoldRequest) => change,
  changeIn: (facts) => facts,
  say: (hold) => `Keep ${formatScope(hold)}: nothing of it is erased. The reason: ${hold.reason}`,
});

type WantedRelease = HoldRequest & { hold: HoldId };

/** The end of a legal hold. */
const releasingHold = changeKind({
  title: 'Release a legal hold',
  act: (engine, by, { hold }: WantedRelease) => releaseHold(engine, by, hold),
  facts: (_directory, change) => change,
  changeIn: (facts) => facts,
  say: (hold) => `Release the hold on ${formatScope(hold)}: it may be erased again. The reason was: ${hold.reason}`,
});

function formatScope({ scope, request, server }: HoldRequest): string {
  if (scope === 'everything') return 'all content';
  if (scope === 'server') return `the content of all requests of ${server}`;
  return scope === 'request' ? `the content of ${request}` : `everything that was asked by the requester of ${request}`;
}

/** The facts of this erasure; problem `forbidden` for anyone but an administrator. */
export async function erasureOf(engine: Engine, by: User, erasure: Erasure): Promise<WantedErasure> {
  assertMay(by, 'hold-content');
  const row = await engine.reader.elicitation(erasure.request);
  if (!row) throw new Problem('not-found');
  return { ...erasure, server: row.serverName, tool: row.tool };
}

/** The facts of this release; problem `forbidden` for anyone but an administrator. */
export async function releaseOf(engine: Engine, by: User, hold: HoldId): Promise<WantedRelease> {
  assertMay(by, 'hold-content');
  const { scope, request, server, reason } = await showHold(engine, hold);
  return { hold, scope, request, server, reason };
}

/** Every kind of change that a second administrator accepts, by the tool that policies know it by. */
export const changeKinds = {
  'add-user': addingUser,
  'change-user': changingUser,
  'decide-pair': decidingPair,
  'add-members': addingMembers,
  'adopt-group': adoptingGroup,
  'set-confirmation': settingConfirmation,
  'set-owner': settingOwner,
  'set-space-role': settingSpaceRole,
  'change-role': changingRole,
  'move-to-space': movingToSpace,
  'create-key': creatingKey,
  'change-key': changingKey,
  'publish-policy': publishingPolicy,
  'lift-stop': liftingStop,
  'erase-content': erasingContent,
  'place-hold': placingHold,
  'release-hold': releasingHold,
  'add-webhook': addingWebhook,
  'add-workload': addingWorkload,
  'create-token': creatingToken,
  'apply-directory': applyingDirectory,
  'apply-policies': applyingPolicies,
};

export type ChangeName = keyof typeof changeKinds;

/** Input of a kind of change, and its answer when it is made at once. */
export type ChangeInput<N extends ChangeName> = Parameters<(typeof changeKinds)[N]['act']>[2];
export type Done<N extends ChangeName> = Awaited<ReturnType<(typeof changeKinds)[N]['act']>>;

export const isChangeName = (name: string): name is ChangeName => Object.hasOwn(changeKinds, name);
