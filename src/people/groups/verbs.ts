import type { GroupId, ServerId, UserId, SpaceId } from '#platform/model/id';
import { Problem, invalidInput } from '#platform/model/problem';
import type { Alone, User } from '../directory/contract/user.ts';
import {
  isAdopted as isAdoptedGroup,
  type DirectoryRecord,
  type GroupRecord,
} from '../directory/store/directory-record.ts';
import { assertMay, mayIn, maySeeSpace } from '../directory/verbs/may.ts';
import {
  changeDirectory,
  outdatedChange,
  type Administrator,
  type DecidedChange,
  groupIn,
  assertNotOwnAdoption,
  type Changer,
  type DirectoryEngine,
  type Scope,
  type JudgedDirectory,
  assertNotOwnMembership,
  assertNotOwnServer,
  administratorsOf,
  assertNotOwnConfirmation,
} from '../directory/verbs/directory.ts';
import { newId } from '#platform/crypto/random';
import { isBuiltIn } from '#platform/model/names';
import { inSequence, type InCommit } from '#platform/database/database';
import type { Engine } from '#platform/nodes/verbs/engine';
import { digestOf } from '#platform/crypto/digest';
import { confirmationDue, confirmationStep, type GroupConfirmation } from './contract.ts';
import { isAdministrator, type RoleHolder } from '../directory/contract/permission.ts';
import { policyPin } from '#policies/contract/policy';
import { parsePolicy } from '#policies/language/rules/parse';
import { namesSource, type NamedSource } from '#policies/deciding/rules/approvers';
import type { NamedDocument } from '#policies/store/policies';

export interface Adoption {
  id: GroupId;
  /** False: it counts for nothing again. */
  adopted: boolean;
}

/**
 * Lets a group that an identity provider has made count in policies, or no longer. Until an administrator adopts it, neither its name nor
 * its members fit any policy. Problem `not-now` for a group that no provider has made, and to end it while a policy in force names it.
 */
export async function adoptGroup(
  engine: GroupEngine,
  by: Administrator,
  { id, adopted }: Adoption,
): Promise<Alone | null> {
  assertMay(by, 'change-directory');
  const { name } = groupIn(await engine.directory.read(), id);
  const also = adopted ? {} : { also: await assertGroupNotNamed(engine, name) };
  return changeDirectory(engine, by, (directory) => {
    const group = groupIn(directory, id);
    if (group.provisioned === null) throw new Problem('not-now', { refusal: { code: 'group-not-provisioned' } });
    if (group.name !== name) throw outdatedChange();
    if (isAdoptedGroup(group) === adopted) return null;
    assertNotOwnAdoption(directory, by, group, adopted);
    return { ...adoptionChange(id, adopted ? null : engine.now()), ...also };
  });
}

const adoptionChange = (id: GroupId, unadoptedSince: number | null): DecidedChange => ({
  write: { type: 'group-adoption', id, unadoptedSince },
  event: { type: unadoptedSince === null ? 'group.adopted' : 'group.adoption-ended', group: id },
});

/** Under another name other policies may fit it, so an administrator adopts it again; null if it waits already. */
export function endedByRenaming(directory: DirectoryRecord, id: GroupId, now: number): DecidedChange | null {
  return isAdoptedGroup(groupIn(directory, id)) ? adoptionChange(id, now) : null;
}

/** Makes a group that policies can name; problem `already-exists` if the name is taken. */
export async function addGroup(engine: DirectoryEngine, by: Administrator, group: NewGroup): Promise<GroupId> {
  const id = newId('group');
  await changeDirectory(engine, by, (directory) => newGroupChange(directory, id, group));
  return id;
}

interface NewGroup {
  name: string;
  description?: string | undefined;
}

export function newGroupChange(
  directory: DirectoryRecord,
  id: GroupId,
  { name, description = '' }: NewGroup,
): DecidedChange {
  assertFreeName(directory, name);
  return {
    write: { type: 'new-group', group: { id, name, description } },
    event: { type: 'group.added', group: id },
  };
}

export type GroupEngine = DirectoryEngine & Pick<Engine, 'policies'>;

interface GroupSettings {
  name?: string | undefined;
  description?: string | undefined;
}

/** Renames or describes a group; equal values are not logged. A name that policies use cannot change. */
export async function changeGroup(
  engine: GroupEngine,
  by: Administrator,
  id: GroupId,
  settings: GroupSettings,
): Promise<void> {
  assertMay(by, 'change-directory');
  const also = await assertNoNamesOfPolicies(engine, id, settings.name);
  await changeDirectory(engine, by, (directory) => {
    const change = groupChange(directory, id, settings);
    return change && { ...change, also: also(directory) };
  });
}

