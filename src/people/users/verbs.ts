import type { z } from 'zod';
import { hashSecret, newOneTimeSecret, newId } from '#platform/crypto/random';
import type { GroupId, UserId } from '#platform/model/id';
import type { Alone, User } from '../directory/contract/user.ts';
import {
  type Role,
  holderOf,
  isAdministrator,
  may,
  builtInRoles,
  formatUnknownRole,
  isBuiltInRole,
} from '../directory/contract/permission.ts';
import { nameAt, faultOfIdentity, foldSubject, mayBeSame, readIdentity } from '#platform/model/identity';
import { invalidInput, Problem } from '#platform/model/problem';
import type { NewIdentity, NewUser, UserSettings } from '../directory/store/tables.ts';
import type { DirectoryRecord, UserRecord } from '../directory/store/directory-record.ts';
import {
  changeDirectory,
  type Administrator,
  type Changer,
  type DecidedChange,
  type DirectoryEngine,
  type ProviderRule,
  type JudgedDirectory,
  assertNotOwnReport,
  actorOf,
  issuerOf,
  userIn,
  assertNotOwnChange,
} from '../directory/verbs/directory.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { newMailedLink, type MailingEngine } from '#access/sign-in/verbs/links';
import {
  newPasswordHash,
  newPasswordLink,
  assertStrongPassword,
  type LinkEngine,
  type PasswordLink,
} from '#access/passwords/verbs';
import { startByLink, type SignedInSession, type SignInPlace } from '#access/sign-in/verbs/sessions';
import { auditEntry } from '#audit/entries/rules/entry';
import type { UserChange } from '#audit/entries/rules/events';
import { identitiesOf } from '#policies/document/rules/directory';
import type { InCommit } from '#platform/database/database';
import { changeElicitation, type ChangingEngine } from '#requests/state/verbs/change';
import { canSignIn } from '../directory/verbs/power.ts';
import type { AddUser, ChangeUser } from './contract.ts';

export type NewUserRequest = z.output<typeof AddUser>;
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
 * Invites a person for an administrator: the link goes by mail, and is null if this installation sends none. A program
 * alone sends none, or it could add someone who reads what it may not.
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

/** The writes that add them to this directory. */
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

export interface UserChanges extends z.output<typeof ChangeUser> {
  /** Only a provider changes it; the address from before stays a name of theirs. */
  email?: string | undefined;
}

/**
 * Changes a person's name, rights, manager and identities; equal values are not logged. Refused: removing the last
 * administrator, giving oneself rights or another manager, a circle of managers, a subject or chat member of someone
 * else. A person who can no longer vote, or turns out to be the requester, loses their votes on open requests.
 */
export async function changeUser(
  engine: DirectoryEngine & ChangingEngine & Pick<Engine, 'passkeys'>,
  by: Administrator,
  id: UserId,
  changes: UserChanges,
): Promise<Alone | null> {
  let losesVote = false;
  const alone = await changeDirectory(engine, by, (directory) => {
    losesVote = changes.role !== undefined && !may(holderOf(changes.role, directory.roles), 'decide');
    return userChange(engine, directory, by, { id, changes, at: engine.now() });
  });
  if (changes.disabled || changes.subjects || losesVote) await voidVotes(engine, id);
  return alone;
}

