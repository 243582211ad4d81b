import type { UserId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { UserRecord, UserSettings } from '../../store/users/directory.ts';
import type { Administrator } from './change-directory.ts';

// Four eyes on power: whoever keeps people and groups gives no vote to themselves, and takes nothing away that keeps
// them out of one. Policies look at roles, groups, managers, subjects and owners, so leaving one may loosen as much as
// joining does; to give up a permission or a channel is all that harms nobody. The operator stands outside of it.

const isOwn = (by: Administrator, id: UserId | null | undefined): boolean => by !== 'operator' && by.id === id;

/** Problem `forbidden`, with who can do it instead. */
const refusal = (deed: string, command: string): Problem =>
  new Problem('forbidden', {
    detail: `Nobody ${deed}. Another administrator can do it, or the operator: assentry ${command}`,
  });

/** Refuses what an administrator may not change about themselves: all but their name, and what they give up. */
export function refuseOwnChange(by: Administrator, { id, email }: UserRecord, set: UserSettings): void {
  if (!isOwn(by, id)) return refuseOwnReport(by, set.managerId, `user set ${email}`);
  const { name: _name, mayBreakGlass, slackId, ...power } = set;
  if (set.disabledAt !== undefined) throw refusal('disables themselves', `user disable ${email}`);
  if (mayBreakGlass === true || typeof slackId === 'string' || Object.keys(power).length > 0)
    throw refusal('changes what they may do or answer to themselves', `user set ${email}`);
}

/** Whoever is a manager votes on what their reports ask for. */
export function refuseOwnReport(by: Administrator, managerId: UserId | null | undefined, command: string): void {
  if (isOwn(by, managerId)) throw refusal('makes themselves the manager of somebody', command);
}

export function refuseOwnMembership(by: Administrator, group: string, added: UserId[], removed: UserId[]): void {
  if (added.some((id) => isOwn(by, id))) throw refusal('puts themselves into a group', `group add "${group}" EMAIL`);
  if (removed.some((id) => isOwn(by, id)))
    throw refusal('takes themselves out of a group', `group remove "${group}" EMAIL`);
}

export function refuseOwnServer(by: Administrator, server: string, owners: (UserId | null)[]): void {
  if (owners.some((id) => isOwn(by, id)))
    throw refusal('makes themselves the owner of a server, or stops being it', `server set "${server}" --owner EMAIL`);
}

export function refuseOwnLink(by: Administrator, { id, email }: UserRecord): void {
  if (isOwn(by, id)) throw refusal('makes a link for themselves', `user link ${email}`);
}