/**
 * Refuses to take a name from policies, and to give them one they use; for the directory that the change is decided on, what refuses
 * it in the commit.
 */
export async function assertNoNamesOfPolicies(
  engine: GroupEngine,
  id: GroupId,
  name: string | undefined,
): Promise<(directory: DirectoryRecord) => InCommit> {
  const { name: before } = groupIn(await engine.directory.read(), id);
  const isRenamed = name !== undefined && name !== before;
  const refusing = isRenamed
    ? [await assertGroupNotNamed(engine, before), await assertNameNotWanted(engine, name)]
    : [];
  return (directory) => {
    if (name !== undefined && groupIn(directory, id).name !== before) throw outdatedChange();
    return inSequence(...refusing);
  };
}

/** The writes of these settings; null if everything is so already. */
export function groupChange(
  directory: DirectoryRecord,
  id: GroupId,
  { name, description }: GroupSettings,
): DecidedChange | null {
  const group = groupIn(directory, id);
  const set = {
    ...(name !== undefined && name !== group.name && { name }),
    ...(description !== undefined && description !== group.description && { description }),
  };
  const changed = Object.keys(set) as ('name' | 'description')[];
  if (changed.length === 0) return null;
  if (set.name !== undefined) assertFreeName(directory, set.name);
  return { write: { type: 'group', id, set }, event: { type: 'group.changed', group: id, changed } };
}

/** Adds and removes members; people who are already in or out are skipped. Of a group of a space, its administrators do so. */
export const changeMembers = (
  engine: DirectoryEngine,
  by: Changer,
  id: GroupId,
  change: MembersChange,
): Promise<Alone | null> =>
  changeDirectory(engine, by, (directory) => membersChange(directory, by, id, change), membersScope(id));

/** The permission to change this group's members. */
const membersScope = (id: GroupId): Scope => ({
  permission: 'change-space',
  space: ({ groups }) => groups.find((group) => group.id === id)?.spaceId,
});

export interface MembersChange {
  add?: readonly UserId[] | undefined;
  remove?: readonly UserId[] | undefined;
}

/** The writes of the change; null if everyone is in or out already. A provider removes only members by itself. */
export function membersChange(
  directory: JudgedDirectory,
  by: Changer,
  id: GroupId,
  { add = [], remove = [] }: MembersChange,
): DecidedChange | null {
  const { name, members, sources } = groupIn(directory, id);
  const ids = new Set(directory.users.map((user) => user.id));
  const at = add.findIndex((id) => !ids.has(id));
  if (at >= 0) throw unknownUser(['add', at]);
  const source = by !== 'operator' && by.kind === 'provider' ? { source: by.issuer } : {};
  const [before, adding, removing] = [new Set(members), new Set(add), new Set(remove)];
  const added = [...adding].filter((id) => !before.has(id));
  const removed = members.filter(
    (member) => removing.has(member) && !adding.has(member) && (!source.source || sources[member] === source.source),
  );
  if (added.length + removed.length === 0) return null;
  assertNotOwnMembership(directory, by, name, added, removed);
  return {
    write: { type: 'members', id, add: added, remove: removed, ...source },
    event: { type: 'group.members-changed', group: id, added, removed },
  };
}

/** Deletes a group that no policy in force names. */
export async function deleteGroup(engine: GroupEngine, by: Administrator, id: GroupId): Promise<void> {
  assertMay(by, 'change-directory');
  const group = groupIn(await engine.directory.read(), id);
  const also = await assertGroupNotNamed(engine, group.name);
  await changeDirectory(engine, by, (directory) => ({ ...deletedGroupChange(directory, group), also }));
}

/** Deletes the group under its judged name alone: policies may use another name. */
export function deletedGroupChange(
  directory: DirectoryRecord,
  { id, name }: Pick<GroupRecord, 'id' | 'name'>,
): DecidedChange {
  if (groupIn(directory, id).name !== name) throw outdatedChange();
  return { write: { type: 'deleted-group', id }, event: { type: 'group.deleted', group: id } };
}

/** Sets the owner of an MCP server; policies may ask the owner. */
export const setOwner = (
  engine: DirectoryEngine,
  by: Administrator,
  server: ServerId,
  owner: UserId | null,
): Promise<Alone | null> => changeDirectory(engine, by, (directory) => ownerChange(directory, by, server, owner));