/** The writes of the change; null if everything is so already. */
export function userChange(
  { passkeys }: Pick<Engine, 'passkeys'>,
  directory: JudgedDirectory,
  by: Changer,
  { id, changes, at }: { id: UserId; changes: UserChanges; at: number },
): DecidedChange | null {
  const user = userIn(directory, id);
  const set = { ...differences(user, changes, at), ...(changes.disabled && !isRule(by) && disabledHere(user, at)) };
  if (Object.keys(set).length === 0) return null;
  assertKnownRole(directory, set.role);
  assertNotOwnChange(directory, by, user, set);
  assertNoLockOut(directory, { ...user, ...set });
  assertManager(directory, id, set.managerId);
  if (set.email !== undefined) assertFreeAddress(directory, by, { id, email: set.email });
  assertFreeSubject(directory, id, set.subjects);
  assertIdentityKept(user, set.subjects);
  assertFreeChatMember(directory, id, set.chatMember);
  const stored = {
    ...set,
    ...(set.chatMember !== undefined && { chatIssuerId: issuerOf(by) }),
    sharesPower: sharesPowerAfter(by, user, set),
  };
  return {
    write: { type: 'user', id, set: stored },
    event: { type: 'user.changed', user: id, changed: loggedChange(set) },
    ...(changes.disabled && { also: endPasskeys(passkeys, by, id, at) }),
  };
}

/** When the person is enabled again, no passkey comes back that someone else may have added or found. */
const endPasskeys = (passkeys: Engine['passkeys'], by: Changer, user: UserId, at: number): InCommit =>
  passkeys.removeAll(user, at, ({ id: passkey, credentialId: credential }) =>
    auditEntry(newId('entry'), at, actorOf(by), { type: 'user.passkey-removed', user, passkey, credential }),
  );

/** Only the operator takes the share back: an administrator who could would decide alone afterwards. */
function sharesPowerAfter(by: Changer, user: UserRecord, set: UserSettings): boolean {
  const next = { ...user, ...set };
  const isNow = isAdministrator(next);
  return by === 'operator' ? isNow && next.disabledAt === null : next.sharesPower || isNow;
}

/** Shows at once that this person's votes are void. If this fails, it is done before the request's next step. */
export async function voidVotes(engine: ChangingEngine, id: UserId): Promise<void> {
  const open = await engine.reader.openWithVoteOf(id).catch(() => []);
  await Promise.allSettled(open.map((request) => changeElicitation(engine, request, () => null)));
}

function differences(user: UserRecord, changes: UserChanges, now: number): UserSettings {
  const { disabled, subjects: _names, ...rest } = changes;
  const subjects = changes.subjects ?? (changes.email === undefined ? undefined : namesAfter(user, changes.email));
  const set = Object.entries(rest).filter(
    ([key, value]) => value !== undefined && value !== user[key as keyof typeof rest],
  );
  const uniqueSubjects = subjects && [...new Set(subjects)];
  return {
    ...Object.fromEntries(set),
    ...(uniqueSubjects && uniqueSubjects.join('\0') !== user.subjects.join('\0') && { subjects: uniqueSubjects }),
    ...(disabled !== undefined && disabled !== (user.disabledAt !== null) && { disabledAt: disabled ? now : null }),
  };
}

/** Takes over a provider's disabling as our own, so that the provider does not enable them again. */
const disabledHere = ({ disabledAt, provisioned }: UserRecord, now: number): UserSettings =>
  disabledAt !== null && provisioned?.disabledAt === disabledAt ? { disabledAt: Math.max(now, disabledAt + 1) } : {};

/** Requests under the address from before stay theirs, so that they never come to approve them. */
const namesAfter = ({ email, subjects }: UserRecord, next: string): string[] =>
  email === next ? subjects : [...subjects.filter((name) => name !== next), email];

/** Someone who signs in with an identity has it among their names, so that they never approve what they ask for under it. */
function assertIdentityKept({ identities }: UserRecord, subjects: string[] | undefined): void {
  const lost = identities.map(nameAt).find((name) => subjects && !subjects.includes(name));
  if (lost === undefined) return;
  const message = `Keep ${lost}: they sign in with it, until they disconnect that provider.`;
  throw invalidInput(['subjects'], message);
}

const loggedChange = ({ email, name, subjects, managerId, disabledAt, ...power }: UserSettings): UserChange => ({
  ...loggedPower(power),
  ...(managerId !== undefined && { manager: managerId }),
  ...(disabledAt !== undefined && { disabled: disabledAt !== null }),
  ...(email !== undefined && { address: true }),
  ...(name !== undefined && { name: true }),
  ...(subjects !== undefined && { subjects: true }),
});

