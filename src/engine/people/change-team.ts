import { newId } from '../../crypto/random.ts';
import type { ServerId, TeamId, UserId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { DirectoryRecord, TeamRecord } from '../../store/people/directory.ts';
import { changeDirectory, refuseOthers, type Administrator, type DirectoryEngine } from './change-directory.ts';
import type { Engine } from '../engine.ts';
import { refuseOwnMembership, refuseOwnServer } from './own-power.ts';
import { refuseNamedTeam, refuseWantedName } from './refuse-named-team.ts';

/** Makes a team that policies can name; problem `already-exists` where the name is taken. */
export async function addTeam(
  engine: DirectoryEngine,
  by: Administrator,
  { name, description = '' }: { name: string; description?: string | undefined },
): Promise<TeamId> {
  const id = newId('team');
  await changeDirectory(engine, by, (directory) => {
    refuseTakenName(directory, name);
    return { write: { type: 'new-team', team: { id, name, description } }, event: { type: 'team.added', team: id } };
  });
  return id;
}

type TeamEngine = DirectoryEngine & Pick<Engine, 'policies'>;

/** Calls or describes a team otherwise; what is equal already stays unsaid. No name that policies use is moved. */
export async function changeTeam(
  engine: TeamEngine,
  by: Administrator,
  id: TeamId,
  { name, description }: { name?: string | undefined; description?: string | undefined },
): Promise<void> {
  const known = await nameOf(engine, by, id);
  if (name !== undefined && name !== known) {
    await refuseNamedTeam(engine, known);
    await refuseWantedName(engine, name);
  }
  await changeDirectory(engine, by, (directory) => {
    const team = findTeam(directory, id);
    const set = {
      ...(name !== undefined && name !== team.name && { name }),
      ...(description !== undefined && description !== team.description && { description }),
    };
    const changed = Object.keys(set) as ('name' | 'description')[];
    if (changed.length === 0) return null;
    if (set.name !== undefined) refuseTakenName(directory, set.name);
    return { write: { type: 'team', id, set }, event: { type: 'team.changed', team: id, changed } };
  });
}

async function nameOf({ directory }: TeamEngine, by: Administrator, id: TeamId): Promise<string> {
  refuseOthers(by);
  return findTeam(await directory.read(), id).name;
}

/** Adds and removes members; who is in already, or not in, is passed over. */
export const changeMembers = (
  engine: DirectoryEngine,
  by: Administrator,
  id: TeamId,
  { add = [], remove = [] }: { add?: UserId[] | undefined; remove?: UserId[] | undefined },
): Promise<void> =>
  changeDirectory(engine, by, (directory) => {
    const { name, members } = findTeam(directory, id);
    const known = new Set(directory.people.map((person) => person.id));
    const at = add.findIndex((one) => !known.has(one));
    if (at >= 0) throw unknownPerson(['add', at]);
    const added = [...new Set(add)].filter((one) => !members.includes(one));
    const removed = members.filter((one) => remove.includes(one) && !add.includes(one));
    if (added.length + removed.length === 0) return null;
    refuseOwnMembership(by, name, added, removed);
    return {
      write: { type: 'members', id, add: added, remove: removed },
      event: { type: 'team.members-changed', team: id, added, removed },
    };
  });

/** Deletes a team that no policy in force names. */
export async function deleteTeam(engine: TeamEngine, by: Administrator, id: TeamId): Promise<void> {
  await refuseNamedTeam(engine, await nameOf(engine, by, id));
  await changeDirectory(engine, by, (directory) => {
    findTeam(directory, id);
    return { write: { type: 'deleted-team', id }, event: { type: 'team.deleted', team: id } };
  });
}

/** Says who answers for an MCP server; policies may ask its owner. */
export const setOwner = (
  engine: DirectoryEngine,
  by: Administrator,
  server: ServerId,
  owner: UserId | null,
): Promise<void> =>
  changeDirectory(engine, by, ({ servers, people }) => {
    const found = servers.find(({ id }) => id === server);
    if (!found) throw new Problem('not-found');
    if (owner && !people.some(({ id }) => id === owner)) throw unknownPerson(['ownerId']);
    if (found.ownerId === owner) return null;
    refuseOwnServer(by, found.name, [found.ownerId, owner]);
    return { write: { type: 'owner', server, ownerId: owner }, event: { type: 'server.owner-changed', server, owner } };
  });

function findTeam({ teams }: DirectoryRecord, id: TeamId): TeamRecord {
  const team = teams.find((one) => one.id === id);
  if (!team) throw new Problem('not-found');
  return team;
}

function refuseTakenName({ teams }: DirectoryRecord, name: string): void {
  if (teams.some((team) => team.name === name))
    throw new Problem('already-exists', { detail: 'There is already a group of this name.' });
}

const unknownPerson = (path: (string | number)[]): Problem =>
  new Problem('INVALID_INPUT', { errors: [{ path, message: 'There is nobody of this id.' }] });
