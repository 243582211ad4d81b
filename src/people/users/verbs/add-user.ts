import { hashSecret, newOneTimeSecret } from '#platform/crypto/random/one-time-secret';
import { newId } from '#platform/crypto/random/random';
import type { GroupId, UserId } from '#platform/model/id';
import type { Alone, User } from '../../directory/contract/user.ts';
import type { Role } from '../../directory/contract/permission.ts';
import { nameAt } from '#platform/model/identity';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import type { NewIdentity, NewUser } from '../../directory/store/tables/directory-write.ts';
import type { DirectoryRecord } from '../../directory/store/directory-record/directory-record.ts';
import {
  changeDirectory,
  type Administrator,
  type Changer,
  type DecidedChange,
  type DirectoryEngine,
  type ProviderRule,
  type JudgedDirectory,
} from '../../directory/verbs/directory/change-directory.ts';
import { assertFreeAddress, assertManager, assertFreeSubject, assertKnownRole } from './change-user.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { assertNotOwnReport } from '../../directory/verbs/directory/own-power.ts';
import { newMailedLink, type MailingEngine } from '#access/sign-in/verbs/links';
import {
  newPasswordHash,
  newPasswordLink,
  assertStrongPassword,
  type LinkEngine,
  type PasswordLink,
} from '#access/passwords/verbs';
import { startByLink } from '#access/sign-in/verbs/sessions';
import type { SignedInSession, SignInPlace } from '#access/sign-in/verbs/sessions';

export interface NewUserRequest {
  email: string;
  name: string;
  role: Role;
  managerId?: UserId | null | undefined;
  groups?: GroupId[] | undefined;
}

type WithPassword = NewUserRequest & { password: string };

/** Milliseconds the first administrator's link can be used: one day. */
const setUpLinkLife = 86_400_000;

/** Adds a person with their password, for the operator; problem INVALID_INPUT for a weak one, `already-exists` for a known address. */
export async function addUser(engine: DirectoryEngine, { password, ...request }: WithPassword): Promise<User> {
  return (await add(engine, 'operator', request, { passwordHash: await newPasswordHash(password, request) })).user;
}

/**
 * Adds a person for the operator. They set a password of their own with the link; problem `already-exists` for a known
 * address.
 */
export async function inviteUser(
  engine: LinkEngine,
  request: NewUserRequest,
): Promise<{ user: User; link: PasswordLink }> {
  const { link, stored } = newPasswordLink(engine);
  const { user } = await add(engine, 'operator', request, { passwordHash: null, link: stored });
  return { user, link };
}

/**
 * The same for an administrator: the link goes by mail, and is null if this installation sends none. A program alone sends
 * none, or it could add someone who reads what it may not.
 */
export async function addInConsole(
  engine: MailingEngine,
  by: Administrator,
  request: NewUserRequest,
): Promise<{ user: User; linkUntil: number | null; alone: Alone | null }> {
  const isProgram = by !== 'operator' && by.kind === 'token';
  const link = isProgram ? null : newMailedLink(engine, by);
  const added = await add(engine, by, request, { passwordHash: null, ...(link && { link }) });
  return { ...added, linkUntil: link?.expiresAt ?? null };
}

/** The link that makes the first administrator, once; null if there are people already. */
export async function makeSetUpLink({ users, now }: Pick<Engine, 'users' | 'now'>): Promise<string | null> {
  if ((await users.count()) > 0) return null;
  const { secret, hash } = newOneTimeSecret();
  await users.addLink({ hash, purpose: 'setup', userId: null, expiresAt: now() + setUpLinkLife });
  return secret;
}

/** Makes the first administrator and signs them in. Such links end when there is an administrator. */
export async function setUp(
  engine: DirectoryEngine & Pick<Engine, 'users' | 'sessions'>,
  { link, ...request }: Omit<WithPassword, 'role'> & { link: string },
  place?: SignInPlace,
): Promise<SignedInSession> {
  await assertStrongPassword(request.password, request);
  const isFirst = (await engine.users.count()) === 0;
  const setupLink = isFirst && (await engine.users.takeLink(hashSecret(link), 'setup', engine.now()));
  if (!setupLink) throw new Problem('token-invalid');
  return startByLink(engine, await addUser(engine, { ...request, role: 'admin' }), place);
}

/** Adds a person whom an identity provider vouches for; they sign in there. Problem `already-exists` for a known address. */
export async function addFromProvider(
  engine: DirectoryEngine,
  by: ProviderRule,
  request: NewUserRequest,
  identity: Pick<NewIdentity, 'issuer' | 'subject' | 'createdAt'>,
): Promise<User> {
  const subjects = [nameAt(identity)];
  const access = { passwordHash: null, subjects, identity: { ...identity, linkedById: null } };
  return (await add(engine, by, request, access)).user;
}

type NewAccess = Pick<NewUser, 'passwordHash' | 'link' | 'subjects' | 'identity' | 'provisioned'>;

async function add(
  engine: DirectoryEngine,
  by: Changer,
  request: NewUserRequest,
  access: NewAccess,
): Promise<{ user: User; alone: Alone | null }> {
  const user = newUser(request);
  const alone = await changeDirectory(engine, by, (directory) => newUserChange(directory, by, user, request, access));
  return { user, alone };
}

/** A person with an id of their own, who is not stored yet. */
export const newUser = ({ email, name, role }: NewUserRequest): User => ({
  kind: 'user',
  id: newId('user'),
  email: email.toLowerCase(),
  name,
  role,
});

/** What adds them to this directory. */
export function newUserChange(
  directory: JudgedDirectory,
  by: Changer,
  { kind: _kind, ...row }: User,
  { managerId = null, groups = [] }: Pick<NewUserRequest, 'managerId' | 'groups'>,
  access: NewAccess,
): DecidedChange {
  const groupIds = [...new Set(groups)];
  assertKnownRole(directory, row.role);
  assertFreeAddress(directory, by, row);
  assertFreeSubject(directory, row.id, access.subjects);
  assertManager(directory, row.id, managerId);
  assertNotOwnReport(directory, by, managerId, `user set ${row.email}`);
  assertKnownGroups(directory, groupIds);
  const details = {
    ...(managerId && { manager: managerId }),
    ...(groupIds.length > 0 && { groups: groupIds }),
    ...(access.link && { linkUntil: access.link.expiresAt }),
  };
  return {
    write: { type: 'new-user', user: { ...row, ...access, managerId, groups: groupIds } },
    event: { type: 'user.added', user: row.id, role: row.role, ...details },
  };
}

function assertKnownGroups({ groups }: DirectoryRecord, ids: GroupId[]): void {
  const at = ids.findIndex((id) => !groups.some((group) => group.id === id));
  if (at < 0) return;
  const message = 'Choose an existing group.';
  throw invalidInput(['groups', at], message);
}