/** The writes of the change; null if they own it already. */
export function ownerChange(
  { servers, users, accounts }: JudgedDirectory,
  by: Administrator,
  server: ServerId,
  owner: UserId | null,
): DecidedChange | null {
  const record = servers.find(({ id }) => id === server && !isBuiltIn(id));
  if (!record) throw new Problem('not-found');
  if (owner && !users.some(({ id }) => id === owner)) throw unknownUser(['ownerId']);
  if (record.ownerId === owner) return null;
  assertNotOwnServer({ accounts }, by, record.name, [record.ownerId, owner]);
  return { write: { type: 'owner', server, ownerId: owner }, event: { type: 'server.owner-changed', server, owner } };
}

function assertFreeName({ groups }: DirectoryRecord, name: string): void {
  if (groups.some((group) => group.name === name))
    throw new Problem('already-exists', { refusal: { code: 'group-exists' } });
}

const unknownUser = (path: (string | number)[]): Problem => invalidInput(path, 'Choose an existing person.');

/** Interval and people of a group's confirmation. */
export interface ConfirmationRule {
  id: GroupId;
  /** Null: no one needs to. */
  days: number | null;
  owners: UserId[];
}

/**
 * Has the members of a group confirmed every so many days, beginning now. In a space its administrators say so; what keeps
 * members for longer, or names another owner, needs a second one.
 */
export const setConfirmation = (
  engine: DirectoryEngine,
  by: Administrator,
  { id, days, owners: named }: ConfirmationRule,
): Promise<Alone | null> =>
  changeDirectory(
    engine,
    by,
    (directory) => {
      const at = named.findIndex((owner) => !directory.users.some((user) => user.id === owner));
      if (at >= 0) throw invalidInput(['owners', at], 'Choose an existing person.');
      return confirmationChange(directory, { id, days, owners: named }, engine.now());
    },
    membersScope(id),
  );

/** The writes of the rule; null if it holds already. */
export function confirmationChange(
  directory: DirectoryRecord,
  { id, days, owners: named }: ConfirmationRule,
  now: number,
): DecidedChange | null {
  const group = groupIn(directory, id);
  const owners = [...new Set(named)].toSorted();
  if ((group.confirmation?.days ?? null) === days && owners.join() === group.owners.join()) return null;
  const confirmation = days === null ? null : confirmationAfter(group.confirmation, days, now);
  return {
    write: { type: 'group-confirmation', id, owners, confirmation },
    event: { type: 'group.confirmation-set', group: id, days, owners },
  };
}

/** An end that was announced holds, unless a longer interval was agreed on: else it could be put off by small changes. */
function confirmationAfter(before: GroupRecord['confirmation'], days: number, now: number): GroupConfirmation {
  const lapsesAt = before && days <= before.days ? before.lapsesAt : null;
  return { days, confirmedAt: before?.confirmedAt ?? now, lapsesAt };
}

/** Members added by people here: a provider's members are confirmed at the provider. */
const confirmableMembers = ({ members, sources }: Pick<GroupRecord, 'members' | 'sources'>): UserId[] =>
  members.filter((member) => sources[member] === undefined).toSorted();

/** Digest of the list that someone reads before they confirm it. */
const membersDigest = (group: Pick<GroupRecord, 'id' | 'members' | 'sources'>): string =>
  digestOf({ group: group.id, members: confirmableMembers(group) });

interface ConfirmedList {
  id: GroupId;
  /** Digest of the shown list: no one of another list is confirmed. */
  digest: string;
  /** Members of the list who leave now. */
  remove?: readonly UserId[] | undefined;
}

/** Confirms exactly the members that were shown, apart from those who leave now. */
export async function confirmMembers(
  engine: DirectoryEngine,
  by: User | 'operator',
  { id, digest, remove = [] }: ConfirmedList,
): Promise<void> {
  await changeDirectory(
    engine,
    by,
    (directory) => {
      const group = groupIn(directory, id);
      assertConfirms(directory, by, group);
      if (!group.confirmation) throw new Problem('not-now', { refusal: { code: 'no-confirmation-needed' } });
      if (digest !== membersDigest(group)) throw new Problem('not-now', { refusal: { code: 'members-changed' } });
      assertListed(group, remove);
      const removed = remove.length > 0 ? membersChange(directory, by, id, { remove }) : null;
      const members = confirmableMembers(group).filter((member) => !remove.includes(member));
      assertNotOwnConfirmation(directory, by, group.name, members);
      return [
        ...(removed ? [removed] : []),
        ...confirmedBy(engine, group, { days: group.confirmation.days, members, digest }),
      ];
    },
    null,
  );
}

