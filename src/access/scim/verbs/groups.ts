import { newId } from '#platform/crypto/random';
import { isId, type GroupId, type UserId } from '#platform/model/id';
import { groupNamePattern, groupNameRule, maxGroupName } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { ScimProblem } from '../contract/problem.ts';
import {
  newGroupRecord,
  type DirectoryRecord,
  type GroupRecord,
  type ProvisionedGroup,
} from '#people/directory/store/directory-record';
import {
  endedByRenaming,
  deletedGroupChange,
  groupChange,
  membersChange,
  newGroupChange,
  assertNoNamesOfPolicies,
  type GroupEngine,
  type MembersChange,
  assertGroupNotNamed,
  assertNameNotWanted,
} from '#people/groups/verbs';
import { changeDirectory, type DecidedChange, type JudgedDirectory } from '#people/directory/verbs/directory';
import { provisionedBy, patched, type PatchOperation, type ProvisioningEngine } from './users.ts';
import {
  objectsAt,
  assertSameId,
  assertSameVersion,
  resourceOf,
  textAt,
  withKnownNames,
  wrongValue,
  type Attributes,
  type Resource,
  listOf,
  type ListRequest,
  type ListResponse,
} from './attributes.ts';
import type { Provisioner } from './tokens.ts';

const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

type Provisioned = Readonly<GroupRecord> & { provisioned: ProvisionedGroup };
type Engine = GroupEngine & Pick<ProvisioningEngine, 'publicUrl'>;

/** A group as its provider describes it. */
interface ScimGroup {
  name: string;
  externalId: string | null;
  /** Null leaves them. */
  members: UserId[] | null;
}

/** The groups that this provider has made and that fit, a page of them. */
export async function listScimGroups(engine: Engine, { by }: Provisioner, request: ListRequest): Promise<ListResponse> {
  const directory = await engine.directory.read();
  const show = showing(engine, directory, by.issuer);
  return listOf(directory.groups.filter(isBy(by.issuer)), request, show, ({ name, provisioned: { externalId } }) => ({
    displayName: name,
    externalId,
  }));
}

/** Problem `not-found` for groups of other sources as for those that do not exist. */
export async function showScimGroup(engine: Engine, { by }: Provisioner, id: string): Promise<Resource> {
  const directory = await engine.directory.read();
  return showing(engine, directory, by.issuer)(groupOf(directory, by.issuer, id));
}

/** Makes a group, which no policy names yet and which counts once an administrator adopts it, with people of this provider. */
export async function addScimGroup(
  engine: Engine,
  provisioner: Provisioner,
  attributes: Attributes,
): Promise<Resource> {
  const { by } = provisioner;
  const { name, externalId, members } = readScimGroup(attributes);
  const also = await assertNameNotWanted(engine, name);
  const id = newId('group');
  const provisioned = { issuer: by.issuer, externalId, unadoptedSince: engine.now() };
  await changeDirectory(engine, by, (directory) => {
    assertFreeId(directory, provisioned, id);
    const group = { ...newGroupRecord({ id, name, description: '' }), provisioned };
    const added = { ...orConflict(() => newGroupChange(directory, id, { name })), also };
    const after = { ...directory, groups: [...directory.groups, group] };
    return [added, provisionedChange(id, provisioned), ...membersChanges(after, provisioner, group, members ?? [])];
  });
  return showScimGroup(engine, provisioner, id);
}

/** Sets name and members as the provider says, in one commit; members whom an administrator has added stay. */
export async function replaceScimGroup(
  engine: Engine,
  provisioner: Provisioner,
  id: string,
  attributes: Attributes,
  ifMatch?: string,
): Promise<Resource> {
  assertSameId(id, attributes);
  const group = readScimGroup(attributes);
  return change(engine, provisioner, id, ifMatch, () => group);
}

/** Changes a group by operations, which count together or not at all. */
export const patchScimGroup = (
  engine: Engine,
  provisioner: Provisioner,
  id: string,
  operations: readonly PatchOperation[],
  ifMatch?: string,
): Promise<Resource> =>
  change(engine, provisioner, id, ifMatch, (before) => {
    const after = patched(before, operations);
    assertSameId(id, after);
    return readScimGroup({ members: [], ...after });
  });

async function change(
  engine: Engine,
  provisioner: Provisioner,
  id: string,
  ifMatch: string | undefined,
  groupAfter: (before: Attributes) => ScimGroup,
): Promise<Resource> {
  const { issuer } = provisioner.by;
  const decide = (directory: DirectoryRecord) => {
    const group = groupOf(directory, issuer, id);
    const shown = showing(engine, directory, issuer)(group);
    assertSameVersion(ifMatch, shown);
    return { group, version: shown.meta.version, next: () => groupAfter(shown) };
  };
  const early = decide(await engine.directory.read());
  const earlyNext = early.next();
  const also = await assertNoNamesOfPolicies(engine, early.group.id, earlyNext.name);
  await changeDirectory(engine, provisioner.by, (directory) => {
    const { group, version, next: decideNext } = decide(directory);
    // Thousands of members are compared once, and not while others wait for the directory.
    const next = version === early.version ? earlyNext : decideNext();
    const externalId = next.externalId ?? group.provisioned.externalId;
    const provisioned = { ...group.provisioned, externalId };
    assertFreeId(directory, provisioned, group.id);
    const renamed = orConflict(() => groupChange(directory, group.id, { name: next.name }));
    return [
      renamed && { ...renamed, also: also(directory) },
      externalId === group.provisioned.externalId ? null : provisionedChange(group.id, provisioned),
      renamed && endedByRenaming(directory, group.id, engine.now()),
      ...(next.members ? membersChanges(directory, provisioner, group, next.members) : []),
    ].filter((change) => change !== null);
  });
  return showScimGroup(engine, provisioner, id);
}

