import { isId, type UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { DirectoryRecord } from '#people/directory/store/directory-record/directory-record';
import type { ChangingEngine } from '#requests/state/verbs/change/change';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import {
  changeDirectory,
  type DirectoryEngine,
  type JudgedDirectory,
} from '#people/directory/verbs/directory/change-directory';
import { voidVotes } from '#people/users/verbs/change-user';
import { isProvisionedBy, provisionedBy, type ProvisionedRecord } from './provisioned.ts';
import { assertSameId, assertSameVersion, type Attributes, type Resource } from '../attributes/attributes.ts';
import { addition, removal, update, type DecidedUser } from './decide-user.ts';
import { listOf, type ListRequest, type ListResponse } from '../attributes/list.ts';
import { patched, type PatchOperation } from './patch.ts';
import { readScimUser, showScimUser, type ScimUser } from './scim-user.ts';
import type { Provisioner } from '../tokens.ts';

export type ProvisioningEngine = DirectoryEngine & ChangingEngine & Pick<Engine, 'ring' | 'publicUrl' | 'passkeys'>;

/** The people of this provider that fit, a page of them. */
export async function listScimUsers(
  { directory, publicUrl }: Pick<ProvisioningEngine, 'directory' | 'publicUrl'>,
  { by }: Provisioner,
  request: ListRequest,
): Promise<ListResponse> {
  const url = publicUrl();
  return listOf(
    provisionedBy(await directory.read(), by.issuer),
    request,
    (user) => showScimUser(user, url),
    ({ name, provisioned: { userName, externalId } }) => ({ userName, externalId, displayName: name }),
  );
}

/** Problem `not-found` for people of other sources as for those who do not exist. */
export async function showOneScimUser(engine: ProvisioningEngine, by: Provisioner, id: string): Promise<Resource> {
  return showScimUser(userOf(await engine.directory.read(), by, id), engine.publicUrl());
}

/**
 * Adds a person with the role of the provider's rule. Someone who is connected with exactly this identity of the provider,
 * or whom it had deleted, is taken up again; anyone else who has the address is a conflict.
 */
export async function addScimUser(
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  attributes: Attributes,
): Promise<Resource> {
  const user = readScimUser(attributes);
  return store(engine, provisioner, (directory) => addition(engine, provisioner, directory, user));
}

/** Sets what the provider says of a person, in one commit. */
export async function replaceScimUser(
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  id: string,
  attributes: Attributes,
  ifMatch?: string,
): Promise<Resource> {
  assertSameId(id, attributes);
  const user = readScimUser(attributes);
  return change(engine, provisioner, id, ifMatch, () => user);
}

/** The same by operations, which count together or not at all. */
export const patchScimUser = (
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  id: string,
  operations: readonly PatchOperation[],
  ifMatch?: string,
): Promise<Resource> =>
  change(engine, provisioner, id, ifMatch, (before) => {
    const after = patched(before, operations);
    assertSameId(id, after);
    return readScimUser(after);
  });

const change = (
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  id: string,
  ifMatch: string | undefined,
  userAfter: (before: Resource) => ScimUser,
): Promise<Resource> =>
  store(engine, provisioner, (directory) => {
    const person = userOf(directory, provisioner, id);
    const before = showScimUser(person, engine.publicUrl());
    assertSameVersion(ifMatch, before);
    return { id: person.id, changes: update(engine, provisioner, directory, person, userAfter(before)) };
  });

/** Disables the person and takes them out of the provider's groups; to the provider they are absent from then on. */
export async function removeScimUser(
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  id: string,
  ifMatch?: string,
): Promise<void> {
  await decide(engine, provisioner, (directory) => {
    const person = userOf(directory, provisioner, id);
    assertSameVersion(ifMatch, showScimUser(person, engine.publicUrl()));
    return { id: person.id, changes: removal(engine, provisioner, directory, person) };
  });
}

/** Stores all of it in one commit. As with an administrator, votes that no longer count are shown as void at once. */
async function decide(
  engine: ProvisioningEngine,
  { by }: Provisioner,
  decideUser: (directory: JudgedDirectory) => DecidedUser,
): Promise<UserId> {
  let decided: DecidedUser | undefined;
  await changeDirectory(engine, by, (directory) => (decided = decideUser(directory)).changes);
  const { id, changes } = decided as DecidedUser;
  if (changes.some(({ write }) => write.type === 'user' || write.type === 'identity')) await voidVotes(engine, id);
  return id;
}

async function store(
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  decideUser: (directory: JudgedDirectory) => DecidedUser,
): Promise<Resource> {
  return showOneScimUser(engine, provisioner, await decide(engine, provisioner, decideUser));
}

function userOf(directory: DirectoryRecord, { by }: Provisioner, id: string): ProvisionedRecord {
  const user = isId('user', id) && directory.users.find((candidate) => candidate.id === id);
  if (!user || !isProvisionedBy(by.issuer, user)) throw new Problem('not-found');
  return user;
}