/** An owner takes out those whom the list has: a provider's members are the provider's. */
function assertListed(group: GroupRecord, remove: readonly UserId[]): void {
  const listed = new Set(confirmableMembers(group));
  const at = remove.findIndex((member) => !listed.has(member));
  if (at < 0) return;
  const message = 'Choose from the members that are to be confirmed.';
  throw invalidInput(['remove', at], message);
}

/** Entries are short: a long list takes several. */
const maxMembersTold = 1_000;

function confirmedBy(
  { now }: Pick<DirectoryEngine, 'now'>,
  { id, owners }: GroupRecord,
  { days, members, digest }: { days: number; members: UserId[]; digest: string },
): DecidedChange[] {
  const after = { days, confirmedAt: now(), lapsesAt: null };
  return inParts(members).map((part) => ({
    write: { type: 'group-confirmation', id, owners, confirmation: after },
    event: { type: 'group.confirmed', group: id, members: part, digest },
  }));
}

function inParts(members: UserId[]): UserId[][] {
  const parts = [members.slice(0, maxMembersTold)];
  for (let at = maxMembersTold; at < members.length; at += maxMembersTold)
    parts.push(members.slice(at, at + maxMembersTold));
  return parts;
}

/** A group that someone does not see is answered as if it were absent. */
function assertConfirms(directory: DirectoryRecord, by: User | 'operator', group: GroupRecord): void {
  if (by === 'operator') return;
  const user = directory.users.find(({ id, disabledAt }) => id === by.id && disabledAt === null);
  if (user && mayConfirm(directory, user, group)) return;
  if (!maySeeSpace(directory, by, group.spaceId)) throw new Problem('not-found');
  throw new Problem('forbidden', { refusal: { code: 'owners-confirm' } });
}

/** An owner, or someone who may change the members anyway. */
const mayConfirm = (directory: DirectoryRecord, person: RoleHolder & Pick<User, 'id'>, group: GroupRecord): boolean =>
  group.owners.includes(person.id) || mayIn(directory, person, 'change-space', group.spaceId);

/**
 * The people to whom a group says that its members must be confirmed: owners, or its space's administrators, or all. Those of
 * the list cannot confirm it.
 */
export function confirmersOf({ users, spaces }: DirectoryRecord, group: GroupRecord): UserId[] {
  const able = users.filter(({ disabledAt }) => disabledAt === null).map(({ id }) => id);
  const listed = new Set(confirmableMembers(group));
  const confirming = new Set(able.filter((id) => !listed.has(id)));
  const administrators = users.filter(isAdministrator).map(({ id }) => id);
  const choices = [group.owners, administratorsOf(spaces, group.spaceId), administrators];
  return (
    choices.map((ids) => ids.filter((id) => confirming.has(id))).find((ids) => ids.length > 0) ??
    administrators.filter((id) => able.includes(id))
  );
}

/** The groups whose members leave soon unless someone confirms them, the next one first. */
export const groupsDue = ({ groups }: DirectoryRecord): (GroupRecord & { lapsesAt: number })[] =>
  groups
    .flatMap((group) => {
      const lapsesAt = group.confirmation?.lapsesAt ?? null;
      return lapsesAt === null || confirmableMembers(group).length === 0 ? [] : [{ ...group, lapsesAt }];
    })
    .toSorted((a, b) => a.lapsesAt - b.lapsesAt);

/** The groups that wait for this person. */
export async function listGroupsDue({ directory }: Pick<DirectoryEngine, 'directory'>, reader: User) {
  const record = await directory.read();
  return (
    groupsDue(record)
      // Every page asks, and most people confirm nothing: who cannot is found without a look at everyone.
      .filter((group) => mayConfirm(record, reader, group) && confirmersOf(record, group).includes(reader.id))
      .map(({ id, name, lapsesAt }) => ({ id, name, lapsesAt }))
  );
}

/** When the members must be confirmed, and of which list; null if no one needs to. */
export const showConfirmation = (group: Readonly<GroupRecord>) =>
  group.confirmation && {
    ...group.confirmation,
    dueAt: confirmationDue(group.confirmation),
    members: confirmableMembers(group),
    digest: membersDigest(group),
  };

const time: Changer = { kind: 'timer' };

