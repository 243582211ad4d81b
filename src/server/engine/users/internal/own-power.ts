import type { PairAnswer } from '#protocol/model/accounts/account-pair';
import type { UserId } from '#protocol/model/id';
import { Problem } from '#protocol/model/problem';
import { usersOf } from '#protocol/model/quorum';
import type { RefusalCode } from '#protocol/model/refusal';
import type { User } from '#protocol/model/user';
import type { UserSettings } from '../../../store/users/directory-write.ts';
import type { UserRecord } from '../../../store/users/directory-record.ts';
import { issuerOf, type Administrator, type Changer } from '../change-directory.ts';

// Administrators cannot give themselves a vote or remove what excludes them from one. Policies depend on roles, groups,
// managers, subjects and owners, so leaving a group may give as much power as joining one. They may give up a
// permission or a channel. The operator is outside these rules.

// A program is as near to them as its maker.
const isOwn = (by: Changer, id: UserId | null | undefined): boolean => id !== null && issuerOf(by) === id;

/** Problem `forbidden`, with the command by which the operator can do it instead. */
const refusal = (code: RefusalCode, command: string): Problem =>
  new Problem('forbidden', { refusal: { code, values: { command } } });

/** Refuses what administrators may not change about themselves: everything but their name and what they give up. */
export function assertNotOwnChange(by: Changer, { id, email }: UserRecord, set: UserSettings): void {
  if (!isOwn(by, id)) return assertNotOwnReport(by, set.managerId, `user set ${email}`);
  const { name: _name, mayBreakGlass, chatMember, ...power } = set;
  if (set.disabledAt !== undefined) throw refusal('own-access', `user disable ${email}`);
  if (mayBreakGlass === true || typeof chatMember === 'string' || Object.keys(power).length > 0)
    throw refusal('own-power', `user set ${email}`);
}

/** Refuses to make administrators the manager of someone: managers vote on what their reports request. */
export function assertNotOwnReport(by: Changer, managerId: UserId | null | undefined, command: string): void {
  if (isOwn(by, managerId)) throw refusal('own-report', command);
}

export function assertNotOwnMembership(by: Changer, group: string, added: UserId[], removed: UserId[]): void {
  if (added.some((id) => isOwn(by, id))) throw refusal('own-membership', `group add "${group}" EMAIL`);
  if (removed.some((id) => isOwn(by, id))) throw refusal('own-leaving', `group remove "${group}" EMAIL`);
}

/**
 * Refuses to confirm one's own membership: it would have no end that someone else decides about. A session counts for who issued its
 * credential as well.
 */
export function assertNotOwnConfirmation(by: User | 'operator', group: string, confirmed: readonly UserId[]): void {
  const persons = by === 'operator' ? [] : usersOf({ by: by.id, issuer: by.credentialIssuer });
  if (confirmed.some((id) => persons.includes(id))) throw refusal('own-confirmation', `group confirm "${group}"`);
}

export function assertNotOwnSpaceRole(
  by: Changer,
  space: string,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
): void {
  if (isOwn(by, id)) throw refusal('own-power', `space member "${space}" ${email}`);
}

export function assertNotOwnServer(by: Administrator, server: string, owners: (UserId | null)[]): void {
  if (owners.some((id) => isOwn(by, id))) throw refusal('own-server', `server set "${server}" --owner EMAIL`);
}

/** Who says that they are someone else would have a second vote; that they are the same takes one away. */
export function assertNotOwnPair(
  by: Changer,
  users: readonly UserId[],
  answer: PairAnswer | null,
  command: string,
): void {
  if (answer !== 'one-person' && users.some((id) => isOwn(by, id))) throw refusal('own-power', command);
}

export function assertNotOwnLink(by: Administrator, { id, email }: UserRecord): void {
  if (isOwn(by, id)) throw refusal('own-link', `user link ${email}`);
}
