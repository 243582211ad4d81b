import { newId } from '#platform/crypto/random/random';
import { assertMay } from '#policies/deciding/verbs/rules/assert-may';
import type { ServerId, GroupId, UserId } from '#platform/model/id';
import { isBuiltIn } from '#platform/model/names';
import type { Alone } from '../../directory/contract/user.ts';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import { inSequence, type InCommit } from '#platform/database/database/in-commit';
import type { DirectoryRecord, GroupRecord } from '../../directory/store/directory-record/directory-record.ts';
import {
  changeDirectory,
  outdatedChange,
  type Administrator,
  type Changer,
  type DecidedChange,
  type DirectoryEngine,
  type Scope,
  type JudgedDirectory,
} from '../../directory/verbs/directory/change-directory.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { groupIn } from '../../directory/verbs/directory/in-directory.ts';
import { assertNotOwnMembership, assertNotOwnServer } from '../../directory/verbs/directory/own-power.ts';
import { assertGroupNotNamed, assertNameNotWanted } from './assert-group-not-named.ts';

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

/** What the settings write; null if everything is so already. */
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

/** What it takes to change who is in this group. */
export const membersScope = (id: GroupId): Scope => ({
  permission: 'change-space',
  space: ({ groups }) => groups.find((group) => group.id === id)?.spaceId,
});

export interface MembersChange {
  add?: readonly UserId[] | undefined;
  remove?: readonly UserId[] | undefined;
}

/** What the change writes; null if everyone is in or out already. A provider removes only members by itself. */
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

/** Of the group that was judged: under another name, policies may use it. */
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

/** What the change writes; null if they own it already. */
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