/**
 * Warns of the groups that must be confirmed soon, and takes out the members whom no one has confirmed in time: each group
 * in a commit of its own, decided on the directory of that commit, so that a confirmation that came first counts. A group
 * that fails holds up no other.
 */
export async function keepConfirmations(engine: DirectoryEngine): Promise<void> {
  const failures: unknown[] = [];
  for (const { id } of (await engine.directory.read()).groups.filter((group) => nextStep(group, engine.now())))
    await changeDirectory(engine, time, (directory) => timeChange(engine, directory, id), null).catch(
      (error: unknown) => failures.push(new Error(`the group ${id}`, { cause: error })),
    );
  if (failures.length > 0) throw new AggregateError(failures);
}

/** Ends the warning of a group that has become empty: someone who joins it later was not warned of. */
function nextStep(group: GroupRecord | undefined, now: number): ReturnType<typeof confirmationStep> {
  if (!group?.confirmation) return null;
  if (confirmableMembers(group).length > 0) return confirmationStep(group.confirmation, now);
  return group.confirmation.lapsesAt === null ? null : { type: 'lapse' };
}

function timeChange({ now }: Pick<DirectoryEngine, 'now'>, { groups }: DirectoryRecord, id: GroupId) {
  const group = groups.find((candidate) => candidate.id === id);
  const step = nextStep(group, now());
  if (!group?.confirmation || !step) return null;
  const { owners, confirmation } = group;
  const members = confirmableMembers(group);
  const write = (lapsesAt: number | null, confirmedAt = confirmation.confirmedAt) =>
    ({ type: 'group-confirmation', id, owners, confirmation: { ...confirmation, confirmedAt, lapsesAt } }) as const;
  if (step.type === 'warn') {
    const { lapsesAt } = step;
    const event = { type: 'group.confirmation-due', group: id, members: members.length, lapsesAt } as const;
    return [{ write: write(lapsesAt), event }];
  }
  const left: DecidedChange[] = inParts(members).map((removed) => ({
    write: { type: 'members', id, add: [], remove: removed },
    event: { type: 'group.members-changed', group: id, added: [], removed },
  }));
  const event = { type: 'group.lapsed', group: id, members: members.length } as const;
  return [...(members.length > 0 ? left : []), { write: write(null, now()), event }];
}

type PolicyReader = Pick<Engine, 'policies'>;

/** Refuses to remove a group name that a policy in force uses: the policy would ask no one, or not apply. */
export const assertGroupNotNamed = (engine: PolicyReader, group: string): Promise<InCommit> =>
  assertNoneNames(engine, { kind: 'group', name: group }, 'group-in-policy');

/** Refuses to remove a role that a policy in force names. */
export const assertRoleNotNamed = (engine: PolicyReader, role: string): Promise<InCommit> =>
  assertNoneNames(engine, { kind: 'role', role }, 'role-in-policy');

/** Refuses to give a group, with its members, a name that a policy in force uses. */
export const assertNameNotWanted = (engine: PolicyReader, group: string): Promise<InCommit> =>
  assertNoneNames(engine, { kind: 'group', name: group }, 'group-name-in-policy');

/** Refuses to let a space have a group that a policy in force outside of it uses: its people would decide for others. */
export const assertGroupNotNamedElsewhere = (engine: PolicyReader, group: string, space: SpaceId): Promise<InCommit> =>
  assertNoneNames(engine, { kind: 'group', name: group }, 'group-in-policy', ({ spaceId }) => spaceId !== space);

/**
 * Refuses a change because of a policy in force that uses the name, and returns what refuses it in its commit because of one
 * that was published meanwhile. Publishing is decided on the directory as well, so one of the two waits for the other.
 */
async function assertNoneNames(
  { policies }: PolicyReader,
  source: NamedSource,
  code: 'group-in-policy' | 'group-name-in-policy' | 'role-in-policy',
  isMeant: (policy: NamedDocument) => boolean = () => true,
): Promise<InCommit> {
  const refuse = (inForce: NamedDocument[]): void => {
    for (const { name, version, document } of inForce.filter(isMeant)) {
      const parsed = parsePolicy(document);
      if (!parsed.ok || !namesSource(parsed.policy, source)) continue;
      throw new Problem('not-now', { refusal: { code, values: { policy: policyPin(name, version) } } });
    }
  };
  const judged = await policies.inForce();
  refuse(judged);
  const pins = judged.map(({ name, version }) => policyPin(name, version));
  return async (tx) => refuse(await policies.inForceSince(tx, pins));
}
