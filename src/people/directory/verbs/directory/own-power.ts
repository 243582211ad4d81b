import type { PairAnswer } from '../../../accounts/contract/account-pair.ts';
import type { UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import { usersOf } from '#requests/voting/contract/quorum/quorum';
import type { RefusalCode } from '#requests/inbox/contract/refusal';
import type { User } from '../../contract/user.ts';
import type { UserSettings } from '../../store/tables/directory-write.ts';
import type { GroupRecord, UserRecord } from '../../store/directory-record/directory-record.ts';
import { everyAccount } from '../../../accounts/contract/accounts.ts';
import { issuerOf, type Administrator, type Changer, type JudgedDirectory } from './change-directory.ts';

// Administrators cannot give themselves a vote or remove what excludes them from one. Policies depend on roles, groups,
// managers, subjects and owners, so leaving a group may give as much power as joining one. They may give up a
// permission or a channel. The operator is outside these rules.

type Persons = Pick<JudgedDirectory, 'accounts'>;

// A program is as near to them as its maker, and so is each of their accounts.
const isOwn = (directory: Persons, by: Changer, id: UserId | null | undefined): boolean => {
  const person = issuerOf(by);
  return id != null && person !== null && everyAccount(directory.accounts, [person]).includes(id);
};

/** Problem `forbidden`, with the command by which the operator can do it instead. */
const refusal = (code: RefusalCode, command: string): Problem =>
  new Problem('forbidden', { refusal: { code, values: { command } } });

/**
 * Refuses what administrators may not change about themselves: everything but their name and what they give up, such as
 * another account.
 */
export function assertNotOwnChange(
  directory: Persons,
  by: Changer,
  { id, email }: UserRecord,
  set: UserSettings,
): void {
  if (!isOwn(directory, by, id)) return assertNotOwnReport(directory, by, set.managerId, `user set ${email}`);
  const { name: _name, mayBreakGlass, chatMember, disabledAt, ...power } = set;
  if (disabledAt && id === issuerOf(by)) throw refusal('own-access', `user disable ${email}`);
  const isGiven = mayBreakGlass === true || typeof chatMember === 'string' || disabledAt === null;
  if (isGiven || Object.keys(power).length > 0) throw refusal('own-power', `user set ${email}`);
}

/** Refuses to make administrators the manager of someone: managers vote on what their reports request. */
export function assertNotOwnReport(
  directory: Persons,
  by: Changer,
  managerId: UserId | null | undefined,
  command: string,
): void {
  if (isOwn(directory, by, managerId)) throw refusal('own-report', command);
}

export function assertNotOwnMembership(
  directory: Persons,
  by: Changer,
  group: string,
  added: UserId[],
  removed: UserId[],
): void {
  if (added.some((id) => isOwn(directory, by, id))) throw refusal('own-membership', `group add "${group}" EMAIL`);
  if (removed.some((id) => isOwn(directory, by, id))) throw refusal('own-leaving', `group remove "${group}" EMAIL`);
}

/** Who adopts a group gives all of its members what policies give the group, and takes it from them in the same way. */
export function assertNotOwnAdoption(
  directory: Persons,
  by: Changer,
  { name, members }: Pick<GroupRecord, 'name' | 'members'>,
  isAdopted: boolean,
): void {
  if (!members.some((id) => isOwn(directory, by, id))) return;
  throw isAdopted
    ? refusal('own-membership', `group adopt "${name}"`)
    : refusal('own-leaving', `group adopt "${name}" --end`);
}

/**
 * Refuses to confirm one's own membership: it would have no end that someone else decides about. A session counts for who issued its
 * credential as well.
 */
export function assertNotOwnConfirmation(
  { accounts }: Persons,
  by: User | 'operator',
  group: string,
  confirmed: readonly UserId[],
): void {
  const persons = by === 'operator' ? [] : everyAccount(accounts, usersOf({ by: by.id, issuer: by.credentialIssuer }));
  if (confirmed.some((id) => persons.includes(id))) throw refusal('own-confirmation', `group confirm "${group}"`);
}

export function assertNotOwnSpaceRole(
  directory: Persons,
  by: Changer,
  space: string,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
): void {
  if (isOwn(directory, by, id)) throw refusal('own-power', `space member "${space}" ${email}`);
}

export function assertNotOwnServer(
  directory: Persons,
  by: Administrator,
  server: string,
  owners: (UserId | null)[],
): void {
  if (owners.some((id) => isOwn(directory, by, id)))
    throw refusal('own-server', `server set "${server}" --owner EMAIL`);
}

/**
 * Who says that they are someone else would have a second vote, as would who accepts it; that they are the same takes one
 * away.
 */
export function assertNotOwnPair(
  directory: Persons,
  by: Changer,
  users: readonly UserId[],
  answer: PairAnswer | null,
  command: string,
): void {
  if (answer === 'one-person') return;
  if (users.some((id) => isOwn(directory, by, id))) throw refusal('own-power', command);
  const persons = everyAccount(directory.accounts, users);
  if (by !== 'operator' && by.kind === 'agreement' && by.with.every((id) => persons.includes(id)))
    throw new Problem('forbidden', { refusal: { code: 'second-administrator' } });
}

export function assertNotOwnLink(directory: Persons, by: Administrator, { id, email }: UserRecord): void {
  if (isOwn(directory, by, id)) throw refusal('own-link', `user link ${email}`);
}
