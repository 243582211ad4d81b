import { newId } from '../../crypto/random.ts';
import { assertMay } from '../assert-may.ts';
import type { ServerId, GroupId, UserId } from '../../model/id.ts';
import { isBuiltIn } from '../../model/names.ts';
import type { Alone } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { DirectoryRecord } from '../../store/users/directory-record.ts';
import { changeDirectory, type Administrator, type Changer, type DirectoryEngine } from './change-directory.ts';
import type { Engine } from '../engine.ts';
import { groupIn } from './in-directory.ts';
import { refuseOwnMembership, refuseOwnServer } from './own-power.ts';
import { refuseNamedGroup, refuseWantedName } from './refuse-named-group.ts';

/** Makes a group that policies can name; problem `already-exists` if the name is taken. */
export async function addGroup(
  engine: DirectoryEngine,
  by: Administrator,
  { name, description = '' }: { name: string; description?: string | undefined },
): Promise<GroupId> {
  const id = newId('group');
  await changeDirectory(engine, by, (directory) => {
    refuseTakenName(directory, name);
    return {
      write: { type: 'new-group', group: { id, name, description } },
      event: { type: 'group.added', group: id },
    };
  });
  return id;
}

type GroupEngine = DirectoryEngine & Pick<Engine, 'policies'>;

/** Renames or describes a group; equal values are not logged. A name that policies use cannot change. */
export async function changeGroup(
  engine: GroupEngine,
  by: Administrator,
  id: GroupId,
  { name, description }: { name?: string | undefined; description?: string | undefined },
): Promise<void> {
  const oldName = await nameOf(engine, by, id);
  if (name !== undefined && name !== oldName) {
    await refuseNamedGroup(engine, oldName);
    await refuseWantedName(engine, name);
  }
  await changeDirectory(engine, by, (directory) => {
    const group = groupIn(directory, id);
    const set = {
      ...(name !== undefined && name !== group.name && { name }),
      ...(description !== undefined && description !== group.description && { description }),
    };
    const changed = Object.keys(set) as ('name' | 'description')[];
    if (changed.length === 0) return null;
    if (set.name !== undefined) refuseTakenName(directory, set.name);
    return { write: { type: 'group', id, set }, event: { type: 'group.changed', group: id, changed } };
  });
}

async function nameOf({ directory }: GroupEngine, by: Administrator, id: GroupId): Promise<string> {
  assertMay(by, 'change-directory');
  return groupIn(await directory.read(), id).name;
}

/** Adds and removes members; people who are already in or out are skipped. */
export const changeMembers = (
  engine: DirectoryEngine,
  by: Changer,
  id: GroupId,
  { add = [], remove = [] }: { add?: UserId[] | undefined; remove?: UserId[] | undefined },
): Promise<Alone | null> =>
  changeDirectory(engine, by, (directory) => {
    const { name, members } = groupIn(directory, id);
    const ids = new Set(directory.users.map((user) => user.id));
    const at = add.findIndex((id) => !ids.has(id));
    if (at >= 0) throw unknownUser(['add', at]);
    const added = [...new Set(add)].filter((id) => !members.includes(id));
    const removed = members.filter((member) => remove.includes(member) && !add.includes(member));
    if (added.length + removed.length === 0) return null;
    refuseOwnMembership(by, name, added, removed);
    const source = by !== 'operator' && by.kind === 'provider' ? { source: by.issuer } : {};
    return {
      write: { type: 'members', id, add: added, remove: removed, ...source },
      event: { type: 'group.members-changed', group: id, added, removed },
    };
  });

/** Deletes a group that no policy in force names. */
export async function deleteGroup(engine: GroupEngine, by: Administrator, id: GroupId): Promise<void> {
  await refuseNamedGroup(engine, await nameOf(engine, by, id));
  await changeDirectory(engine, by, (directory) => {
    groupIn(directory, id);
    return { write: { type: 'deleted-group', id }, event: { type: 'group.deleted', group: id } };
  });
}

/** Sets the owner of an MCP server; policies may ask the owner. */
export const setOwner = (
  engine: DirectoryEngine,
  by: Administrator,
  server: ServerId,
  owner: UserId | null,
): Promise<Alone | null> =>
  changeDirectory(engine, by, ({ servers, users }) => {
    const record = servers.find(({ id }) => id === server && !isBuiltIn(id));
    if (!record) throw new Problem('not-found');
    if (owner && !users.some(({ id }) => id === owner)) throw unknownUser(['ownerId']);
    if (record.ownerId === owner) return null;
    refuseOwnServer(by, record.name, [record.ownerId, owner]);
    return { write: { type: 'owner', server, ownerId: owner }, event: { type: 'server.owner-changed', server, owner } };
  });

function refuseTakenName({ groups }: DirectoryRecord, name: string): void {
  if (groups.some((group) => group.name === name))
    throw new Problem('already-exists', { refusal: { code: 'group-exists' } });
}

const unknownUser = (path: (string | number)[]): Problem =>
  new Problem('INVALID_INPUT', { errors: [{ path, message: 'Choose an existing person.' }] });
