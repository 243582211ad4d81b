import {
  holderOf,
  isAdministrator,
  may,
  builtInRoles,
  formatUnknownRole,
  isBuiltInRole,
  type Role,
} from '../../directory/contract/permission.ts';
import { auditEntry } from '#audit/entries/rules/entry';
import type { UserChange } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random/random';
import type { UserId } from '#platform/model/id';
import type { Alone } from '../../directory/contract/user.ts';
import { faultOfIdentity, foldSubject, mayBeSame, nameAt, readIdentity } from '#platform/model/identity';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import { identitiesOf } from '#policies/document/rules/directory/directory';
import type { InCommit } from '#platform/database/database/in-commit';
import type { UserSettings } from '../../directory/store/tables/directory-write.ts';
import type { DirectoryRecord, UserRecord } from '../../directory/store/directory-record/directory-record.ts';
import { changeElicitation, type ChangingEngine } from '#requests/state/verbs/change/change';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import {
  actorOf,
  changeDirectory,
  issuerOf,
  type Administrator,
  type Changer,
  type DecidedChange,
  type DirectoryEngine,
  type JudgedDirectory,
} from '../../directory/verbs/directory/change-directory.ts';
import { userIn } from '../../directory/verbs/directory/in-directory.ts';
import { assertNotOwnChange } from '../../directory/verbs/directory/own-power.ts';
import { canSignIn } from '../../directory/verbs/power/power.ts';

export interface UserChanges {
  /** Only a provider changes it; the address from before stays a name of theirs. */
  email?: string | undefined;
  name?: string | undefined;
  role?: Role | undefined;
  managerId?: UserId | null | undefined;
  subjects?: string[] | undefined;
  mayBreakGlass?: boolean | undefined;
  /** The member of a chat they are; null for none. */
  chatMember?: string | null | undefined;
  disabled?: boolean | undefined;
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

/** What the change writes; null if everything is so already. */
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

/** Whom a provider has disabled is disabled here as well from then on, so that the provider does not enable them again. */
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
export function assertKnownRole({ roles }: DirectoryRecord, role: Role | undefined): void {
  if (role === undefined || isBuiltInRole(role)) return;
  const names = [...builtInRoles, ...roles.map(({ name }) => name)];
  if (names.includes(role)) return;
  throw invalidInput(['role'], formatUnknownRole(role, names));
}

/** The manager must exist, and must not report to this person. */
export function assertManager({ users }: DirectoryRecord, id: UserId, managerId: UserId | null | undefined): void {
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
export function assertFreeAddress(
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