/** Deletes a group of this provider that no policy in force names. */
export async function removeScimGroup(
  engine: Engine,
  { by }: Provisioner,
  id: string,
  ifMatch?: string,
): Promise<void> {
  const { name } = groupOf(await engine.directory.read(), by.issuer, id);
  const also = await assertGroupNotNamed(engine, name);
  await changeDirectory(engine, by, (directory) => {
    const group = groupOf(directory, by.issuer, id);
    assertSameVersion(ifMatch, showing(engine, directory, by.issuer)(group));
    return { ...deletedGroupChange(directory, { id: group.id, name }), also };
  });
}

const isBy =
  (issuer: string) =>
  (group: Readonly<GroupRecord>): group is Provisioned =>
    group.provisioned?.issuer === issuer;

function groupOf(directory: DirectoryRecord, issuer: string, id: string): Provisioned {
  const group = isId('group', id) && directory.groups.find((candidate) => candidate.id === id);
  if (!group || !isBy(issuer)(group)) throw new Problem('not-found');
  return group;
}

const provisionedChange = (id: GroupId, provisioned: ProvisionedGroup): DecidedChange => ({
  write: { type: 'provisioned-group', id, provisioned },
  event: { type: 'group.provisioned', group: id },
});

/** Two groups of one provider never have the same id there. */
function assertFreeId(
  { groups }: DirectoryRecord,
  { issuer, externalId }: Pick<ProvisionedGroup, 'issuer' | 'externalId'>,
  id: GroupId,
): void {
  const others = groups.filter(isBy(issuer)).filter((group) => group.id !== id);
  if (externalId === null || others.every(({ provisioned }) => provisioned.externalId !== externalId)) return;
  throw new ScimProblem('uniqueness', { detail: 'Check externalId: another group of this provider has this one.' });
}

/** The people of this provider in the group. */
const membersOf = (directory: DirectoryRecord, issuer: string, { members }: Readonly<GroupRecord>) => {
  const ids = new Set(members);
  return provisionedBy(directory, issuer).filter(({ id }) => ids.has(id));
};

/** One entry of the log holds so many. */
const maxInEntry = 1000;

/** Changes that make these the provider's members of the group; a problem names the first who is no one of this provider. */
function membersChanges(
  directory: JudgedDirectory,
  { by }: Provisioner,
  group: Readonly<GroupRecord>,
  members: readonly UserId[],
): DecidedChange[] {
  const own = new Set(provisionedBy(directory, by.issuer).map(({ id }) => id));
  const at = members.findIndex((id) => !own.has(id));
  if (at >= 0) throw wrongValue(['members', at, 'value'], 'Give the id of a person whom this provider has added.');
  const [next, before] = [new Set(members), new Set(group.members)];
  const remove = membersOf(directory, by.issuer, group).flatMap(({ id }) => (next.has(id) ? [] : [id]));
  const add = [...next].filter((id) => !before.has(id));
  return inParts(add, remove)
    .map((part) => membersChange(directory, by, group.id, part))
    .filter((change) => change !== null);
}

function inParts(add: UserId[], remove: UserId[]): MembersChange[] {
  const parts: MembersChange[] = [];
  for (let at = 0; at < add.length; at += maxInEntry) parts.push({ add: add.slice(at, at + maxInEntry) });
  for (let at = 0; at < remove.length; at += maxInEntry) parts.push({ remove: remove.slice(at, at + maxInEntry) });
  return parts;
}

function readScimGroup(attributes: Attributes): ScimGroup {
  const sent = withKnownNames(attributes);
  const name = textAt(sent['displayName'], ['displayName'], maxGroupName);
  if (name === null || !groupNamePattern.test(name)) throw wrongValue(['displayName'], groupNameRule);
  const members = objectsAt(sent['members'], ['members']).map(({ value }, at) => {
    // An absent person and one of another source are refused alike, later.
    const id = textAt(value, ['members', at, 'value']);
    if (id === null) throw wrongValue(['members', at, 'value'], 'Give a value: this is missing.');
    return id as UserId;
  });
  const externalId = textAt(sent['externalId'], ['externalId']);
  return { name, externalId, members: sent['members'] === undefined ? null : members };
}

/** With the people of this provider as members. */
const showing = ({ publicUrl }: Engine, directory: DirectoryRecord, issuer: string) => {
  const url = publicUrl();
  return (group: Provisioned): Resource => {
    const { externalId } = group.provisioned;
    const members = membersOf(directory, issuer, group).map(({ id, name }) => ({
      value: id,
      display: name,
      type: 'User',
      $ref: `${url}/scim/v2/Users/${id}`,
    }));
    return resourceOf(
      {
        schemas: [groupSchema],
        id: group.id,
        ...(externalId !== null && { externalId }),
        displayName: group.name,
        members,
      },
      { resourceType: 'Group', location: `${url}/scim/v2/Groups/${group.id}` },
    );
  };
};

function orConflict<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'already-exists') throw error;
    const detail = 'Choose another name: a group that is not of this provider, or another of its own, has this one.';
    throw new ScimProblem('uniqueness', { detail, cause: error });
  }
}