const loggedPower = ({ role, mayBreakGlass, chatMember }: UserSettings): UserChange => ({
  ...(role !== undefined && { role }),
  ...(mayBreakGlass !== undefined && { mayBreakGlass }),
  ...(chatMember !== undefined && { chat: chatMember }),
});

const canAdminister = (user: UserRecord): boolean =>
  isAdministrator(user) && user.disabledAt === null && canSignIn(user);

function assertNoLockOut({ users }: DirectoryRecord, next: UserRecord): void {
  if (canAdminister(next)) return;
  const before = users.filter(canAdminister);
  if (before.length > 0 && before.every(({ id }) => id === next.id))
    throw new Problem('not-now', {
      refusal: { code: 'last-administrator' },
    });
}

/** A role is built in, or the installation has made it. */
function assertKnownRole({ roles }: DirectoryRecord, role: Role | undefined): void {
  if (role === undefined || isBuiltInRole(role)) return;
  const names = [...builtInRoles, ...roles.map(({ name }) => name)];
  if (names.includes(role)) return;
  throw invalidInput(['role'], formatUnknownRole(role, names));
}

/** The manager must exist, and must not report to this person. */
function assertManager({ users }: DirectoryRecord, id: UserId, managerId: UserId | null | undefined): void {
  const wrong = (message: string) => invalidInput(['managerId'], message);
  if (!managerId) return;
  const managerOf = (person: UserId) => users.find((user) => user.id === person);
  if (!managerOf(managerId)) throw wrong('Choose an existing person.');
  const visited = new Set<UserId>();
  for (
    let above: UserId | null | undefined = managerId;
    above && !visited.has(above);
    above = managerOf(above)?.managerId
  ) {
    if (above === id) throw wrong('Choose someone else: no one can be their own manager, directly or indirectly.');
    visited.add(above);
  }
}

/** If an address also named someone else's requests, one of the two could approve what the other asked for. */
function assertFreeAddress(
  { users }: DirectoryRecord,
  by: Changer,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
): void {
  // A tag behind a + is the same mailbox: no one has a second seat by it, but who adds people may mean to give one.
  const read = isRule(by) ? foldSubject : (address: string) => address;
  const others = users.filter((user) => user.id !== id);
  if (others.some((user) => read(user.email) === read(email)))
    throw new Problem('already-exists', { refusal: { code: 'person-exists' } });
  const namesake = others.find(({ subjects }) =>
    subjects.some((subject) => mayBeSame(readIdentity(subject), { subject: email })),
  );
  if (!namesake) return;
  const message = `Choose another address: MCP clients know ${namesake.name} by this one.`;
  throw invalidInput(['email'], message);
}

const isRule = (by: Changer): boolean => by !== 'operator' && by.kind === 'provider';

/** If two people had one subject, one of them could approve what the other asked for. */
export function assertFreeSubject({ users }: DirectoryRecord, id: UserId, subjects: string[] = []): void {
  for (const [at, subject] of subjects.entries()) {
    const fault = faultOfIdentity(subject);
    if (fault !== null) throw invalidInput(['subjects', at], fault);
    const identity = readIdentity(subject);
    const other = users.find((user) => user.id !== id && identitiesOf(user).some((name) => mayBeSame(name, identity)));
    if (!other) continue;
    const message = `Choose another name: ${other.name} already has this one.`;
    throw invalidInput(['subjects', at], message);
  }
}

/** A member of a chat is linked to one person only. */
function assertFreeChatMember({ users }: DirectoryRecord, id: UserId, chatMember: string | null | undefined): void {
  const other = chatMember && users.find((user) => user.id !== id && user.chatMember === chatMember);
  if (!other) return;
  const message = `Choose another member: this one is already linked to ${other.name}.`;
  throw invalidInput(['chatMember'], message);
}
